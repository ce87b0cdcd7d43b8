#ifndef PORTCULLIS_POLICY_ADMISSION_AUTHORIZER_VALUE_H_
#define PORTCULLIS_POLICY_ADMISSION_AUTHORIZER_VALUE_H_

// The CEL values of `authorizer` and `authorizer.requestResource`
// (spec/kubernetes-admission.md 5.1): bound to the requesting user and the original request.

#include "doc/value.h"
#include "policy/context.h"

namespace portcullis::policy {

doc::Value AuthorizerValue(RequestContext& context);
doc::Value RequestResourceValue(RequestContext& context);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_AUTHORIZER_VALUE_H_
