#ifndef PORTCULLIS_CEL_KYVERNO_IMAGE_SESSION_H_
#define PORTCULLIS_CEL_KYVERNO_IMAGE_SESSION_H_

// What the functions of ImageValidatingPolicy ask of the policy that evaluates them
// (spec/kyverno-cel-policies.md 7.5). One per policy and request, used by one thread.

#include <span>
#include <string_view>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cel {

class ImageSession {
 public:
  virtual ~ImageSession() = default;
  // How many of the attestors verified the image: an int, or an error value.
  virtual doc::Value VerifySignatures(std::string_view image, std::span<const doc::Value> attestors,
                                      base::Arena& arena) = 0;
  virtual doc::Value VerifyAttestations(std::string_view image, std::string_view attestation,
                                        std::span<const doc::Value> attestors,
                                        base::Arena& arena) = 0;
  // The payload of an attestation that was verified in the same policy, or an error value.
  virtual doc::Value Payload(std::string_view image, std::string_view attestation,
                             base::Arena& arena) = 0;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_IMAGE_SESSION_H_
