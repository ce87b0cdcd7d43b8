#include "policy/kyverno_cel/mutating_set.h"

#include <string>

#include "doc/equal.h"
#include "policy/admission/complete.h"
#include "policy/admission/decode.h"
#include "policy/kyverno_cel/background.h"
#include "policy/kyverno_cel/mutating_evaluate.h"

namespace portcullis::policy::kyverno_cel {
namespace {

const MutatingPolicy& PolicyAt(const PolicyList& policies, std::uint32_t number) {
  return static_cast<const MutatingPolicy&>(*policies[number]);
}

// "Resource: default/web, Kind: Pod, Errors: [Policy a: text Policy b: text]".
Status Denial(const doc::Value& object, const std::string& errors) {
  const doc::Value* metadata = Member(object, "metadata");
  const doc::Value names = metadata == nullptr ? doc::Value::EmptyMap() : *metadata;
  Status status;
  status.code = 400;
  status.has_details = false;
  status.message = "Resource: " + std::string(names.StringAt("namespace")) + "/" +
                   std::string(names.StringAt("name")) +
                   ", Kind: " + std::string(object.StringAt("kind")) + ", Errors: [" + errors + "]";
  return status;
}

}  // namespace

MutatingSet::MutatingSet(PolicyList policies) : KindSet(std::move(policies)) {
  for (std::uint32_t i = 0; i < policies_.size(); ++i) {
    has_targets_ = has_targets_ || PolicyAt(policies_, i).targets.present;
  }
}

std::unique_ptr<MutationState> MutatingSet::NewMutationState() const {
  return std::make_unique<MutationState>();
}

bool MutatingSet::Mutate(std::span<const std::uint32_t> candidates, int pass,
                         MutationState* /*state*/, RequestContext& context,
                         Verdict& verdict) const {
  const doc::Value original = context.request.object;
  if (pass > 0 || !original.is_map()) return false;
  std::string errors;
  for (const std::uint32_t number : candidates) {
    const MutatingPolicy& policy = PolicyAt(policies_, number);
    if (policy.targets.present) continue;
    // What is not evaluated at admission is by the scans that reports stand for.
    if (!policy.admission && !verdict.want_rows) continue;
    Evaluation evaluation = EvaluateMutating(policy, original, context);
    if (!evaluation.matched) continue;
    if (evaluation.outcome == Outcome::kError && policy.deny) {
      if (!errors.empty()) errors += ' ';
      errors += "Policy " + policy.info.name + ": " + evaluation.message;
    }
    AddRow(policy, policy.info, std::move(evaluation), verdict);
    if (verdict.want_rows) verdict.rows.back().object = context.request.object;
  }
  if (!errors.empty()) verdict.denials.push_back(Denial(original, errors));
  if (doc::DataEqual(original, context.request.object)) {
    context.request.object = original;
    return false;
  }
  if (context.defaulting) {
    context.request.object =
        CompleteMutated(context.request.object, context.request.kind, context.types, context.arena);
  }
  return true;
}

void MutatingSet::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                           Verdict& verdict) const {
  if (!verdict.want_rows || context.request.dry_run) return;
  const bool by_background = ByBackgroundController(context.request);
  for (const std::uint32_t number : candidates) {
    const MutatingPolicy& policy = PolicyAt(policies_, number);
    if (!policy.targets.present || (by_background && policy.skip_background_requests)) continue;
    Evaluation evaluation = EvaluateTargets(policy, context, verdict.produced);
    if (evaluation.matched) AddRow(policy, policy.info, std::move(evaluation), verdict);
  }
}

}  // namespace portcullis::policy::kyverno_cel
