#include "policy/vap/evaluate.h"

#include <optional>

#include "policy/admission/explain.h"
#include "policy/admission/expression.h"

namespace portcullis::policy::vap {
namespace {

constexpr std::size_t kMaxMessage = 5 * 1024;

// One error in the place of everything this evaluation found.
Evaluation WholeError(const Policy& policy, std::string message) {
  Evaluation out;
  out.whole = true;
  out.decisions.push_back({policy.core.fail, true, std::move(message), {}});
  return out;
}

// What a messageExpression gave, if it can be shown.
std::optional<std::string> UsableMessage(const Evaluated& result) {
  if (result.state != Evaluated::State::kValue || !result.value.is_string()) return std::nullopt;
  const std::string_view text = TrimSpace(result.value.as_string());
  if (text.empty() || text.size() > kMaxMessage || text.find('\n') != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(text);
}

std::string FailureMessage(const Validation& validation, const Evaluated& message) {
  if (auto usable = UsableMessage(message)) return std::move(*usable);
  if (!validation.message.empty()) return validation.message;
  return "failed expression: " + std::string(TrimSpace(validation.expression.source));
}

// The results of the messageExpressions; false when the budget ran out.
bool EvaluateMessages(const Policy& policy, const Invocation& invocation, const MatchedView& view,
                      RequestContext& context, std::uint64_t budget,
                      std::vector<Evaluated>& messages) {
  Evaluator evaluator(policy.core, invocation, view, context, {.authorizer = false}, budget);
  messages.resize(policy.validations.size());
  for (std::size_t i = 0; i < policy.validations.size(); ++i) {
    const auto& expression = policy.validations[i].message_expression;
    if (!expression) continue;
    messages[i] = evaluator.Evaluate(*expression);
    if (messages[i].state == Evaluated::State::kOutOfBudget) return false;
  }
  return true;
}

AnnotationResult AnnotationOf(const Policy& policy, const AuditAnnotation& annotation,
                              Evaluated result) {
  using Kind = AnnotationResult::Kind;
  if (result.state == Evaluated::State::kError) {
    return {policy.core.fail ? Kind::kError : Kind::kOmit, &annotation, std::move(result.error)};
  }
  if (result.value.is_null()) return {Kind::kOmit, &annotation, {}};
  if (!result.value.is_string()) {
    return {
        Kind::kError, &annotation,
        "valueExpression '" + annotation.value.source +
            "' resulted in unsupported return type. Return type must be either string or null."};
  }
  const std::string_view text = TrimSpace(result.value.as_string());
  return {text.empty() ? Kind::kOmit : Kind::kPublish, &annotation, std::string(text)};
}

// Finds the members behind the failures of a finished evaluation.
void ExplainFailures(const Policy& policy, const Invocation& invocation, const MatchedView& view,
                     RequestContext& context, Evaluation& evaluation) {
  for (std::size_t i = 0; i < evaluation.decisions.size(); ++i) {
    Decision& decision = evaluation.decisions[i];
    if (!decision.deny && !decision.error) continue;
    BlamedMember member =
        FindBlamedMember(policy.core, invocation, view, context, policy.validations[i].expression);
    decision.path = std::move(member.path);
    decision.value = std::move(member.value);
  }
}

void ShowExpressions(const Policy& policy, const Invocation& invocation, const MatchedView& view,
                     RequestContext& context) {
  ShowCommonExpressions(policy.core, invocation, view, context);
  for (std::size_t i = 0; i < policy.validations.size(); ++i) {
    const Validation& validation = policy.validations[i];
    const std::string path = Index("spec.validations", i);
    ShowExpression(policy.core, invocation, view, context, Child(path, "expression"),
                   validation.expression);
    if (validation.message_expression) {
      ShowExpression(policy.core, invocation, view, context, Child(path, "messageExpression"),
                     *validation.message_expression);
    }
  }
}

Evaluation EvaluateAll(const Policy& policy, const Invocation& invocation, const MatchedView& view,
                       RequestContext& context) {
  ConditionsResult conditions = EvaluateMatchConditions(policy.core, invocation, view, context);
  if (conditions.state == ConditionsResult::State::kError) {
    return WholeError(policy, std::move(conditions.error));
  }
  Evaluation out;
  if (conditions.state == ConditionsResult::State::kNotMatched) {
    out.skipped = true;
    return out;
  }

  Evaluator evaluator(policy.core, invocation, view, context, {}, kEvaluationBudget);
  std::vector<Evaluated> results;
  results.reserve(policy.validations.size());
  bool wants_messages = false;
  for (const Validation& validation : policy.validations) {
    results.push_back(evaluator.Evaluate(validation.expression));
    if (results.back().state == Evaluated::State::kOutOfBudget) {
      return WholeError(policy, std::string(kBudgetMessage));
    }
    wants_messages = wants_messages || validation.message_expression.has_value();
  }

  // Messages are evaluated for passing validations too: what they cost counts.
  std::vector<Evaluated> messages(policy.validations.size());
  const bool messages_ok = !wants_messages || EvaluateMessages(policy, invocation, view, context,
                                                               evaluator.remaining(), messages);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Validation& validation = policy.validations[i];
    Decision& decision = out.decisions.emplace_back();
    if (results[i].state == Evaluated::State::kError) {
      decision = {policy.core.fail, true, std::move(results[i].error), {}};
    } else if (!messages_ok) {
      decision = {
          policy.core.fail, true, "failed messageExpression: " + std::string(kBudgetMessage), {}};
    } else if (!results[i].value.is_bool() || !results[i].value.as_bool()) {
      decision = {true, false, FailureMessage(validation, messages[i]), validation.reason};
    }
  }

  if (!policy.audit_annotations.empty()) {
    Evaluator audit(policy.core, invocation, view, context, {.authorizer = false},
                    kEvaluationBudget);
    for (const AuditAnnotation& annotation : policy.audit_annotations) {
      Evaluated result = audit.Evaluate(annotation.value);
      if (result.state == Evaluated::State::kOutOfBudget) {
        return WholeError(policy, std::string(kBudgetMessage));
      }
      out.annotations.push_back(AnnotationOf(policy, annotation, std::move(result)));
    }
  }
  return out;
}

}  // namespace

Evaluation Evaluate(const Policy& policy, const Invocation& invocation, const MatchedView& view,
                    RequestContext& context) {
  if (context.observer != nullptr) ShowExpressions(policy, invocation, view, context);
  Evaluation out = EvaluateAll(policy, invocation, view, context);
  if (context.explain_failures && !out.whole) {
    ExplainFailures(policy, invocation, view, context, out);
  }
  return out;
}

}  // namespace portcullis::policy::vap
