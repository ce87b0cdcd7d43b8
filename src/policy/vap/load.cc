#include "policy/vap/load.h"

#include <algorithm>
#include <set>

#include "base/gotext.h"
#include "base/validation.h"
#include "json/writer.h"
#include "policy/admission/decode.h"

namespace portcullis::policy::vap {
namespace {

constexpr std::size_t kMaxAuditAnnotations = 20;
constexpr std::size_t kMaxValueExpression = 5 * 1024;

bool HasLineBreak(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

Validation LoadValidation(const doc::Value& value, const std::string& path, PolicyScope& scope,
                          FieldErrors& errors) {
  Validation out;
  const std::string_view source = value.StringAt("expression");
  if (IsBlank(source)) {
    errors.Required(Child(path, "expression"), "expression is not specified");
  } else {
    out.expression = scope.Compile(Place::kValidation, source, kBoolResult);
    ReportExpression(out.expression, Child(path, "expression"), errors);
  }

  constexpr std::string_view kBlank = "must be non-empty if specified";
  const std::string_view message_source = value.StringAt("messageExpression");
  if (!message_source.empty() && IsBlank(message_source)) {
    errors.Invalid(Child(path, "messageExpression"), message_source, kBlank);
  } else if (!message_source.empty()) {
    out.message_expression = scope.Compile(Place::kMessage, message_source, kStringResult);
    ReportExpression(*out.message_expression, Child(path, "messageExpression"), errors);
  }

  const std::string_view message = value.StringAt("message");
  out.message = TrimSpace(message);
  if (!message.empty() && out.message.empty()) {
    errors.Invalid(Child(path, "message"), message, kBlank);
  } else if (HasLineBreak(out.message)) {
    errors.Invalid(Child(path, "message"), message, "must not contain line breaks");
  }

  if (Member(value, "reason") != nullptr) {
    out.reason = value.StringAt("reason");
    if (out.reason != "Forbidden" && out.reason != "Invalid" &&
        out.reason != "RequestEntityTooLarge") {
      errors.Unsupported(Child(path, "reason"), out.reason,
                         {"Forbidden", "Invalid", "RequestEntityTooLarge"});
    }
  }
  return out;
}

// The list as the API server's error shows it: with the names of its Go struct.
std::string AnnotationsText(std::span<const doc::Value> items) {
  std::string out = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out += ',';
    out += "{\"Key\":";
    base::AppendGoJsonString(out, items[i].StringAt("key"));
    out += ",\"ValueExpression\":";
    base::AppendGoJsonString(out, items[i].StringAt("valueExpression"));
    out += '}';
  }
  return out + "]";
}

AuditAnnotation LoadAuditAnnotation(const doc::Value& value, const std::string& path,
                                    std::string_view policy_name, PolicyScope& scope,
                                    FieldErrors& errors) {
  AuditAnnotation out;
  out.key = value.StringAt("key");
  const std::string full = std::string(policy_name) + "/" + out.key;
  if (policy_name.empty()) {
    errors.Invalid(Child(path, "key"), out.key, "requires metadata.name be non-empty");
  } else {
    for (const std::string& message : base::ValidateQualifiedName(full)) {
      errors.Invalid(Child(path, "key"), full, message);
    }
  }
  const std::string_view source = value.StringAt("valueExpression");
  const std::string source_path = Child(path, "valueExpression");
  if (IsBlank(source)) {
    errors.Required(source_path, "valueExpression is not specified");
  } else if (TrimSpace(source).size() > kMaxValueExpression) {
    errors.Required(source_path, "must not exceed 5120 bytes in length");
  } else {
    out.value = scope.CompileTrimmed(Place::kAuditAnnotation, source, kStringOrNullResult);
    out.value.source = source;  // Go parity: shown as it was written
    ReportExpression(out.value, source_path, errors);
  }
  return out;
}

}  // namespace

std::string_view ActionName(Action action) {
  switch (action) {
    case Action::kDeny:
      return "Deny";
    case Action::kWarn:
      return "Warn";
    case Action::kAudit:
      return "Audit";
  }
  return "Deny";
}

void LoadPolicy(const doc::Value& object, Policy& policy, FieldErrors& errors) {
  LoadPolicyCore(object, {.rules_required = true, .delete_allowed = true}, policy.core, errors);
  PolicyScope scope(static_cast<bool>(policy.core.param_kind));
  LoadPolicyExpressions(object, scope, policy.core, errors);

  const doc::Value* spec_member = Member(object, "spec");
  const doc::Value spec = spec_member == nullptr ? doc::Value::EmptyMap() : *spec_member;
  const auto validations = Items(spec, "validations");
  const auto annotations = Items(spec, "auditAnnotations");
  if (validations.empty() && annotations.empty()) {
    constexpr std::string_view kNothing =
        "validations or auditAnnotations must contain at least one item";
    errors.Required("spec.validations", kNothing);
    errors.Required("spec.auditAnnotations", kNothing);
    return;
  }
  for (std::size_t i = 0; i < validations.size(); ++i) {
    policy.validations.push_back(
        LoadValidation(validations[i], Index("spec.validations", i), scope, errors));
  }
  if (annotations.size() > kMaxAuditAnnotations) {
    errors.InvalidJson("spec.auditAnnotations", AnnotationsText(annotations),
                       "must not have more than 20 auditAnnotations");
  }
  std::set<std::string> keys;
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    const std::string path = Index("spec.auditAnnotations", i);
    AuditAnnotation annotation =
        LoadAuditAnnotation(annotations[i], path, policy.core.info.name, scope, errors);
    if (!keys.insert(annotation.key).second) errors.Duplicate(Child(path, "key"), annotation.key);
    policy.audit_annotations.push_back(std::move(annotation));
  }
}

void LoadBinding(const doc::Value& object, Binding& binding, FieldErrors& errors) {
  LoadBindingCore(object, {.rules_required = false, .delete_allowed = true}, binding.core, errors);
  const doc::Value* spec = Member(object, "spec");
  const std::string path = "spec.validationActions";
  const auto actions =
      spec == nullptr ? std::span<const doc::Value>() : Items(*spec, "validationActions");
  if (actions.empty()) {
    errors.Required(path);
    return;
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string_view name = actions[i].is_string() ? actions[i].as_string() : "";
    if (name == "Deny") {
      binding.actions.push_back(Action::kDeny);
    } else if (name == "Warn") {
      binding.actions.push_back(Action::kWarn);
    } else if (name == "Audit") {
      binding.actions.push_back(Action::kAudit);
    } else {
      errors.Unsupported(Index(path, i), name, {"Audit", "Deny", "Warn"});
    }
    if (!seen.insert(name).second) errors.Duplicate(Index(path, i), name);
  }
  if (seen.contains("Deny") && seen.contains("Warn")) {
    errors.InvalidJson(path, json::ToString(*Member(*spec, "validationActions")),
                       "must not contain both Deny and Warn (repeating the same validation failure "
                       "information in the API response and headers serves no purpose)");
  }
}

}  // namespace portcullis::policy::vap
