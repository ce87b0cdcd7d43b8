#ifndef PORTCULLIS_PROVIDER_IMAGE_VERIFIER_H_
#define PORTCULLIS_PROVIDER_IMAGE_VERIFIER_H_

// Signatures and attestations of container images (spec/kyverno-cel-policies.md 7.5). Verification
// needs a registry: without a verifier every question is an error, never a pass. Implementations
// are thread-safe for const calls.

#include <string>
#include <string_view>

#include "base/arena.h"
#include "doc/value.h"
#include "provider/lookup.h"

namespace portcullis::provider {

struct ImageCheck {
  enum class State { kVerified, kRefused, kError };
  State state = State::kError;
  std::string text;  // why refused, or the error
};

class ImageVerifier {
 public:
  virtual ~ImageVerifier() = default;
  // Whether `attestor` signed the image: {name, cosign | notary} of the policy, its expressions
  // replaced by their values. `credentials` as in the policy.
  virtual ImageCheck VerifySignature(std::string_view image, const doc::Value& attestor,
                                     const doc::Value& credentials) const = 0;
  // Whether `attestor` signed the attestation {name, intoto | referrer} of the image.
  virtual ImageCheck VerifyAttestation(std::string_view image, const doc::Value& attestation,
                                       const doc::Value& attestor,
                                       const doc::Value& credentials) const = 0;
  // The payload of an attestation that was verified before.
  virtual Lookup Payload(std::string_view image, const doc::Value& attestation,
                         base::Arena& arena) const = 0;
  // The digest that a tag stands for now: a string.
  virtual Lookup Digest(std::string_view image, const doc::Value& credentials,
                        base::Arena& arena) const = 0;
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_IMAGE_VERIFIER_H_
