#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_WEBHOOK_ANSWER_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_WEBHOOK_ANSWER_H_

// How the results of validating policies become the answer of Kyverno's webhook
// (spec/kyverno-cel-policies.md 2.10). One per request.

#include <string>

#include "policy/kyverno_cel/evaluate.h"
#include "policy/verdict.h"

namespace portcullis::policy::kyverno_cel {

class WebhookAnswer {
 public:
  explicit WebhookAnswer(Verdict& verdict) : verdict_(verdict) {}

  // A failure or error denies, warns or is only reported, as the policy says.
  void Add(const PolicyCommon& policy, const Evaluation& evaluation);
  // Puts the denial, if there is one, into the verdict.
  void Finish();

 private:
  Verdict& verdict_;
  std::string denied_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_WEBHOOK_ANSWER_H_
