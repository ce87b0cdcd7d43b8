#include "policy/family.h"

namespace portcullis::policy {

void FamilySet::Validate(std::span<const std::uint32_t> /*candidates*/, RequestContext& /*context*/,
                         Verdict& /*verdict*/) const {}

void FamilySet::ValidateDocument(DocumentForm /*form*/, RequestContext& /*context*/,
                                 Verdict& /*verdict*/) const {}

std::unique_ptr<MutationState> FamilySet::NewMutationState() const { return nullptr; }

bool FamilySet::Mutate(std::span<const std::uint32_t> /*candidates*/, int /*pass*/,
                       MutationState* /*state*/, RequestContext& /*context*/,
                       Verdict& /*verdict*/) const {
  return false;
}

}  // namespace portcullis::policy
