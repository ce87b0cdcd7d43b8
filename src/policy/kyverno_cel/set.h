#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_SET_H_

// The sets of all kinds of the family as one, and the exceptions that their policies refer to.
// Policies are numbered kind after kind. Immutable, thread-safe.

#include <memory>
#include <span>
#include <vector>

#include "exceptions/exception.h"
#include "policy/family.h"

namespace portcullis::policy::kyverno_cel {

class Set final : public FamilySet {
 public:
  using Exceptions = std::vector<std::unique_ptr<exceptions::PolicyException>>;

  Set(std::vector<std::unique_ptr<const FamilySet>> kinds, Exceptions exceptions,
      base::ErrorList notes);

  std::size_t size() const override { return starts_.back(); }
  const PolicyInfo& info(std::size_t policy) const override;
  IndexEntry index_entry(std::size_t policy) const override;
  std::span<const base::Error> notes() const override { return notes_; }
  bool mutates() const override;
  bool validates() const override;
  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;
  void ValidateDocument(DocumentForm form, RequestContext& context,
                        Verdict& verdict) const override;
  std::unique_ptr<MutationState> NewMutationState() const override;
  bool Mutate(std::span<const std::uint32_t> candidates, int pass, MutationState* state,
              RequestContext& context, Verdict& verdict) const override;

 private:
  std::size_t KindOf(std::size_t policy) const;
  // The candidates of one kind, in its own numbers.
  std::vector<std::uint32_t> CandidatesOf(std::size_t kind,
                                          std::span<const std::uint32_t> candidates) const;

  std::vector<std::unique_ptr<const FamilySet>> kinds_;
  std::vector<std::size_t> starts_;  // number of the first policy of each kind, and of all
  Exceptions exceptions_;
  base::ErrorList notes_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_SET_H_
