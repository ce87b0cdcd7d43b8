#ifndef PORTCULLIS_POLICY_ADMISSION_EXPLAIN_H_
#define PORTCULLIS_POLICY_ADMISSION_EXPLAIN_H_

// Help for people beside a verdict: which member of the resource made an expression fail, and all
// expressions of a policy for an observer. Both evaluate again, on evaluators of their own, and
// change nothing. For failures and for `explain` only.

#include <string>

#include "policy/admission/core.h"
#include "policy/admission/expression.h"
#include "policy/admission/invocation.h"
#include "policy/blame.h"
#include "policy/context.h"

namespace portcullis::policy {

// What in the object (on DELETE the old one) decided that `expression` is false or fails.
BlamedMember FindBlamedMember(const PolicyCore& policy, const Invocation& invocation,
                              const MatchedView& view, RequestContext& context,
                              const Expression& expression);

// Shows one expression to context.observer.
void ShowExpression(const PolicyCore& policy, const Invocation& invocation, const MatchedView& view,
                    RequestContext& context, std::string path, const Expression& expression,
                    std::string_view name = {});
// Shows the match conditions and the variables.
void ShowCommonExpressions(const PolicyCore& policy, const Invocation& invocation,
                           const MatchedView& view, RequestContext& context);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_EXPLAIN_H_
