#include "policy/kyverno_cel/generating_set.h"

#include <vector>

#include "policy/kyverno_cel/background.h"
#include "policy/kyverno_cel/generating_evaluate.h"

namespace portcullis::policy::kyverno_cel {

void GeneratingSet::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                             Verdict& verdict) const {
  // A dry run makes nothing.
  if (!verdict.want_rows || context.request.dry_run) return;
  for (const std::uint32_t number : candidates) {
    const auto& policy = static_cast<const GeneratingPolicy&>(*policies_[number]);
    if (policy.skip_background_requests && ByBackgroundController(context.request)) continue;
    std::vector<doc::Value> objects;
    Evaluation evaluation = EvaluateGenerating(policy, context, objects);
    if (!evaluation.matched) continue;
    for (const doc::Value& object : objects) {
      verdict.produced.push_back(
          {ProducedObject::Kind::kGenerated, &policy.info, policy.info.name, object});
    }
    AddRow(policy, policy.info, std::move(evaluation), verdict);
  }
}

}  // namespace portcullis::policy::kyverno_cel
