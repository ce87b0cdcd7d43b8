#include "policy/kyverno_cel/validating_evaluate.h"

#include "policy/admission/field_error.h"

namespace portcullis::policy::kyverno_cel {
namespace {

class Run {
 public:
  // `policy`: the policy itself or the variant that applies.
  Run(const ValidatingPolicy& policy, RequestContext& context, Evaluation& out)
      : policy_(policy), context_(context), activation_(policy, context), out_(out) {}

  void Evaluate() {
    const exceptions::Grants grants = GrantsOf(policy_, true, true, activation_, context_, out_);
    if (grants.full) return Exempt(grants, out_);
    if (!grants.error.empty()) return ContextError(grants.error);
    activation_.BindExceptions(grants.images, grants.allowed_values);

    using State = exceptions::Conditions::State;
    const exceptions::Conditions conditions = exceptions::EvaluateConditions(
        policy_.match_conditions, policy_.fail, activation_, context_.arena, activation_.options());
    if (conditions.state == State::kError) return ContextError(conditions.error);
    if (conditions.state == State::kFalse) {
      out_.path = Child(Index("spec.matchConditions", conditions.decided), "expression");
      return out_.Set(Outcome::kSkip, "", "skip");
    }
    activation_.BindVariables();
    Validate(grants.control_message);
  }

 private:
  void Validate(const std::string& control_message) {
    std::string error;
    for (std::size_t i = 0; i < policy_.validations.size(); ++i) {
      const Validation& validation = policy_.validations[i];
      const doc::Value value = Value(validation.expression);
      if (value.is_bool() && value.as_bool()) continue;
      Decided(validation, i);
      if (value.is_error()) {
        RuntimeError(cel::ErrorMessage(value));
      } else {
        std::string message = control_message.empty() ? MessageOf(validation, i) : control_message;
        if (Annotate(policy_, activation_, context_, '\'', out_, error)) {
          out_.Set(Outcome::kFail, "", std::move(message));
        } else {
          RuntimeError(error);
        }
      }
      return AddIndex(i);
    }
    if (!Annotate(policy_, activation_, context_, '\'', out_, error)) return ContextError(error);
    out_.Set(Outcome::kPass, "", "success");
  }

  // A message expression that fails is its own message; only an empty text falls back.
  std::string MessageOf(const Validation& validation, std::size_t index) {
    std::string message = validation.message;
    if (validation.message_expression) {
      const doc::Value value = Value(validation.message_expression);
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

  doc::Value Value(const Expression& expression) {
    return cel::Evaluate(*expression.program, activation_, context_.arena, activation_.options())
        .value;
  }

  void Decided(const Validation& validation, std::size_t index) {
    out_.path = Child(Index("spec.validations", index), "expression");
    out_.expression = validation.expression.source;
  }

  // An annotation of that name stays.
  void AddIndex(std::size_t index) {
    constexpr std::string_view kIndex = "cel.validationIndex";
    for (const auto& [key, value] : out_.properties) {
      if (key == kIndex) return;
    }
    out_.properties.emplace_back(kIndex, std::to_string(index));
  }

  void RuntimeError(std::string_view error) {
    out_.Set(Outcome::kError, "", "error: " + std::string(error));
  }
  void ContextError(const std::string& error) {
    out_.Set(Outcome::kError, "evaluation", "failed to load context: " + error);
  }

  const ValidatingPolicy& policy_;
  RequestContext& context_;
  Activation activation_;
  Evaluation& out_;
};

}  // namespace

Evaluation EvaluateValidating(const ValidatingPolicy& policy, RequestContext& context) {
  Evaluation out;
  const PolicyCommon* applicable = Applicable(policy, context, out);
  if (applicable == nullptr || out.matched) return out;
  Run(static_cast<const ValidatingPolicy&>(*applicable), context, out).Evaluate();
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
