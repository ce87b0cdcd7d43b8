#include "policy/map/mutating_set.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "policy/map/dispatch.h"
#include "policy/map/reinvocation.h"

namespace portcullis::policy {

MutatingSet::MutatingSet(std::vector<MutatingPolicy> policies, std::vector<BindingCore> bindings,
                         bool unbound_deny, base::ErrorList notes)
    : bindings_(std::move(bindings)), policies_(std::move(policies)), notes_(std::move(notes)) {
  std::sort(bindings_.begin(), bindings_.end(),
            [](const BindingCore& a, const BindingCore& b) { return a.name < b.name; });
  std::sort(policies_.begin(), policies_.end(),
            [](const MutatingPolicy& a, const MutatingPolicy& b) {
              return a.core.info.name < b.core.info.name;
            });
  std::unordered_map<std::string_view, MutatingPolicy*> by_name;
  for (MutatingPolicy& policy : policies_) by_name[policy.core.info.name] = &policy;
  for (const BindingCore& binding : bindings_) {
    const auto found = by_name.find(binding.policy_name);
    if (found != by_name.end()) found->second->bindings.push_back(&binding);
  }
  for (MutatingPolicy& policy : policies_) policy.core.info.bound = !policy.bindings.empty();
  if (!unbound_deny) {
    std::erase_if(policies_, [](const MutatingPolicy& policy) { return policy.bindings.empty(); });
  }
}

IndexEntry MutatingSet::index_entry(std::size_t policy) const {
  const match::MatchResources& constraints = policies_[policy].core.constraints;
  return {constraints.rules, constraints.equivalent};
}

std::unique_ptr<MutationState> MutatingSet::NewMutationState() const {
  return std::make_unique<ReinvocationState>();
}

bool MutatingSet::Mutate(std::span<const std::uint32_t> candidates, int pass, MutationState* state,
                         RequestContext& context, Verdict& verdict) const {
  std::vector<const MutatingPolicy*> policies;
  policies.reserve(candidates.size());
  for (const std::uint32_t candidate : candidates) policies.push_back(&policies_[candidate]);
  return DispatchMutations(policies, pass, static_cast<ReinvocationState&>(*state), context,
                           verdict);
}

}  // namespace portcullis::policy
