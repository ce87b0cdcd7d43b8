#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_POLICY_H_

// ValidatingPolicy and NamespacedValidatingPolicy (spec/kyverno-cel-policies.md 3).

#include <memory>
#include <string>
#include <vector>

#include "policy/kyverno_cel/kind.h"
#include "policy/kyverno_cel/policy.h"
#include "policy/kyverno_cel/validations.h"

namespace portcullis::policy::kyverno_cel {

struct ValidatingPolicy final : PolicyCommon {
  std::vector<Validation> validations;
  std::vector<Expression> answers;  // of the modes HTTP and Envoy, instead of validations
};

std::unique_ptr<KindLoader> NewValidatingLoader();

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATING_POLICY_H_
