#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_CONSTRAINTS_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_CONSTRAINTS_H_

// matchConstraints as Kyverno evaluates them, which is not quite as the API server does
// (spec/kyverno-cel-policies.md 2.2). Pure.

#include <string>

#include "match/match_resources.h"
#include "policy/context.h"

namespace portcullis::policy::kyverno_cel {

struct ConstraintsResult {
  bool matched = false;
  std::string error;  // not empty: matching failed, `matched` is meaningless
};

ConstraintsResult MatchConstraints(const match::MatchResources& constraints,
                                   RequestContext& context);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_CONSTRAINTS_H_
