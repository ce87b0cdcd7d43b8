#include "policy/kyverno_cel/set.h"

#include <algorithm>

namespace portcullis::policy::kyverno_cel {
namespace {

// What each kind keeps.
struct KindStates final : MutationState {
  std::vector<std::unique_ptr<MutationState>> states;
};

}  // namespace

Set::Set(std::vector<std::unique_ptr<const FamilySet>> kinds, Exceptions exceptions,
         base::ErrorList notes)
    : kinds_(std::move(kinds)), exceptions_(std::move(exceptions)), notes_(std::move(notes)) {
  starts_.push_back(0);
  for (const auto& kind : kinds_) {
    starts_.push_back(starts_.back() + kind->size());
    notes_.insert(notes_.end(), kind->notes().begin(), kind->notes().end());
  }
}

std::size_t Set::KindOf(std::size_t policy) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), policy);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

const PolicyInfo& Set::info(std::size_t policy) const {
  const std::size_t kind = KindOf(policy);
  return kinds_[kind]->info(policy - starts_[kind]);
}

IndexEntry Set::index_entry(std::size_t policy) const {
  const std::size_t kind = KindOf(policy);
  return kinds_[kind]->index_entry(policy - starts_[kind]);
}

bool Set::mutates() const {
  return std::any_of(kinds_.begin(), kinds_.end(),
                     [](const auto& kind) { return kind->mutates(); });
}

bool Set::validates() const {
  return std::any_of(kinds_.begin(), kinds_.end(),
                     [](const auto& kind) { return kind->validates(); });
}

std::vector<std::uint32_t> Set::CandidatesOf(std::size_t kind,
                                             std::span<const std::uint32_t> candidates) const {
  const auto begin = std::lower_bound(candidates.begin(), candidates.end(), starts_[kind]);
  const auto end = std::lower_bound(begin, candidates.end(), starts_[kind + 1]);
  std::vector<std::uint32_t> out(begin, end);
  for (std::uint32_t& number : out) number -= static_cast<std::uint32_t>(starts_[kind]);
  return out;
}

void Set::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                   Verdict& verdict) const {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!kinds_[i]->validates()) continue;
    const std::vector<std::uint32_t> own = CandidatesOf(i, candidates);
    if (!own.empty()) kinds_[i]->Validate(own, context, verdict);
  }
}

void Set::ValidateDocument(DocumentForm form, RequestContext& context, Verdict& verdict) const {
  for (const auto& kind : kinds_) kind->ValidateDocument(form, context, verdict);
}

std::unique_ptr<MutationState> Set::NewMutationState() const {
  auto out = std::make_unique<KindStates>();
  for (const auto& kind : kinds_) {
    out->states.push_back(kind->mutates() ? kind->NewMutationState() : nullptr);
  }
  return out;
}

bool Set::Mutate(std::span<const std::uint32_t> candidates, int pass, MutationState* state,
                 RequestContext& context, Verdict& verdict) const {
  auto& states = static_cast<KindStates&>(*state).states;
  bool again = false;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!kinds_[i]->mutates()) continue;
    const std::vector<std::uint32_t> own = CandidatesOf(i, candidates);
    if (own.empty()) continue;
    again = kinds_[i]->Mutate(own, pass, states[i].get(), context, verdict) || again;
  }
  return again;
}

}  // namespace portcullis::policy::kyverno_cel
