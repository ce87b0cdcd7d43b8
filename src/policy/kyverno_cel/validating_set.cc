#include "policy/kyverno_cel/validating_set.h"

#include "policy/kyverno_cel/authz_policy.h"
#include "policy/kyverno_cel/validating_evaluate.h"
#include "policy/kyverno_cel/webhook_answer.h"

namespace portcullis::policy::kyverno_cel {

void ValidatingSet::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                             Verdict& verdict) const {
  WebhookAnswer answer(verdict);
  for (const std::uint32_t number : candidates) {
    const auto& policy = static_cast<const ValidatingPolicy&>(*policies_[number]);
    if (policy.mode != Mode::kKubernetes) continue;
    Evaluation evaluation = EvaluateValidating(policy, context);
    if (!evaluation.matched) continue;
    answer.Add(policy, evaluation);
    AddRow(policy, policy.info, std::move(evaluation), verdict);
  }
  answer.Finish();
}

void ValidatingSet::ValidateDocument(DocumentForm form, RequestContext& context,
                                     Verdict& verdict) const {
  const Mode wanted = form == DocumentForm::kAny           ? Mode::kJson
                      : form == DocumentForm::kHttpRequest ? Mode::kHttp
                                                           : Mode::kEnvoy;
  for (const auto& item : policies_) {
    if (item->mode != wanted) continue;
    const auto& policy = static_cast<const ValidatingPolicy&>(*item);
    AddRow(policy, policy.info,
           wanted == Mode::kJson ? EvaluateValidating(policy, context)
                                 : EvaluateAuthz(policy, context),
           verdict);
  }
}

}  // namespace portcullis::policy::kyverno_cel
