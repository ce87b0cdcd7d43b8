#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_POD_TEMPLATES_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_POD_TEMPLATES_H_

// Policies for Pods on workloads of any kind: every Pod template that the object holds is a Pod of
// its own (spec/kyverno-cel-policies.md 9.10). Pure.

#include <functional>

#include "policy/context.h"
#include "policy/kyverno_cel/evaluate.h"

namespace portcullis::policy::kyverno_cel {

// Evaluates a policy on the Pod that `context` is a request for.
using PodEvaluation = std::function<Evaluation(RequestContext& context)>;

// The first template that fails decides. Without templates the result is an error.
Evaluation EvaluatePodTemplates(RequestContext& context, const PodEvaluation& evaluate);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_POD_TEMPLATES_H_
