#include "policy/kyverno_cel/load.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "cel/check/admission_types.h"
#include "policy/admission/decode.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using exceptions::ResultType;

constexpr std::string_view kNoRules =
    "a matchConstraints with at least one resource rule is required";
constexpr std::string_view kCompiler =
    "<nil>: Internal error: validating policy compiler 1.0 error: failed to compile policy";

// The environment of one policy: what all share, and its variables as they are declared.
class Scope {
 public:
  Scope()
      : variables_(std::make_shared<cel::VariableTypes>("kubernetes.variables",
                                                        cel::VariableTypes::Precision::kExact)) {
    auto env = std::make_shared<cel::Env>(exceptions::ValidatingEnvironment());
    env->AddProvider(variables_);
    env->AddVariable("variables", variables_->type());
    env_ = std::move(env);
  }

  Expression Compile(std::string_view source, ResultType wanted, std::string path,
                     FieldErrors& errors) const {
    Expression out = exceptions::Compile(env_, source, wanted);
    if (!out) errors.Invalid(std::move(path), out.source, out.error);
    return out;
  }

  void Declare(std::string_view name, const Expression& expression) {
    variables_->Declare(name, &expression.program->result_type());
  }

 private:
  std::shared_ptr<cel::VariableTypes> variables_;
  std::shared_ptr<const cel::Env> env_;
};

bool Enabled(const doc::Value& evaluation, std::string_view name) {
  const doc::Value* part = Member(evaluation, name);
  const doc::Value* enabled = part == nullptr ? nullptr : Member(*part, "enabled");
  return enabled == nullptr || !enabled->is_bool() || enabled->as_bool();
}

// Every kind of rule list that names Pods makes Kyverno write rules for Pod controllers too, unless
// the policy lists no controllers.
bool WantsAutogen(const doc::Value& spec, const Policy& policy) {
  if (const doc::Value* autogen = Member(spec, "autogen"); autogen != nullptr) {
    const doc::Value* part = Member(*autogen, "podControllers");
    const doc::Value* list = part == nullptr ? nullptr : Member(*part, "controllers");
    if (list != nullptr && list->is_list() && list->size() == 0) return false;
  }
  const auto& rules = policy.constraints.rules;
  return rules.size() == 1 && rules[0].resources.size() == 1 &&
         rules[0].resources[0].resource == "pods" && rules[0].resources[0].subresource.empty();
}

void LoadActions(const doc::Value& spec, Policy& policy, FieldErrors& errors) {
  const auto actions = Items(spec, "validationActions");
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string_view name = actions[i].is_string() ? actions[i].as_string() : "";
    if (name == "Deny") {
      policy.deny = true;
    } else if (name == "Warn") {
      policy.warn = true;
    } else if (name == "Audit") {
      policy.audit = true;
    } else {
      errors.Unsupported(Index("spec.validationActions", i), name, {"Deny", "Audit", "Warn"});
    }
  }
  if (actions.empty()) policy.deny = true;
}

void LoadInfo(const doc::Value& object, Policy& policy) {
  policy.info.kind = object.StringAt("kind");
  const doc::Value* metadata = Member(object, "metadata");
  if (metadata == nullptr) return;
  policy.info.name = metadata->StringAt("name");
  if (policy.info.kind.starts_with("Namespaced")) {
    policy.info.ns = metadata->StringAt("namespace", "default");
  }
  const doc::Value* annotations = Member(*metadata, "annotations");
  if (annotations == nullptr) return;
  policy.info.category = annotations->StringAt("policies.kyverno.io/category");
  policy.info.severity = annotations->StringAt("policies.kyverno.io/severity");
  policy.scored = annotations->StringAt("policies.kyverno.io/scored") != "false";
}

void LoadMode(const doc::Value& spec, Policy& policy) {
  const doc::Value* evaluation = Member(spec, "evaluation");
  if (evaluation == nullptr) return;
  policy.admission = Enabled(*evaluation, "admission");
  policy.background = Enabled(*evaluation, "background");
  policy.mode_name = evaluation->StringAt("mode");
  if (policy.mode_name == "JSON") policy.mode = Mode::kJson;
  if (policy.mode_name == "HTTP" || policy.mode_name == "Envoy") policy.mode = Mode::kOther;
}

Validation LoadValidation(const doc::Value& value, const std::string& path, const Scope& scope,
                          FieldErrors& errors) {
  Validation out;
  out.expression = scope.Compile(value.StringAt("expression"), ResultType::kBool,
                                 Child(path, "expression"), errors);
  out.message = value.StringAt("message");
  const std::string_view message = value.StringAt("messageExpression");
  if (errors.empty() && !message.empty()) {
    out.message_expression =
        scope.Compile(message, ResultType::kString, Child(path, "messageExpression"), errors);
  }
  return out;
}

// Section by section; the first one with a problem is the last one that is looked at.
void CompileSections(const doc::Value& spec, Policy& policy, FieldErrors& errors) {
  Scope scope;
  const auto conditions = Items(spec, "matchConditions");
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    policy.match_conditions.push_back(
        scope.Compile(conditions[i].StringAt("expression"), ResultType::kBool,
                      Child(Index("spec.matchConditions", i), "expression"), errors));
  }
  const auto variables = Items(spec, "variables");
  for (std::size_t i = 0; i < variables.size() && errors.empty(); ++i) {
    Variable variable{std::string(variables[i].StringAt("name")),
                      scope.Compile(variables[i].StringAt("expression"), ResultType::kAny,
                                    Child(Index("spec.variables", i), "expression"), errors)};
    if (variable.expression) scope.Declare(variable.name, variable.expression);
    policy.variables.push_back(std::move(variable));
  }
  const auto validations = Items(spec, "validations");
  for (std::size_t i = 0; i < validations.size() && errors.empty(); ++i) {
    policy.validations.push_back(
        LoadValidation(validations[i], Index("spec.validations", i), scope, errors));
  }
  if (policy.mode == Mode::kJson) return;
  const auto annotations = Items(spec, "auditAnnotations");
  for (std::size_t i = 0; i < annotations.size() && errors.empty(); ++i) {
    policy.audit_annotations.push_back(
        {std::string(annotations[i].StringAt("key")),
         scope.Compile(annotations[i].StringAt("valueExpression"), ResultType::kStringOrNull,
                       Child(Index("spec.auditAnnotations", i), "valueExpression"), errors)});
  }
}

}  // namespace

void LoadValidatingPolicy(const doc::Value& object, Policy& policy, FieldErrors& errors) {
  LoadInfo(object, policy);
  const doc::Value* member = Member(object, "spec");
  const doc::Value spec = member == nullptr ? doc::Value::EmptyMap() : *member;
  const std::string_view failure = spec.StringAt("failurePolicy");
  policy.fail = failure != "Ignore";
  if (!failure.empty() && failure != "Ignore" && failure != "Fail") {
    errors.Unsupported("spec.failurePolicy", failure, {"Fail", "Ignore"});
  }
  LoadActions(spec, policy, errors);
  LoadMode(spec, policy);
  if (const doc::Value* constraints = Member(spec, "matchConstraints"); constraints != nullptr) {
    policy.constraints = match::MatchResources::FromValue(*constraints);
  }
  policy.autogen = WantsAutogen(spec, policy);
  if (!errors.empty() || policy.mode == Mode::kOther) return;
  CompileSections(spec, policy, errors);
  if (errors.empty() && policy.mode == Mode::kKubernetes && policy.constraints.rules.empty()) {
    errors.Required("spec.matchConstraints", kNoRules);
  }
}

Status RefusalOf(const FieldErrors& errors) {
  Status out;
  out.code = 400;
  out.has_details = false;
  const bool compiled =
      std::any_of(errors.list().begin(), errors.list().end(),
                  [](const base::Error& error) { return error.code == base::ErrorCode::kInvalid; });
  if (compiled) out.message = "[" + std::string(kCompiler);
  for (const base::Error& error : errors.list()) {
    if (!out.message.empty()) out.message += ", ";
    out.message += error.path + ": " + error.message;
  }
  if (compiled) out.message += "]";
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
