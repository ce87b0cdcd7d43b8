#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_EVALUATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_EVALUATE_H_

// One generating policy on the request that triggers it: exceptions, match conditions, the entries
// of `generate` in order (spec/kyverno-cel-policies.md 5.2 to 5.4). Pure but for the request's
// arena and providers.

#include <vector>

#include "doc/value.h"
#include "policy/context.h"
#include "policy/kyverno_cel/evaluate.h"
#include "policy/kyverno_cel/generating_policy.h"

namespace portcullis::policy::kyverno_cel {

// Appends to `objects` what the policy makes; nothing when it ends in an error.
Evaluation EvaluateGenerating(const GeneratingPolicy& policy, RequestContext& context,
                              std::vector<doc::Value>& objects);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_EVALUATE_H_
