#ifndef PORTCULLIS_POLICY_MAP_DISPATCH_H_
#define PORTCULLIS_POLICY_MAP_DISPATCH_H_

// One pass of the mutating phase: collect the invocations of all policies, then run them one after
// the other on the object (spec/kubernetes-admission.md 3.2, 3.3, 3.6).

#include <span>

#include "policy/context.h"
#include "policy/map/mutating_policy.h"
#include "policy/map/reinvocation.h"
#include "policy/verdict.h"

namespace portcullis::policy {

// `policies` in evaluation order. Replaces `context.request.object` when it changes. True: the
// mutating phase must be run once more.
bool DispatchMutations(std::span<const MutatingPolicy* const> policies, int pass,
                       ReinvocationState& state, RequestContext& context, Verdict& verdict);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_MAP_DISPATCH_H_
