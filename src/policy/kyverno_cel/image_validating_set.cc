#include "policy/kyverno_cel/image_validating_set.h"

#include <string>
#include <vector>

#include "policy/kyverno_cel/image_validating_evaluate.h"
#include "policy/kyverno_cel/webhook_answer.h"

namespace portcullis::policy::kyverno_cel {

IndexEntry ImageValidatingSet::index_entry(std::size_t policy) const {
  return IndexEntryOf(*policies_[policy]);
}

void ImageValidatingSet::Validate(std::span<const std::uint32_t> candidates,
                                  RequestContext& context, Verdict& verdict) const {
  VerificationRecord record;
  std::vector<ImageEvaluation> evaluations;
  evaluations.reserve(candidates.size());
  for (const std::uint32_t number : candidates) {
    evaluations.push_back(EvaluateImages(
        static_cast<const ImageValidatingPolicy&>(*policies_[number]), context, record));
  }
  WebhookAnswer answer(verdict);
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    Evaluation& evaluation = evaluations[i].evaluation;
    if (!evaluation.matched) continue;
    const PolicyCommon& policy = *policies_[candidates[i]];
    // A signature that any policy verified counts, so this waits for all of them.
    for (const std::string_view image : evaluations[i].images) {
      std::string problem = record.Problem(image);
      if (problem.empty()) continue;
      evaluation.Set(Outcome::kFail, policy.info.name, std::move(problem));
      break;
    }
    answer.Add(policy, evaluation);
    AddRow(policy, policy.info, std::move(evaluation), verdict);
  }
  answer.Finish();
}

}  // namespace portcullis::policy::kyverno_cel
