#include "policy/kyverno_cel/explain.h"

#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/activation.h"
#include "policy/observer.h"

namespace portcullis::policy::kyverno_cel {

void ExpressionDisplay::Show(std::string path, const Expression& expression,
                             std::string_view name) {
  if (context_.observer == nullptr || !expression) return;
  Activation activation(rule_, context_);
  activation.BindExceptions(grants_.images, grants_.allowed_values);
  activation.BindVariables();
  ObservedExpression shown;
  shown.policy = &rule_.info;
  shown.path = std::move(path);
  shown.name = name;
  shown.source = expression.source;
  shown.program = expression.program.get();
  context_.observer->Observe(shown, activation, context_);
}

void ExpressionDisplay::ShowCommon(std::string_view conditions) {
  for (std::size_t i = 0; i < rule_.match_conditions.size(); ++i) {
    Show(Child(Index(conditions, i), "expression"), rule_.match_conditions[i]);
  }
  for (std::size_t i = 0; i < rule_.variables.size(); ++i) {
    Show(Child(Index("spec.variables", i), "expression"), rule_.variables[i].expression,
         rule_.variables[i].name);
  }
  for (std::size_t i = 0; i < rule_.audit_annotations.size(); ++i) {
    Show(Child(Index("spec.auditAnnotations", i), "valueExpression"),
         rule_.audit_annotations[i].value, rule_.audit_annotations[i].key);
  }
}

}  // namespace portcullis::policy::kyverno_cel
