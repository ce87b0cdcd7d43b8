#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_EVALUATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_EVALUATE_H_

// One validating policy on one request: exceptions, match conditions, validations, annotations
// (spec/kyverno-cel-policies.md 2.5 to 2.9, 3.2, 14). Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policy/context.h"
#include "policy/kyverno_cel/policy.h"
#include "policy/verdict.h"

namespace portcullis::policy::kyverno_cel {

struct Evaluation {
  bool matched = false;  // false: the policy says nothing about the request
  Outcome outcome = Outcome::kPass;
  std::string rule;  // as Kyverno names it: "", "match", "evaluation", "exception"
  std::string message;
  std::optional<std::size_t> validation;                        // that decided
  std::vector<std::pair<std::string, std::string>> properties;  // of audit annotations
};

Evaluation Evaluate(const Policy& policy, RequestContext& context);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_EVALUATE_H_
