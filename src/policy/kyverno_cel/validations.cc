#include "policy/kyverno_cel/validations.h"

#include "policy/admission/decode.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using exceptions::ResultType;

doc::Value ValueOf(const Expression& expression, Activation& activation, RequestContext& context) {
  return cel::Evaluate(*expression.program, activation, context.arena, activation.options()).value;
}

Validation CompileValidation(const doc::Value& value, const std::string& path, const Scope& scope,
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

// A message expression that fails is its own message; only an empty text falls back.
std::string MessageOf(const Validation& validation, std::size_t index, Activation& activation,
                      RequestContext& context) {
  std::string message = validation.message;
  if (validation.message_expression) {
    const doc::Value value = ValueOf(validation.message_expression, activation, context);
    if (value.is_error()) {
      message = "failed to evaluate message expression: ";
      message += cel::ErrorMessage(value);
    } else if (value.is_string()) {
      message = value.as_string();
    }
  }
  if (!message.empty()) return message;
  return "CEL expression validation failed at index " + std::to_string(index);
}

}  // namespace

std::vector<Validation> CompileValidations(const doc::Value& spec, const Scope& scope,
                                           FieldErrors& errors) {
  std::vector<Validation> out;
  const auto items = Items(spec, "validations");
  for (std::size_t i = 0; i < items.size() && errors.empty(); ++i) {
    out.push_back(CompileValidation(items[i], Index("spec.validations", i), scope, errors));
  }
  return out;
}

ValidationResult EvaluateValidations(const std::vector<Validation>& validations,
                                     Activation& activation, RequestContext& context) {
  for (std::size_t i = 0; i < validations.size(); ++i) {
    const doc::Value value = ValueOf(validations[i].expression, activation, context);
    if (value.is_bool() && value.as_bool()) continue;
    ValidationResult out{i, value, {}};
    if (!value.is_error()) out.message = MessageOf(validations[i], i, activation, context);
    return out;
  }
  return {validations.size(), doc::Value::Bool(true), {}};
}

}  // namespace portcullis::policy::kyverno_cel
