#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_SET_H_

// The compiled deleting policies. They take no part in admission: reports tell what they would
// remove (spec/kyverno-cel-policies.md 6). Immutable, thread-safe.

#include <span>

#include "policy/kyverno_cel/kind_set.h"

namespace portcullis::policy::kyverno_cel {

class DeletingSet final : public KindSet {
 public:
  // Takes DeletingPolicy objects in evaluation order, with their exceptions.
  using KindSet::KindSet;

  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;
  void ValidateDocument(DocumentForm form, RequestContext& context,
                        Verdict& verdict) const override;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_SET_H_
