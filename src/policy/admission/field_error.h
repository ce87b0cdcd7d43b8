#ifndef PORTCULLIS_POLICY_ADMISSION_FIELD_ERROR_H_
#define PORTCULLIS_POLICY_ADMISSION_FIELD_ERROR_H_

// Field errors as the Kubernetes API reports them, and the Status they make
// (spec/kubernetes-admission.md 2.3). The texts are the API server's.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "doc/value.h"
#include "policy/verdict.h"

namespace portcullis::policy {

// Collects the field errors of one object, in order.
class FieldErrors {
 public:
  void Required(std::string path, std::string_view detail = {});
  void Invalid(std::string path, std::string_view value, std::string_view detail);
  // The value as JSON, not quoted.
  void InvalidJson(std::string path, std::string_view json, std::string_view detail);
  void Unsupported(std::string path, std::string_view value,
                   const std::vector<std::string_view>& supported);
  void Duplicate(std::string path, std::string_view value);
  void TooMany(std::string path, std::size_t count, std::size_t limit);
  void TooLong(std::string path, std::size_t limit);
  void Forbidden(std::string path, std::string_view detail);
  void Internal(std::string path, std::string_view detail);

  bool empty() const { return errors_.empty(); }
  std::size_t size() const { return errors_.size(); }
  const base::ErrorList& list() const { return errors_; }

  // 422 `Kind.group "name" is invalid: ...` with one cause per error. Requires !empty().
  Status ToStatus(std::string_view kind, std::string_view group, std::string_view name) const;

 private:
  base::ErrorList errors_;
};

// `path.name`, `path[i]`.
std::string Child(std::string_view path, std::string_view name);
std::string Index(std::string_view path, std::size_t index);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_FIELD_ERROR_H_
