#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_SET_H_

// The compiled image-validating policies and what they answer together
// (spec/kyverno-cel-policies.md 2.10, 7.3). Immutable, thread-safe.

#include <span>
#include <vector>

#include "policy/kyverno_cel/image_validating_policy.h"
#include "policy/kyverno_cel/kind_set.h"
#include "policy/kyverno_cel/webhook_answer.h"

namespace portcullis::policy::kyverno_cel {

class ImageValidatingSet final : public KindSet {
 public:
  // Takes ImageValidatingPolicy objects in evaluation order, with their exceptions.
  using KindSet::KindSet;

  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;
  void ValidateDocument(DocumentForm form, RequestContext& context,
                        Verdict& verdict) const override;

 private:
  using Chosen = std::vector<const ImageValidatingPolicy*>;
  static void Evaluate(const Chosen& policies, RequestContext& context, Verdict& verdict,
                       WebhookAnswer* answer);
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_SET_H_
