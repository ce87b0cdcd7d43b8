#include "policy/admission/explain.h"

#include "policy/admission/evaluator.h"
#include "policy/observer.h"

namespace portcullis::policy {
namespace {

// The variable of this name that counts: of several the last.
const NamedExpression* FindVariable(const PolicyCore& policy, std::string_view name) {
  for (std::size_t i = policy.variables.size(); i > 0; --i) {
    if (policy.variables[i - 1].name == name) return &policy.variables[i - 1];
  }
  return nullptr;
}

class Source final : public BlameSource {
 public:
  Source(const PolicyCore& policy, Evaluator& evaluator) : policy_(policy), evaluator_(evaluator) {}
  cel::Activation& activation() override { return evaluator_; }
  const cel::Program* VariableProgram(std::string_view name) const override {
    const NamedExpression* variable = FindVariable(policy_, name);
    return variable == nullptr ? nullptr : variable->expression.program.get();
  }
  bool Variable(std::string_view name, doc::Value& out) override {
    return evaluator_.Variable(name, out);
  }

 private:
  const PolicyCore& policy_;
  Evaluator& evaluator_;
};

}  // namespace

BlamedMember FindBlamedMember(const PolicyCore& policy, const Invocation& invocation,
                              const MatchedView& view, RequestContext& context,
                              const Expression& expression) {
  if (expression.program == nullptr) return {};
  Evaluator evaluator(policy, invocation, view, context, {}, kEvaluationBudget);
  Source source(policy, evaluator);
  return FindBlamedMember(*expression.program, source, view.object, view.old_object, context);
}

void ShowExpression(const PolicyCore& policy, const Invocation& invocation, const MatchedView& view,
                    RequestContext& context, std::string path, const Expression& expression,
                    std::string_view name) {
  if (context.observer == nullptr) return;
  Evaluator evaluator(policy, invocation, view, context, {}, kEvaluationBudget);
  ObservedExpression shown;
  shown.policy = &policy.info;
  if (invocation.binding != nullptr) shown.binding = invocation.binding->name;
  shown.path = std::move(path);
  shown.name = name;
  shown.source = expression.source;
  shown.program = expression.program.get();
  context.observer->Observe(shown, evaluator, context);
}

void ShowCommonExpressions(const PolicyCore& policy, const Invocation& invocation,
                           const MatchedView& view, RequestContext& context) {
  for (std::size_t i = 0; i < policy.match_conditions.size(); ++i) {
    const NamedExpression& condition = policy.match_conditions[i];
    ShowExpression(policy, invocation, view, context,
                   Child(Index("spec.matchConditions", i), "expression"), condition.expression,
                   condition.name);
  }
  for (std::size_t i = 0; i < policy.variables.size(); ++i) {
    const NamedExpression& variable = policy.variables[i];
    ShowExpression(policy, invocation, view, context,
                   Child(Index("spec.variables", i), "expression"), variable.expression,
                   variable.name);
  }
}

}  // namespace portcullis::policy
