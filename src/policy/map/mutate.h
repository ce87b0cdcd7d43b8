#ifndef PORTCULLIS_POLICY_MAP_MUTATE_H_
#define PORTCULLIS_POLICY_MAP_MUTATE_H_

// One mutation on one object: evaluate the expression, apply the patch, decode the result as the
// API server would, add its defaults (spec/kubernetes-admission.md 3.2, 3.4, 3.5).
// Pure but for the request's arena and providers.

#include <optional>
#include <string>

#include "doc/value.h"
#include "policy/admission/invocation.h"
#include "policy/context.h"
#include "policy/map/mutating_policy.h"
#include "policy/verdict.h"

namespace portcullis::policy {

struct MutationResult {
  doc::Value object;            // the new object, when there is neither error nor fatal
  std::string error;            // failurePolicy decides what it means
  std::optional<Status> fatal;  // ends the request
};

// `view` has the current object, in the kind that the policy matched.
MutationResult RunMutation(const MutatingPolicy& policy, const Mutation& mutation,
                           const Invocation& invocation, const MatchedView& view,
                           RequestContext& context);

// What is left to refuse when the phase ends: the object must still be of the request's kind. The
// text of the internal error, or empty.
std::string ChangedKindError(const doc::Value& object, const match::GroupVersionKind& kind,
                             const schema::TypeTable* types);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_MAP_MUTATE_H_
