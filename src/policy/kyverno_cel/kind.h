#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_KIND_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_KIND_H_

// The interface of one kind of policies within the family: the family reads documents, checks their
// fields, makes autogen's variants and attaches exceptions; the kind compiles and evaluates.

#include <memory>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "doc/value.h"
#include "exceptions/fields.h"
#include "policy/admission/field_error.h"
#include "policy/family.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

class KindLoader {
 public:
  virtual ~KindLoader() = default;

  // "ValidatingPolicy". Its twin "Namespaced..." is read by the same loader.
  virtual std::string_view kind() const = 0;
  // Of `spec`.
  virtual std::span<const exceptions::Field> fields() const = 0;
  // Reads, checks and compiles an object whose fields are known and of the right types. Adds to
  // `errors` why Kyverno would refuse it. `arena` lives as long as the set.
  virtual std::unique_ptr<PolicyCommon> Load(const doc::Value& object, base::Arena& arena,
                                             FieldErrors& errors) const = 0;
  // What Kyverno's webhook answers to a policy with these errors. Requires some.
  virtual Status Refusal(const FieldErrors& errors) const = 0;
  // Whether exceptions may hold back an exemption with `validations`.
  virtual bool honours_controls() const { return false; }
  // The set of all policies of the kind, given in evaluation order.
  virtual std::unique_ptr<const FamilySet> Build(PolicyList policies) const = 0;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_KIND_H_
