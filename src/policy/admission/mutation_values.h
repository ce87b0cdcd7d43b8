#ifndef PORTCULLIS_POLICY_ADMISSION_MUTATION_VALUES_H_
#define PORTCULLIS_POLICY_ADMISSION_MUTATION_VALUES_H_

// From the results of mutation expressions to documents and patches (spec/kubernetes-admission.md
// 3.4, 3.5; spec/cel.md 16.8, 17.3). Pure functions; results live in the arena.

#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "patch/json_patch.h"

namespace portcullis::policy {

// The partial object that an Object{...} stands for. Scalars without a JSON form stay CEL values,
// and map literals inside of other literals become optionals that hold them: the merge reports
// both. False if a map has keys that are no strings.
bool ToPartialObject(base::Arena& arena, const doc::Value& value, doc::Value& out);

// Lists and maps that the API server holds in a form that it cannot write to a patch.
class UnwritableValues {
 public:
  virtual ~UnwritableValues() = default;
  // The server's text, or empty for a value that can be written.
  virtual std::string Reason(const doc::Value& container) const = 0;
};

// The operations of a list(JSONPatch). On failure false and the API server's text in `error`.
bool ToOperations(base::Arena& arena, const doc::Value& list,
                  std::vector<patch::Operation>& operations, std::string& error,
                  const UnwritableValues* unwritable = nullptr);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_MUTATION_VALUES_H_
