#ifndef PORTCULLIS_POLICY_OBSERVER_H_
#define PORTCULLIS_POLICY_OBSERVER_H_

// Someone who wants to see the expressions behind a decision (`explain`). Families show every
// expression of a policy that matched, after its verdict is known, with an activation of its own:
// evaluating it again changes no verdict and no cost. One observer per request and thread.

#include <string>
#include <string_view>

#include "cel/eval/program.h"

namespace portcullis::policy {

struct PolicyInfo;
class RequestContext;

struct ObservedExpression {
  const PolicyInfo* policy = nullptr;
  std::string_view binding;  // empty: unbound
  std::string path;          // in the policy: `spec.validations[0].expression`
  std::string_view name;     // of variables and match conditions
  std::string_view source;
  const cel::Program* program = nullptr;  // null: does not compile
};

class ExpressionObserver {
 public:
  virtual ~ExpressionObserver() = default;
  virtual void Observe(const ObservedExpression& expression, cel::Activation& activation,
                       RequestContext& context) = 0;
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_OBSERVER_H_
