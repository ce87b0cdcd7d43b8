#include "policy/vap/family.h"

#include <algorithm>
#include <vector>

#include "policy/admission/decode.h"
#include "policy/vap/load.h"
#include "policy/vap/set.h"

namespace portcullis::policy::vap {
namespace {

constexpr std::string_view kPolicyKind = "ValidatingAdmissionPolicy";
constexpr std::string_view kBindingKind = "ValidatingAdmissionPolicyBinding";

class Loader final : public FamilyLoader {
 public:
  std::string_view name() const override { return "native-validating"; }

  bool Handles(std::string_view api_version, std::string_view kind) const override {
    return api_version.starts_with("admissionregistration.k8s.io/") &&
           (kind == kPolicyKind || kind == kBindingKind);
  }

  void Add(const SourceDocument& document, LoadMode mode, base::Arena& arena,
           LoadReport& report) override {
    const Decoded decoded = Decode(document.value, arena);
    if (!ReportDecoded(decoded, document, mode, report)) {
      Refuse(document.value);
      return;
    }
    FieldErrors errors;
    if (document.value.StringAt("kind") == kPolicyKind) {
      auto policy = std::make_unique<Policy>();
      policy->core.info.span = document.span;
      LoadPolicy(decoded.value, *policy, errors);
      if (ReportFieldErrors(errors, document, report)) Replace(policies_, std::move(policy));
    } else {
      auto binding = std::make_unique<Binding>();
      binding->core.span = document.span;
      LoadBinding(decoded.value, *binding, errors);
      if (ReportFieldErrors(errors, document, report)) Replace(bindings_, std::move(binding));
    }
    if (errors.empty()) {
      report.stored = decoded.value;
    } else {
      Refuse(document.value);
    }
  }

  std::unique_ptr<const FamilySet> Finish(bool unbound_deny) override {
    const auto by_name = [](const auto& a, const auto& b) { return Name(*a) < Name(*b); };
    std::sort(policies_.begin(), policies_.end(), by_name);
    std::sort(bindings_.begin(), bindings_.end(), by_name);
    std::vector<std::unique_ptr<Policy>> kept;
    base::ErrorList notes;
    for (const std::unique_ptr<Binding>& binding : bindings_) {
      const bool known = std::any_of(policies_.begin(), policies_.end(), [&](const auto& policy) {
        return policy->core.info.name == binding->core.policy_name;
      });
      if (!known && !Refused(binding->core.policy_name))
        notes.push_back(DanglingBindingNote(kBindingKind, binding->core));
    }
    for (std::unique_ptr<Policy>& policy : policies_) {
      for (const std::unique_ptr<Binding>& binding : bindings_) {
        if (binding->core.policy_name != policy->core.info.name) continue;
        policy->bindings.push_back(binding.get());
        policy->cores.push_back(&binding->core);
      }
      policy->core.info.bound = !policy->bindings.empty();
      const bool refused = Refused(policy->core.info.name);
      if (!policy->core.info.bound && !refused) {
        notes.push_back(UnboundPolicyNote(policy->core.info, unbound_deny));
      }
      if (policy->core.info.bound || (unbound_deny && !refused)) kept.push_back(std::move(policy));
    }
    return std::make_unique<Set>(std::move(kept), std::move(bindings_), std::move(notes));
  }

 private:
  static const std::string& Name(const Policy& policy) { return policy.core.info.name; }
  static const std::string& Name(const Binding& binding) { return binding.core.name; }

  // Remembers the policy that a refused document is or binds: somebody meant it to be there, so it
  // is neither unbound nor unknown.
  void Refuse(const doc::Value& document) {
    const bool binding = document.StringAt("kind") == kBindingKind;
    const doc::Value* member = Member(document, binding ? "spec" : "metadata");
    if (member == nullptr) return;
    refused_.emplace_back(member->StringAt(binding ? "policyName" : "name"));
  }
  bool Refused(const std::string& policy) const {
    return std::find(refused_.begin(), refused_.end(), policy) != refused_.end();
  }

  // A later object of the same name replaces the earlier one, as an apply does.
  template <typename T>
  static void Replace(std::vector<std::unique_ptr<T>>& list, std::unique_ptr<T> item) {
    for (std::unique_ptr<T>& known : list) {
      if (Name(*known) == Name(*item)) {
        known = std::move(item);
        return;
      }
    }
    list.push_back(std::move(item));
  }

  std::vector<std::unique_ptr<Policy>> policies_;
  std::vector<std::unique_ptr<Binding>> bindings_;
  std::vector<std::string> refused_;  // names of policies
};

}  // namespace

std::unique_ptr<FamilyLoader> NewLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::vap
