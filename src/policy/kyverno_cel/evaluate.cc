#include "policy/kyverno_cel/evaluate.h"

#include <chrono>

#include "exceptions/grant.h"
#include "policy/kyverno_cel/activation.h"
#include "policy/kyverno_cel/constraints.h"

namespace portcullis::policy::kyverno_cel {
namespace {

std::int64_t NowNanoseconds(const RequestContext& context) {
  if (context.providers.clock != nullptr) return context.providers.clock->NowNanoseconds();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

class Run {
 public:
  Run(const Policy& policy, RequestContext& context)
      : policy_(policy), context_(context), activation_(policy, context) {}

  Evaluation Evaluate() {
    if (policy_.mode == Mode::kKubernetes) {
      if (!policy_.info.ns.empty() && policy_.info.ns != context_.request.ns) return out_;
      ConstraintsResult match = MatchConstraints(policy_.constraints, context_);
      if (!match.error.empty()) {
        return Finish(Outcome::kError, "match", "failed to execute matching: " + match.error);
      }
      if (!match.matched) return out_;
    }
    exceptions::Grants grants;
    if (!policy_.exceptions.empty()) {
      grants = exceptions::Evaluate(policy_.exceptions, policy_.fail, NowNanoseconds(context_),
                                    activation_, context_.arena, activation_.options());
    }
    if (grants.full) return Exempt(grants);
    if (!grants.error.empty()) return ContextError(grants.error);
    activation_.BindExceptions(grants.images, grants.allowed_values);

    exceptions::Conditions conditions = exceptions::EvaluateConditions(
        policy_.match_conditions, policy_.fail, activation_, context_.arena, activation_.options());
    if (conditions.state == exceptions::Conditions::State::kError) {
      return ContextError(conditions.error);
    }
    if (conditions.state == exceptions::Conditions::State::kFalse) {
      return Finish(Outcome::kSkip, "", "skip");
    }
    activation_.BindVariables();
    return Validate(grants.control_message);
  }

 private:
  Evaluation Validate(const std::string& control_message) {
    for (std::size_t i = 0; i < policy_.validations.size(); ++i) {
      const Validation& validation = policy_.validations[i];
      const doc::Value value = Value(validation.expression);
      if (value.is_bool() && value.as_bool()) continue;
      out_.validation = i;
      if (value.is_error()) return RuntimeError(cel::ErrorMessage(value));
      std::string message = control_message.empty() ? MessageOf(validation, i) : control_message;
      std::string error;
      if (!Annotate(error)) return RuntimeError(error);
      return Finish(Outcome::kFail, "", std::move(message));
    }
    std::string error;
    if (!Annotate(error)) return ContextError(error);
    return Finish(Outcome::kPass, "", "success");
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

  // The audit annotations become properties of the result. False and `error` when one fails.
  bool Annotate(std::string& error) {
    for (const AuditAnnotation& annotation : policy_.audit_annotations) {
      const doc::Value value = Value(annotation.value);
      if (value.is_error()) {
        error = "failed to evaluate auditAnnotation '" + annotation.key +
                "': " + std::string(cel::ErrorMessage(value));
        return false;
      }
      if (value.is_string() && value.size() != 0) {
        out_.properties.emplace_back(annotation.key, value.as_string());
      }
    }
    return true;
  }

  doc::Value Value(const Expression& expression) {
    return cel::Evaluate(*expression.program, activation_, context_.arena, activation_.options())
        .value;
  }

  Evaluation Exempt(const exceptions::Grants& grants) {
    std::string message = grants.report_pass ? "rule is passed due to policy exception: "
                                             : "rule is skipped due to policy exception: ";
    for (std::size_t i = 0; i < grants.keys.size(); ++i) {
      if (i != 0) message += ", ";
      message += grants.keys[i];
    }
    return Finish(grants.report_pass ? Outcome::kPass : Outcome::kSkip, "exception",
                  std::move(message));
  }

  Evaluation RuntimeError(std::string_view error) {
    return Finish(Outcome::kError, "", "error: " + std::string(error));
  }
  Evaluation ContextError(const std::string& error) {
    return Finish(Outcome::kError, "evaluation", "failed to load context: " + error);
  }

  Evaluation Finish(Outcome outcome, std::string_view rule, std::string message) {
    out_.matched = true;
    out_.outcome = outcome;
    out_.rule = rule;
    out_.message = std::move(message);
    return std::move(out_);
  }

  const Policy& policy_;
  RequestContext& context_;
  Activation activation_;
  Evaluation out_;
};

}  // namespace

Evaluation Evaluate(const Policy& policy, RequestContext& context) {
  return Run(policy, context).Evaluate();
}

}  // namespace portcullis::policy::kyverno_cel
