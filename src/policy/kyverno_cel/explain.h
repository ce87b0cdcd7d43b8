#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_EXPLAIN_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_EXPLAIN_H_

// Shows the expressions of a policy that matched to the observer of the request (observer.h), each
// with an activation of its own: nothing that is shown changes a verdict. For `explain` only.

#include <string>
#include <string_view>

#include "exceptions/grant.h"
#include "policy/context.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

class ExpressionDisplay {
 public:
  // `rule` is the policy or the variant that applies. Everything is borrowed.
  ExpressionDisplay(const PolicyCommon& rule, const exceptions::Grants& grants,
                    RequestContext& context)
      : rule_(rule), grants_(grants), context_(context) {}

  // Match conditions (where the kind has them), variables, audit annotations.
  void ShowCommon(std::string_view conditions = "spec.matchConditions");
  // Nothing is shown of an expression that is not there.
  void Show(std::string path, const Expression& expression, std::string_view name = {});

 private:
  const PolicyCommon& rule_;
  const exceptions::Grants& grants_;
  RequestContext& context_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_EXPLAIN_H_
