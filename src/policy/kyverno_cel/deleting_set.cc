#include "policy/kyverno_cel/deleting_set.h"

#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/deleting_evaluate.h"

namespace portcullis::policy::kyverno_cel {

void DeletingSet::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                           Verdict& verdict) const {
  // An object that is about to go is no candidate.
  if (!verdict.want_rows || !context.request.object.is_map()) return;
  for (const std::uint32_t number : candidates) {
    const auto& policy = static_cast<const DeletingPolicy&>(*policies_[number]);
    Evaluation evaluation = EvaluateDeleting(policy, context);
    if (!evaluation.matched) continue;
    if (evaluation.outcome == Outcome::kPass) {
      verdict.produced.push_back(
          {ProducedObject::Kind::kDeleted, &policy.info, policy.info.name, context.request.object});
    }
    AddRow(policy, policy.info, std::move(evaluation), verdict);
  }
}

void DeletingSet::ValidateDocument(DocumentForm form, RequestContext& context,
                                   Verdict& verdict) const {
  if (form != DocumentForm::kAny) return;
  const doc::Value& document = context.request.object;
  // A policy without constraints matches no object of the API.
  if (!document.StringAt("apiVersion").empty() && !document.StringAt("kind").empty()) return;
  for (const auto& item : policies_) {
    if (item->mode != Mode::kJson) continue;
    const auto& policy = static_cast<const DeletingPolicy&>(*item);
    AddRow(policy, policy.info, EvaluateDeleting(policy, context), verdict);
  }
}

}  // namespace portcullis::policy::kyverno_cel
