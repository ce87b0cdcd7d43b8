#include "policy/kyverno_cel/validating_evaluate.h"

#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/explain.h"
#include "policy/kyverno_cel/pod_templates.h"

namespace portcullis::policy::kyverno_cel {
namespace {

class Run {
 public:
  // `policy`: the policy itself or the variant that applies.
  Run(const ValidatingPolicy& policy, RequestContext& context, Evaluation& out)
      : policy_(policy), context_(context), activation_(policy, context), out_(out) {}

  void Evaluate() {
    const exceptions::Grants grants = GrantsOf(policy_, true, true, activation_, context_, out_);
    if (context_.observer != nullptr) Show(grants);
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
    const ValidationResult result = EvaluateValidations(policy_.validations, activation_, context_);
    if (result.index == policy_.validations.size()) {
      if (!Annotate(policy_, activation_, context_, '\'', out_, error)) return ContextError(error);
      return out_.Set(Outcome::kPass, "", "success");
    }
    if (result.value.is_error()) {
      RuntimeError(cel::ErrorMessage(result.value));
    } else if (Annotate(policy_, activation_, context_, '\'', out_, error)) {
      out_.Set(Outcome::kFail, "", control_message.empty() ? result.message : control_message);
    } else {
      RuntimeError(error);
    }
    Explain(policy_.validations[result.index], result.index);
  }

  void Show(const exceptions::Grants& grants) {
    ExpressionDisplay display(policy_, grants, context_);
    display.ShowCommon();
    for (std::size_t i = 0; i < policy_.validations.size(); ++i) {
      const std::string path = Index("spec.validations", i);
      display.Show(Child(path, "expression"), policy_.validations[i].expression);
      display.Show(Child(path, "messageExpression"), policy_.validations[i].message_expression);
    }
  }

  // What decided, in the policy and in the resource.
  void Explain(const Validation& validation, std::size_t index) {
    out_.path = Child(Index("spec.validations", index), "expression");
    out_.expression = validation.expression.source;
    Blame(validation.expression, activation_, context_, out_);
    constexpr std::string_view kIndex = "cel.validationIndex";
    for (const auto& [key, value] : out_.properties) {
      if (key == kIndex) return;  // an annotation of that name stays
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
  const auto& rule = static_cast<const ValidatingPolicy&>(*applicable);
  if (rule.group == autogen::Group::kExtract) {
    return EvaluatePodTemplates(context, [&](RequestContext& pod) {
      Evaluation result;
      Run(rule, pod, result).Evaluate();
      return result;
    });
  }
  Run(rule, context, out).Evaluate();
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
