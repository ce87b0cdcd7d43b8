#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_SET_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_SET_H_

// The compiled image-validating policies, what they answer together and the digests that they pin
// (spec/kyverno-cel-policies.md 2.10, 7.3, 7.4). Immutable, thread-safe.

#include <span>
#include <utility>

#include "policy/family.h"
#include "policy/kyverno_cel/image_validating_policy.h"
#include "policy/kyverno_cel/policy.h"
#include "policy/kyverno_cel/webhook_answer.h"

namespace portcullis::policy::kyverno_cel {

class ImageValidatingSet final : public FamilySet {
 public:
  // Takes ImageValidatingPolicy objects in evaluation order, with their exceptions.
  explicit ImageValidatingSet(PolicyList policies) : policies_(std::move(policies)) {}

  std::size_t size() const override { return policies_.size(); }
  const PolicyInfo& info(std::size_t policy) const override { return policies_[policy]->info; }
  IndexEntry index_entry(std::size_t policy) const override;
  bool validates() const override { return !policies_.empty(); }
  void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                Verdict& verdict) const override;
  void ValidateDocument(DocumentForm form, RequestContext& context,
                        Verdict& verdict) const override;

 private:
  using Chosen = std::vector<const ImageValidatingPolicy*>;
  static void Evaluate(const Chosen& policies, RequestContext& context, Verdict& verdict,
                       WebhookAnswer* answer);

  PolicyList policies_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_SET_H_
