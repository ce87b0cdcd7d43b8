#ifndef PORTCULLIS_POLICY_VAP_EVALUATE_H_
#define PORTCULLIS_POLICY_VAP_EVALUATE_H_

// One evaluation: a policy for a binding and a parameter object on a request
// (spec/kubernetes-admission.md 2.4). Pure.

#include <string>
#include <vector>

#include "policy/admission/evaluator.h"
#include "policy/admission/invocation.h"
#include "policy/context.h"
#include "policy/vap/policy.h"

namespace portcullis::policy::vap {

struct Decision {
  bool deny = false;
  bool error = false;  // the expression failed; `deny` then follows the failure policy
  std::string message;
  std::string reason;  // empty: Invalid
  // Of failures, when the context asks for it: the member of the resource that decided.
  std::string path = {};
  std::string value = {};
};

struct AnnotationResult {
  enum class Kind { kPublish, kOmit, kError };
  Kind kind = Kind::kOmit;
  const AuditAnnotation* annotation = nullptr;
  std::string text;  // the value, or the error
};

struct Evaluation {
  bool skipped = false;             // a matchCondition is false
  std::vector<Decision> decisions;  // one per validation, or one error for all
  bool whole = false;               // decisions[0] stands for the whole evaluation
  std::vector<AnnotationResult> annotations;
};

Evaluation Evaluate(const Policy& policy, const Invocation& invocation, const MatchedView& view,
                    RequestContext& context);

}  // namespace portcullis::policy::vap

#endif  // PORTCULLIS_POLICY_VAP_EVALUATE_H_
