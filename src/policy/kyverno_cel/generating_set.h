#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_SET_H_

// The compiled generating policies. They never refuse a request: what they make is made once it was
// admitted, and reports tell of it (spec/kyverno-cel-policies.md 5.2). Immutable, thread-safe.

#include <span>

#include "policy/kyverno_cel/kind_set.h"

namespace portcullis::policy::kyverno_cel {

class GeneratingSet final : public KindSet {
 public:
  // Takes GeneratingPolicy objects in evaluation order, with their exceptions.
  using KindSet::KindSet;

  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_SET_H_
