#include "policy/admission/core.h"

#include "policy/admission/decode.h"

namespace portcullis::policy {
namespace {

constexpr std::string_view kMatchConstraints = "spec.matchConstraints";

const doc::Value& SpecOf(const doc::Value& object) {
  static const doc::Value kEmpty = doc::Value::EmptyMap();
  const doc::Value* spec = Member(object, "spec");
  return spec == nullptr ? kEmpty : *spec;
}

}  // namespace

void LoadPolicyCore(const doc::Value& policy, const MatchResourcesRules& rules, PolicyCore& core,
                    FieldErrors& errors) {
  core.info.kind = policy.StringAt("kind");
  core.info.name = NameOf(policy);
  ValidateMetadata(policy, errors);
  const doc::Value& spec = SpecOf(policy);
  ValidateFailurePolicy(spec, errors);
  core.fail = spec.StringAt("failurePolicy") != "Ignore";
  if (const doc::Value* param_kind = Member(spec, "paramKind"); param_kind != nullptr) {
    ValidateParamKind(*param_kind, "spec.paramKind", errors);
    core.param_kind.api_version = param_kind->StringAt("apiVersion");
    core.param_kind.kind = param_kind->StringAt("kind");
  }
  const doc::Value* match = Member(spec, "matchConstraints");
  if (match == nullptr) {
    errors.Required(std::string(kMatchConstraints));
    return;
  }
  ValidateMatchResources(*match, kMatchConstraints, rules, errors);
  core.constraints = match::MatchResources::FromValue(*match);
}

void LoadPolicyExpressions(const doc::Value& policy, PolicyScope& scope, PolicyCore& core,
                           FieldErrors& errors) {
  const doc::Value& spec = SpecOf(policy);
  if (const doc::Value* conditions = Member(spec, "matchConditions"); conditions != nullptr) {
    core.match_conditions = LoadMatchConditions(scope, *conditions, "spec.matchConditions", errors);
  }
  if (const doc::Value* variables = Member(spec, "variables"); variables != nullptr) {
    core.variables = scope.DeclareVariables(*variables, "spec.variables", errors);
  }
}

void LoadBindingCore(const doc::Value& binding, const MatchResourcesRules& rules, BindingCore& core,
                     FieldErrors& errors) {
  core.name = NameOf(binding);
  ValidateMetadata(binding, errors);
  const doc::Value& spec = SpecOf(binding);
  ValidatePolicyName(spec, errors);
  core.policy_name = spec.StringAt("policyName");
  if (const doc::Value* ref = Member(spec, "paramRef"); ref != nullptr) {
    ValidateParamRef(*ref, "spec.paramRef", errors);
    core.param_ref.present = true;
    core.param_ref.name = ref->StringAt("name");
    core.param_ref.ns = ref->StringAt("namespace");
    core.param_ref.deny_if_absent = ref->StringAt("parameterNotFoundAction") == "Deny";
    if (const doc::Value* selector = Member(*ref, "selector"); selector != nullptr) {
      core.param_ref.selector = match::LabelSelector::Compile(*selector);
    }
  }
  if (const doc::Value* match = Member(spec, "matchResources"); match != nullptr) {
    ValidateMatchResources(*match, "spec.matchResources", rules, errors);
    core.has_match = true;
    core.match = match::MatchResources::FromValue(*match);
  }
}

base::Error UnboundPolicyNote(const PolicyInfo& policy, bool evaluated) {
  std::string text = policy.kind + " " + policy.name + " has no binding: a cluster does not ";
  text += evaluated ? "evaluate it, here it is evaluated as if bound with [Deny]" : "evaluate it";
  base::Error note(base::ErrorCode::kNotFound, std::move(text));
  note.span = policy.span;
  return note;
}

base::Error DanglingBindingNote(std::string_view kind, const BindingCore& binding) {
  base::Error note(base::ErrorCode::kNotFound,
                   std::string(kind) + " " + binding.name + " names the policy " +
                       binding.policy_name + ", which does not exist",
                   "spec.policyName");
  note.span = binding.span;
  return note;
}

}  // namespace portcullis::policy
