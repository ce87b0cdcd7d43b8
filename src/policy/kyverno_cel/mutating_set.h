#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_SET_H_

// The compiled mutating policies, one after the other on the object of a request
// (spec/kyverno-cel-policies.md 2.10, 4.3 to 4.5). Immutable, thread-safe.

#include <memory>
#include <span>

#include "policy/kyverno_cel/kind_set.h"

namespace portcullis::policy::kyverno_cel {

class MutatingSet final : public KindSet {
 public:
  // Takes MutatingPolicy objects in evaluation order, with their exceptions.
  explicit MutatingSet(PolicyList policies);

  bool mutates() const override { return !policies_.empty(); }
  std::unique_ptr<MutationState> NewMutationState() const override;
  // Kyverno's policies run once; a change makes native ones run again.
  bool Mutate(std::span<const std::uint32_t> candidates, int pass, MutationState* state,
              RequestContext& context, Verdict& verdict) const override;

  // Existing objects are changed after the request was admitted, and only reports tell of it.
  bool validates() const override { return has_targets_; }
  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;

 private:
  bool has_targets_ = false;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_SET_H_
