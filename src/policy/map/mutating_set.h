#ifndef PORTCULLIS_POLICY_MAP_MUTATING_SET_H_
#define PORTCULLIS_POLICY_MAP_MUTATING_SET_H_

// The mutating policies of a set, and the mutating phase over them (spec/kubernetes-admission.md
// 3.2, 3.3, 3.6). Immutable: any number of threads may evaluate it, each with its own context.

#include <memory>
#include <span>
#include <vector>

#include "policy/family.h"
#include "policy/map/mutating_policy.h"

namespace portcullis::policy {

class MutatingSet final : public FamilySet {
 public:
  // With `unbound_deny`, policies without a binding are evaluated as if bound with everything.
  MutatingSet(std::vector<MutatingPolicy> policies, std::vector<BindingCore> bindings,
              bool unbound_deny, base::ErrorList notes = {});

  std::size_t size() const override { return policies_.size(); }
  const PolicyInfo& info(std::size_t policy) const override { return policies_[policy].core.info; }
  IndexEntry index_entry(std::size_t policy) const override;
  std::span<const base::Error> notes() const override { return notes_; }
  bool mutates() const override { return true; }

  std::unique_ptr<MutationState> NewMutationState() const override;
  bool Mutate(std::span<const std::uint32_t> candidates, int pass, MutationState* state,
              RequestContext& context, Verdict& verdict) const override;

 private:
  std::vector<BindingCore> bindings_;     // by name
  std::vector<MutatingPolicy> policies_;  // by name
  base::ErrorList notes_;
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_MAP_MUTATING_SET_H_
