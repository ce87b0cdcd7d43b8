#ifndef PORTCULLIS_POLICY_MAP_GO_VALUES_H_
#define PORTCULLIS_POLICY_MAP_GO_VALUES_H_

// Containers that CEL sees as Go structs, maps and slices rather than as values of its own: parts
// of `request` and `namespaceObject`, of native params and, once match conditions have been
// evaluated, of a native `object`. The API server cannot write them to a JSON patch
// (spec/kubernetes-admission.md 3.5). Lives for one mutation; not thread-safe.

#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"
#include "policy/admission/mutation_values.h"
#include "schema/schema.h"

namespace portcullis::policy {

class GoValues final : public UnwritableValues {
 public:
  // A document of a built-in kind.
  void Add(const doc::Value& document, const schema::Schema& schema);
  // `request`, which has no schema.
  void AddRequest(const doc::Value& request) { request_ = request; }

  // Why `container` cannot be written, or empty when it is no part of what was added.
  std::string Reason(const doc::Value& container) const override;

 private:
  struct Root {
    doc::Value document;
    const schema::Schema* schema;
  };
  std::vector<Root> roots_;
  doc::Value request_;
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_MAP_GO_VALUES_H_
