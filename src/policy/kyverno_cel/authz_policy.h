#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_AUTHZ_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_AUTHZ_POLICY_H_

// ValidatingPolicy in the evaluation modes HTTP and Envoy (spec/kyverno-cel-policies.md 13): each
// expression yields an answer to a proxy or null, and the first answer is the policy's. Pure.

#include "doc/value.h"
#include "policy/admission/field_error.h"
#include "policy/context.h"
#include "policy/kyverno_cel/evaluate.h"
#include "policy/kyverno_cel/validating_policy.h"

namespace portcullis::policy::kyverno_cel {

// Requires one of these modes. Stops at the first section with an error.
void CompileAuthz(const doc::Value& spec, ValidatingPolicy& policy, FieldErrors& errors);

// The payload is the object of the request.
Evaluation EvaluateAuthz(const ValidatingPolicy& policy, RequestContext& context);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_AUTHZ_POLICY_H_
