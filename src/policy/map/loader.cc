#include "policy/map/loader.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "policy/admission/decode.h"
#include "policy/map/mutating_set.h"

namespace portcullis::policy {
namespace {

constexpr std::string_view kGroupPrefix = "admissionregistration.k8s.io/";
constexpr std::string_view kPolicyKind = "MutatingAdmissionPolicy";
constexpr std::string_view kBindingKind = "MutatingAdmissionPolicyBinding";

// One of `spec.mutations[i].applyConfiguration` and `.jsonPatch`.
struct PatchMember {
  std::string_view type;
  std::string_view field;
};
constexpr PatchMember kApply{"ApplyConfiguration", "applyConfiguration"};
constexpr PatchMember kJson{"JSONPatch", "jsonPatch"};

void LoadMutation(const doc::Value& value, std::string_view path, PolicyScope& scope,
                  Mutation& mutation, FieldErrors& errors) {
  const std::string_view type = value.StringAt("patchType");
  if (type.empty()) {
    errors.Required(Child(path, "patchType"));
    return;
  }
  if (type != kApply.type && type != kJson.type) {
    errors.Unsupported(Child(path, "patchType"), type, {kApply.type, kJson.type});
    return;
  }
  mutation.json_patch = type == kJson.type;
  const PatchMember& wanted = mutation.json_patch ? kJson : kApply;
  const PatchMember& other = mutation.json_patch ? kApply : kJson;
  const doc::Value* member = Member(value, wanted.field);
  if (member == nullptr) {
    errors.Required(Child(path, wanted.field),
                    "must be specified when patchType is " + std::string(wanted.type));
  } else {
    mutation.path = Child(Child(path, wanted.field), "expression");
    const std::string_view source = member->StringAt("expression");
    if (IsBlank(source)) {
      errors.Required(mutation.path);
    } else {
      mutation.expression = scope.CompileTrimmed(
          Place::kMutation, source, mutation.json_patch ? kJsonPatchListResult : kObjectResult);
      ReportExpression(mutation.expression, mutation.path, errors);
    }
  }
  if (Member(value, other.field) != nullptr) {
    errors.Invalid(Child(path, other.field), "{" + std::string(other.field) + "}",
                   "must not be specified when patchType is " + std::string(wanted.type));
  }
}

void LoadMutations(const doc::Value& spec, PolicyScope& scope, MutatingPolicy& policy,
                   FieldErrors& errors) {
  const auto items = Items(spec, "mutations");
  if (items.empty()) {
    errors.Required("spec.mutations", "mutations must contain at least one item");
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    LoadMutation(items[i], Index("spec.mutations", i), scope, policy.mutations.emplace_back(),
                 errors);
  }
}

void LoadReinvocationPolicy(const doc::Value& spec, MutatingPolicy& policy, FieldErrors& errors) {
  const std::string_view value = spec.StringAt("reinvocationPolicy");
  if (value.empty()) {
    errors.Required("spec.reinvocationPolicy");
  } else if (value != "Never" && value != "IfNeeded") {
    errors.Unsupported("spec.reinvocationPolicy", value, {"IfNeeded", "Never"});
  }
  policy.reinvoke_if_needed = value == "IfNeeded";
}

class MutatingLoader final : public FamilyLoader {
 public:
  std::string_view name() const override { return "native-mutating"; }

  bool Handles(std::string_view api_version, std::string_view kind) const override {
    return api_version.starts_with(kGroupPrefix) && (kind == kPolicyKind || kind == kBindingKind);
  }

  void Add(const SourceDocument& document, LoadMode mode, base::Arena& arena,
           LoadReport& report) override {
    const Decoded decoded = Decode(document.value, arena);
    if (!ReportDecoded(decoded, document, mode, report)) {
      Refuse(document.value);
      return;
    }
    FieldErrors errors;
    if (document.value.StringAt("kind") == kBindingKind) {
      BindingCore binding;
      LoadBindingCore(decoded.value, {.rules_required = false, .delete_allowed = false}, binding,
                      errors);
      binding.span = document.span;
      if (ReportFieldErrors(errors, document, report)) Keep(std::move(binding));
      if (!errors.empty()) Refuse(document.value);
    } else {
      MutatingPolicy policy;
      LoadPolicy(decoded.value, policy, errors);
      policy.core.info.span = document.span;
      if (ReportFieldErrors(errors, document, report)) Keep(std::move(policy));
      if (!errors.empty()) Refuse(document.value);
    }
    report.stored = decoded.value;
  }

  std::unique_ptr<const FamilySet> Finish(bool unbound_deny) override {
    base::ErrorList notes = Notes(unbound_deny);
    // Somebody meant to bind a policy whose binding was refused: it is not as if bound everywhere.
    std::erase_if(policies_, [&](const MutatingPolicy& policy) {
      return !Binds(policy.core.info.name) && Refused(policy.core.info.name);
    });
    return std::make_unique<MutatingSet>(std::move(policies_), std::move(bindings_), unbound_deny,
                                         std::move(notes));
  }

 private:
  static void LoadPolicy(const doc::Value& value, MutatingPolicy& policy, FieldErrors& errors) {
    const doc::Value* spec_member = Member(value, "spec");
    const doc::Value spec = spec_member != nullptr ? *spec_member : doc::Value::EmptyMap();
    LoadPolicyCore(value, {.rules_required = true, .delete_allowed = false}, policy.core, errors);
    PolicyScope scope(static_cast<bool>(policy.core.param_kind));
    LoadPolicyExpressions(value, scope, policy.core, errors);
    if (policy.core.variables.empty() && Items(spec, "variables").empty()) {
      scope.DeclareNoVariables();
    }
    LoadMutations(spec, scope, policy, errors);
    LoadReinvocationPolicy(spec, policy, errors);
  }

  // What nothing binds, and bindings that lead nowhere.
  base::ErrorList Notes(bool unbound_deny) const {
    base::ErrorList notes;
    for (const BindingCore& binding : bindings_) {
      const bool known =
          std::any_of(policies_.begin(), policies_.end(), [&](const MutatingPolicy& policy) {
            return policy.core.info.name == binding.policy_name;
          });
      if (!known && !Refused(binding.policy_name)) {
        notes.push_back(DanglingBindingNote(kBindingKind, binding));
      }
    }
    for (const MutatingPolicy& policy : policies_) {
      const std::string& name = policy.core.info.name;
      if (Binds(name) || Refused(name)) continue;
      notes.push_back(UnboundPolicyNote(policy.core.info, unbound_deny));
    }
    return notes;
  }

  bool Binds(std::string_view policy) const {
    return std::any_of(bindings_.begin(), bindings_.end(),
                       [&](const BindingCore& binding) { return binding.policy_name == policy; });
  }

  // Remembers the policy that a refused document is or binds.
  void Refuse(const doc::Value& document) {
    const bool binding = document.StringAt("kind") == kBindingKind;
    const doc::Value* member = Member(document, binding ? "spec" : "metadata");
    if (member == nullptr) return;
    refused_.emplace_back(member->StringAt(binding ? "policyName" : "name"));
  }
  bool Refused(std::string_view policy) const {
    return std::find(refused_.begin(), refused_.end(), policy) != refused_.end();
  }

  // A later document of the same name replaces an earlier one.
  void Keep(MutatingPolicy policy) {
    const auto same = [&](const MutatingPolicy& other) {
      return other.core.info.name == policy.core.info.name;
    };
    std::erase_if(policies_, same);
    policies_.push_back(std::move(policy));
  }
  void Keep(BindingCore binding) {
    std::erase_if(bindings_, [&](const BindingCore& other) { return other.name == binding.name; });
    bindings_.push_back(std::move(binding));
  }

  std::vector<MutatingPolicy> policies_;
  std::vector<BindingCore> bindings_;
  std::vector<std::string> refused_;  // names of policies
};

}  // namespace

std::unique_ptr<FamilyLoader> NewMutatingAdmissionLoader() {
  return std::make_unique<MutatingLoader>();
}

}  // namespace portcullis::policy
