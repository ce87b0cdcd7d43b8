#ifndef PORTCULLIS_POLICY_VAP_SET_H_
#define PORTCULLIS_POLICY_VAP_SET_H_

// The compiled policies of the family and the algorithm over all of them
// (spec/kubernetes-admission.md 2.4, 2.7 to 2.9). Immutable, thread-safe.

#include <memory>
#include <span>
#include <vector>

#include "policy/family.h"
#include "policy/vap/policy.h"

namespace portcullis::policy::vap {

class Set final : public FamilySet {
 public:
  // Takes policies in name order, with their bindings.
  Set(std::vector<std::unique_ptr<Policy>> policies, std::vector<std::unique_ptr<Binding>> bindings,
      base::ErrorList notes)
      : policies_(std::move(policies)), bindings_(std::move(bindings)), notes_(std::move(notes)) {}

  std::size_t size() const override { return policies_.size(); }
  const PolicyInfo& info(std::size_t policy) const override { return policies_[policy]->core.info; }
  IndexEntry index_entry(std::size_t policy) const override {
    return {policies_[policy]->core.constraints.rules,
            policies_[policy]->core.constraints.equivalent};
  }
  std::span<const base::Error> notes() const override { return notes_; }
  bool validates() const override { return true; }
  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;

 private:
  std::vector<std::unique_ptr<Policy>> policies_;
  std::vector<std::unique_ptr<Binding>> bindings_;
  base::ErrorList notes_;
};

}  // namespace portcullis::policy::vap

#endif  // PORTCULLIS_POLICY_VAP_SET_H_
