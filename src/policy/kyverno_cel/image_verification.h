#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VERIFICATION_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VERIFICATION_H_

// The verifications that the policies of one request make, and what they leave for the check
// `required` (spec/kyverno-cel-policies.md 7.3 step 9, 7.5). One per request, used by one thread.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/kyverno/image_session.h"
#include "policy/context.h"
#include "policy/kyverno_cel/image_validating_policy.h"

namespace portcullis::policy::kyverno_cel {

// By image: whether some policy tried, and whether one succeeded.
class VerificationRecord {
 public:
  void Note(std::string_view image, bool verified) {
    bool& known = results_[std::string(image)];
    known = known || verified;
  }
  // Why an image does not count as verified; empty if it does.
  std::string Problem(std::string_view image) const;

 private:
  std::map<std::string, bool, std::less<>> results_;
};

class ImageVerification final : public cel::ImageSession {
 public:
  // Everything is borrowed.
  ImageVerification(const ImageValidatingPolicy& policy, RequestContext& context,
                    VerificationRecord& record)
      : policy_(policy), context_(context), record_(record) {}

  doc::Value VerifySignatures(std::string_view image, std::span<const doc::Value> attestors,
                              base::Arena& arena) override;
  doc::Value VerifyAttestations(std::string_view image, std::string_view attestation,
                                std::span<const doc::Value> attestors, base::Arena& arena) override;
  doc::Value Payload(std::string_view image, std::string_view attestation,
                     base::Arena& arena) override;

 private:
  const Attestation* Find(std::string_view name) const;
  template <typename Check>
  doc::Value Count(std::string_view image, std::span<const doc::Value> attestors,
                   base::Arena& arena, Check&& check);

  const ImageValidatingPolicy& policy_;
  RequestContext& context_;
  VerificationRecord& record_;
  std::vector<std::pair<std::string, std::string>> attested_;  // image, attestation
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VERIFICATION_H_
