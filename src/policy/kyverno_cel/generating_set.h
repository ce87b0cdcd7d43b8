#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_SET_H_

// The compiled generating policies. They never refuse a request: what they make is made once it was
// admitted, and reports tell of it (spec/kyverno-cel-policies.md 5.2). Immutable, thread-safe.

#include <span>
#include <utility>

#include "policy/family.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

class GeneratingSet final : public FamilySet {
 public:
  // Takes GeneratingPolicy objects in evaluation order, with their exceptions.
  explicit GeneratingSet(PolicyList policies) : policies_(std::move(policies)) {}

  std::size_t size() const override { return policies_.size(); }
  const PolicyInfo& info(std::size_t policy) const override { return policies_[policy]->info; }
  IndexEntry index_entry(std::size_t policy) const override;
  bool validates() const override { return !policies_.empty(); }
  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;

 private:
  PolicyList policies_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_SET_H_
