#ifndef PORTCULLIS_POLICY_VAP_LOAD_H_
#define PORTCULLIS_POLICY_VAP_LOAD_H_

// Reading, validating and compiling single objects of the family (spec/kubernetes-admission.md
// 2.1 to 2.3). `object` is decoded (admission/decode.h). Errors in the API server's order.

#include "doc/value.h"
#include "policy/admission/field_error.h"
#include "policy/vap/policy.h"

namespace portcullis::policy::vap {

void LoadPolicy(const doc::Value& object, Policy& policy, FieldErrors& errors);
void LoadBinding(const doc::Value& object, Binding& binding, FieldErrors& errors);

}  // namespace portcullis::policy::vap

#endif  // PORTCULLIS_POLICY_VAP_LOAD_H_
