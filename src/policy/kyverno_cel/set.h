#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_SET_H_

// The compiled validating policies and what they answer together
// (spec/kyverno-cel-policies.md 2.10, 2.11). Immutable, thread-safe.

#include <memory>
#include <span>
#include <vector>

#include "policy/family.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

class Set final : public FamilySet {
 public:
  // Takes policies in evaluation order, with their exceptions.
  Set(std::vector<std::unique_ptr<Policy>> policies,
      std::vector<std::unique_ptr<exceptions::PolicyException>> exceptions, base::ErrorList notes)
      : policies_(std::move(policies)),
        exceptions_(std::move(exceptions)),
        notes_(std::move(notes)) {}

  std::size_t size() const override { return policies_.size(); }
  const PolicyInfo& info(std::size_t policy) const override { return policies_[policy]->info; }
  IndexEntry index_entry(std::size_t policy) const override {
    return {policies_[policy]->constraints.rules, false};
  }
  std::span<const base::Error> notes() const override { return notes_; }
  bool validates() const override { return true; }
  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;

 private:
  std::vector<std::unique_ptr<Policy>> policies_;
  std::vector<std::unique_ptr<exceptions::PolicyException>> exceptions_;
  base::ErrorList notes_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_SET_H_
