#include "policy/kyverno_cel/validating_set.h"

#include <string>

#include "policy/kyverno_cel/validating_evaluate.h"

namespace portcullis::policy::kyverno_cel {

IndexEntry ValidatingSet::index_entry(std::size_t policy) const {
  return IndexEntryOf(*policies_[policy]);
}

void ValidatingSet::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                             Verdict& verdict) const {
  std::string denied;
  for (const std::uint32_t number : candidates) {
    const auto& policy = static_cast<const ValidatingPolicy&>(*policies_[number]);
    Evaluation evaluation = EvaluateValidating(policy, context);
    if (!evaluation.matched) continue;
    const bool failed = evaluation.outcome == Outcome::kFail;
    if (failed || evaluation.outcome == Outcome::kError) {
      std::string text = "Policy " + policy.info.name + (failed ? " failed: " : " error: ");
      text += evaluation.message;
      if (policy.warn) verdict.warnings.push_back(text);
      if (policy.deny) {
        if (!denied.empty()) denied += "; ";
        denied += text;
      }
    }
    AddRow(policy, policy.info, std::move(evaluation), verdict);
  }
  if (denied.empty()) return;
  // The answer of a webhook has neither reason nor details; the API server makes it a 400.
  Status status;
  status.code = 400;
  status.has_details = false;
  status.message = std::move(denied);
  verdict.denials.push_back(std::move(status));
}

}  // namespace portcullis::policy::kyverno_cel
