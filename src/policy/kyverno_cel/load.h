#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_LOAD_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_LOAD_H_

// Reading, checking and compiling a validating policy whose fields were checked, with Kyverno's
// texts (spec/kyverno-cel-policies.md 2.4, 2.6, 2.13). Pure.

#include "doc/value.h"
#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

// Adds to `errors` why Kyverno would refuse the policy: the problems of the first section that has
// any, as Kyverno does.
void LoadValidatingPolicy(const doc::Value& object, Policy& policy, FieldErrors& errors);

// What Kyverno's admission webhook answers to a policy with these errors. Requires some.
Status RefusalOf(const FieldErrors& errors);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_LOAD_H_
