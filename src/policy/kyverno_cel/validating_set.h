#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_SET_H_

// The compiled validating policies and what they answer together
// (spec/kyverno-cel-policies.md 2.10, 2.11). Immutable, thread-safe.

#include <span>

#include "policy/kyverno_cel/kind_set.h"

namespace portcullis::policy::kyverno_cel {

class ValidatingSet final : public KindSet {
 public:
  // Takes ValidatingPolicy objects in evaluation order, with their exceptions.
  using KindSet::KindSet;

  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;
  void ValidateDocument(DocumentForm form, RequestContext& context,
                        Verdict& verdict) const override;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_SET_H_
