#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_KIND_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_KIND_SET_H_

// What the sets of all kinds have in common: the policies of one kind in evaluation order, with
// their exceptions. Immutable, thread-safe.

#include <utility>

#include "policy/family.h"
#include "policy/kyverno_cel/evaluate.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

class KindSet : public FamilySet {
 public:
  explicit KindSet(PolicyList policies) : policies_(std::move(policies)) {}

  std::size_t size() const override { return policies_.size(); }
  const PolicyInfo& info(std::size_t policy) const override { return policies_[policy]->info; }
  IndexEntry index_entry(std::size_t policy) const override {
    return IndexEntryOf(*policies_[policy]);
  }
  bool validates() const override { return !policies_.empty(); }

 protected:
  PolicyList policies_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_KIND_SET_H_
