#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_EVALUATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_EVALUATE_H_

// One mutating policy on one request: exceptions, match conditions, mutations, annotations
// (spec/kyverno-cel-policies.md 4.2 to 4.5). Pure but for the request's arena and providers.

#include "doc/value.h"
#include "policy/context.h"
#include "policy/kyverno_cel/evaluate.h"
#include "policy/kyverno_cel/mutating_policy.h"
#include "policy/verdict.h"

namespace portcullis::policy::kyverno_cel {

// Replaces `context.request.object` when the policy changes it. `original`: the object as it came,
// which `request.object` keeps showing.
Evaluation EvaluateMutating(const MutatingPolicy& policy, const doc::Value& original,
                            RequestContext& context);

// A policy with targets, on the request that triggers it: the changed objects are added to
// `produced`.
Evaluation EvaluateTargets(const MutatingPolicy& policy, RequestContext& context,
                           std::vector<ProducedObject>& produced);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_EVALUATE_H_
