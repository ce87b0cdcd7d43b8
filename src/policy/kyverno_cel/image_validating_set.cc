#include "policy/kyverno_cel/image_validating_set.h"

#include <string>
#include <vector>

#include "policy/kyverno_cel/image_validating_evaluate.h"

namespace portcullis::policy::kyverno_cel {

// `answer` may be null: rows only.
void ImageValidatingSet::Evaluate(const Chosen& policies, RequestContext& context, Verdict& verdict,
                                  WebhookAnswer* answer) {
  VerificationRecord record;
  std::vector<ImageEvaluation> evaluations;
  evaluations.reserve(policies.size());
  for (const ImageValidatingPolicy* policy : policies) {
    evaluations.push_back(EvaluateImages(*policy, context, record));
  }
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    Evaluation& evaluation = evaluations[i].evaluation;
    if (!evaluation.matched) continue;
    const ImageValidatingPolicy& policy = *policies[i];
    // A signature that any policy verified counts, so this waits for all of them.
    for (const std::string_view image : evaluations[i].images) {
      std::string problem = record.Problem(image);
      if (problem.empty()) continue;
      evaluation.Set(Outcome::kFail, policy.info.name, std::move(problem));
      break;
    }
    if (answer != nullptr) answer->Add(policy, evaluation);
    AddRow(policy, policy.info, std::move(evaluation), verdict);
  }
}

void ImageValidatingSet::Validate(std::span<const std::uint32_t> candidates,
                                  RequestContext& context, Verdict& verdict) const {
  Chosen chosen;
  for (const std::uint32_t number : candidates) {
    const auto& policy = static_cast<const ImageValidatingPolicy&>(*policies_[number]);
    if (policy.mode == Mode::kKubernetes) chosen.push_back(&policy);
  }
  WebhookAnswer answer(verdict);
  Evaluate(chosen, context, verdict, &answer);
  answer.Finish();
}

void ImageValidatingSet::ValidateDocument(DocumentForm form, RequestContext& context,
                                          Verdict& verdict) const {
  if (form != DocumentForm::kAny) return;
  Chosen chosen;
  for (const auto& policy : policies_) {
    if (policy->mode != Mode::kJson) continue;
    chosen.push_back(static_cast<const ImageValidatingPolicy*>(policy.get()));
  }
  if (!chosen.empty()) Evaluate(chosen, context, verdict, nullptr);
}

}  // namespace portcullis::policy::kyverno_cel
