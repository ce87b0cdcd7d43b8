#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_EVALUATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_EVALUATE_H_

// Would one deleting policy remove the object of a request, were its schedule due
// (spec/kyverno-cel-policies.md 6, 8.6)? Pure.

#include "policy/context.h"
#include "policy/kyverno_cel/deleting_policy.h"
#include "policy/kyverno_cel/evaluate.h"

namespace portcullis::policy::kyverno_cel {

// Outcome kPass: the object goes.
Evaluation EvaluateDeleting(const DeletingPolicy& policy, RequestContext& context);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_EVALUATE_H_
