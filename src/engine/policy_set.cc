#include "engine/policy_set.h"

#include "base/check.h"
#include "doc/edit.h"
#include "policy/kyverno_cel/family.h"
#include "policy/map/loader.h"
#include "policy/vap/family.h"

namespace portcullis::engine {

std::size_t PolicySet::policy_count() const {
  std::size_t count = 0;
  for (const Member& member : families_) count += member.set->size();
  return count;
}

base::ErrorList PolicySet::notes() const {
  base::ErrorList out;
  for (const Member& member : families_) {
    const auto notes = member.set->notes();
    out.insert(out.end(), notes.begin(), notes.end());
  }
  return out;
}

PolicySetBuilder::PolicySetBuilder() : set_(std::make_shared<PolicySet>()) {
  loaders_.push_back(policy::NewMutatingAdmissionLoader());
  loaders_.push_back(policy::vap::NewLoader());
  loaders_.push_back(policy::kyverno_cel::NewLoader());
}

PolicySetBuilder::~PolicySetBuilder() = default;

bool PolicySetBuilder::Handles(std::string_view api_version, std::string_view kind) const {
  for (const auto& loader : loaders_) {
    if (loader->Handles(api_version, kind)) return true;
  }
  return false;
}

policy::LoadReport PolicySetBuilder::Add(const policy::SourceDocument& document,
                                         policy::LoadMode mode) {
  policy::LoadReport report;
  policy::SourceDocument copy;
  copy.value = doc::DeepCopy(set_->arena_, document.value);
  copy.span = document.span;
  const std::string_view api_version = copy.value.StringAt("apiVersion");
  const std::string_view kind = copy.value.StringAt("kind");
  for (const auto& loader : loaders_) {
    if (!loader->Handles(api_version, kind)) continue;
    loader->Add(copy, mode, set_->arena_, report);
    return report;
  }
  base::Error error(base::ErrorCode::kNotFound, "no policy family reads kind " + std::string(kind));
  error.span = document.span;
  report.errors.push_back(std::move(error));
  return report;
}

std::shared_ptr<const PolicySet> PolicySetBuilder::Build(bool unbound_deny) {
  PC_CHECK(set_ != nullptr);
  for (const auto& loader : loaders_) {
    PolicySet::Member member;
    member.set = loader->Finish(unbound_deny);
    member.index = Index(*member.set);
    if (member.set->size() != 0 || !member.set->notes().empty())
      set_->families_.push_back(std::move(member));
  }
  loaders_.clear();
  return std::exchange(set_, nullptr);
}

}  // namespace portcullis::engine
