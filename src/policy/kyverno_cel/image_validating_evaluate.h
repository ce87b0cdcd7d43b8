#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_EVALUATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_EVALUATE_H_

// One image-validating policy on one request (spec/kyverno-cel-policies.md 7.3). Pure.

#include <string_view>
#include <vector>

#include "policy/kyverno_cel/evaluate.h"
#include "policy/kyverno_cel/image_validating_policy.h"
#include "policy/kyverno_cel/image_verification.h"

namespace portcullis::policy::kyverno_cel {

struct ImageEvaluation {
  Evaluation evaluation;
  std::vector<std::string_view> images;  // that `required` asks about; empty unless it passed
};

ImageEvaluation EvaluateImages(const ImageValidatingPolicy& policy, RequestContext& context,
                               VerificationRecord& record);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_EVALUATE_H_
