#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_EVALUATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_EVALUATE_H_

// One validating policy on one request: exceptions, match conditions, validations, annotations
// (spec/kyverno-cel-policies.md 2.5 to 2.9, 3.2, 14). Pure.

#include "policy/context.h"
#include "policy/kyverno_cel/evaluate.h"
#include "policy/kyverno_cel/validating_policy.h"

namespace portcullis::policy::kyverno_cel {

Evaluation EvaluateValidating(const ValidatingPolicy& policy, RequestContext& context);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_EVALUATE_H_
