#include "policy/kyverno_cel/load.h"

#include <algorithm>

#include "policy/admission/decode.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using exceptions::ResultType;

constexpr std::string_view kNoRules =
    "a matchConstraints with at least one resource rule is required";

void LoadActions(const doc::Value& spec, PolicyCommon& policy, FieldErrors& errors) {
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

void LoadInfo(const doc::Value& object, PolicyCommon& policy) {
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
  policy.info.scored = annotations->StringAt("policies.kyverno.io/scored") != "false";
}

void LoadMode(const doc::Value& spec, PolicyCommon& policy) {
  const doc::Value* evaluation = Member(spec, "evaluation");
  if (evaluation == nullptr) return;
  policy.admission = IsEnabled(*evaluation, "admission");
  policy.background = IsEnabled(*evaluation, "background");
  policy.mode_name = evaluation->StringAt("mode");
  // Other kinds have no modes, whatever the field says.
  if (!policy.info.kind.ends_with("ValidatingPolicy")) return;
  if (policy.mode_name == "JSON") policy.mode = Mode::kJson;
  if (policy.mode_name == "HTTP") policy.mode = Mode::kHttp;
  if (policy.mode_name == "Envoy") policy.mode = Mode::kEnvoy;
}

}  // namespace

Scope::Scope(cel::KyvernoPolicyKind kind, bool namespaced)
    : Scope(cel::KyvernoEnvironment(kind, namespaced)) {}

Scope::Scope(std::shared_ptr<const cel::Env> environment)
    : variables_(std::make_shared<cel::VariableTypes>(cel::kKyvernoVariables,
                                                      cel::VariableTypes::Precision::kExact)) {
  auto env = std::make_shared<cel::Env>(std::move(environment));
  env->AddProvider(variables_);
  env->AddVariable("variables", variables_->type());
  env_ = std::move(env);
}

Expression Scope::Compile(std::string_view source, ResultType wanted, std::string path,
                          FieldErrors& errors) const {
  Expression out = exceptions::Compile(env_, source, wanted);
  if (!out) errors.Invalid(std::move(path), out.source, out.error);
  return out;
}

void Scope::Declare(std::string_view name, const Expression& expression) {
  variables_->Declare(name, &expression.program->result_type());
}

doc::Value ObjectAt(const doc::Value& object, std::string_view name) {
  const doc::Value* part = Member(object, name);
  return part == nullptr || !part->is_map() ? doc::Value::EmptyMap() : *part;
}

bool BoolAt(const doc::Value& object, std::string_view name, bool otherwise) {
  const doc::Value* value = Member(object, name);
  return value == nullptr || !value->is_bool() ? otherwise : value->as_bool();
}

doc::Value SpecOf(const doc::Value& object) { return ObjectAt(object, "spec"); }

bool IsEnabled(const doc::Value& evaluation, std::string_view name, bool otherwise) {
  return BoolAt(ObjectAt(evaluation, name), "enabled", otherwise);
}

void LoadCommon(const doc::Value& object, PolicyCommon& policy, FieldErrors& errors) {
  LoadInfo(object, policy);
  const doc::Value* metadata = Member(object, "metadata");
  if (policy.info.name.empty() &&
      (metadata == nullptr || metadata->StringAt("generateName").empty())) {
    errors.Required("metadata.name", "name or generateName is required");
  }
  const doc::Value spec = SpecOf(object);
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
}

std::vector<Expression> CompileConditions(const doc::Value& spec, std::string_view member,
                                          const Scope& scope, FieldErrors& errors) {
  std::vector<Expression> out;
  const auto conditions = Items(spec, member);
  const std::string path = Child("spec", member);
  out.reserve(conditions.size());
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    out.push_back(scope.Compile(conditions[i].StringAt("expression"), ResultType::kBool,
                                Child(Index(path, i), "expression"), errors));
  }
  return out;
}

void CompileVariables(const doc::Value& spec, Scope& scope, PolicyCommon& policy,
                      FieldErrors& errors) {
  const auto variables = Items(spec, "variables");
  for (std::size_t i = 0; i < variables.size() && errors.empty(); ++i) {
    Variable variable{std::string(variables[i].StringAt("name")),
                      scope.Compile(variables[i].StringAt("expression"), ResultType::kAny,
                                    Child(Index("spec.variables", i), "expression"), errors)};
    if (variable.expression) scope.Declare(variable.name, variable.expression);
    policy.variables.push_back(std::move(variable));
  }
}

void CompileAuditAnnotations(const doc::Value& spec, const Scope& scope, PolicyCommon& policy,
                             FieldErrors& errors) {
  const auto annotations = Items(spec, "auditAnnotations");
  for (std::size_t i = 0; i < annotations.size() && errors.empty(); ++i) {
    policy.audit_annotations.push_back(
        {std::string(annotations[i].StringAt("key")),
         scope.Compile(annotations[i].StringAt("valueExpression"), ResultType::kStringOrNull,
                       Child(Index("spec.auditAnnotations", i), "valueExpression"), errors)});
  }
}

void IgnoreOperations(match::MatchResources& constraints) {
  constexpr std::uint8_t kAll = (1U << match::kOperationCount) - 1;
  for (auto* rules : {&constraints.rules, &constraints.exclude_rules}) {
    for (match::Rule& rule : *rules) rule.operations = kAll;
  }
}

void RequireRules(const PolicyCommon& policy, FieldErrors& errors) {
  if (policy.constraints.rules.empty()) errors.Required("spec.matchConstraints", kNoRules);
}

Status RefusalOf(const FieldErrors& errors, std::string_view compiler) {
  Status out;
  out.code = 400;
  out.has_details = false;
  const auto& list = errors.list();
  const bool compiled =
      !compiler.empty() && std::any_of(list.begin(), list.end(), [](const base::Error& error) {
        return error.code == base::ErrorCode::kInvalid;
      });
  if (compiled) out.message = "<nil>: Internal error: " + std::string(compiler);
  for (const base::Error& error : list) {
    if (!out.message.empty()) out.message += ", ";
    out.message += error.path + ": " + error.message;
  }
  if (compiled || list.size() > 1) out.message = "[" + out.message + "]";
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
