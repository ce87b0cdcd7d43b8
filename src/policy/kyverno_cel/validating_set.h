#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_SET_H_

// The compiled validating policies and what they answer together
// (spec/kyverno-cel-policies.md 2.10, 2.11). Immutable, thread-safe.

#include <span>
#include <utility>

#include "policy/family.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

class ValidatingSet final : public FamilySet {
 public:
  // Takes ValidatingPolicy objects in evaluation order, with their exceptions.
  explicit ValidatingSet(PolicyList policies) : policies_(std::move(policies)) {}

  std::size_t size() const override { return policies_.size(); }
  const PolicyInfo& info(std::size_t policy) const override { return policies_[policy]->info; }
  IndexEntry index_entry(std::size_t policy) const override;
  bool validates() const override { return true; }
  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;
  void ValidateDocument(DocumentForm form, RequestContext& context,
                        Verdict& verdict) const override;

 private:
  PolicyList policies_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_SET_H_
