#include "policy/kyverno_cel/image_verification.h"

#include <algorithm>

#include "policy/kyverno_cel/image_extract.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using provider::ImageCheck;

doc::Value Failure(base::Arena& arena, std::string_view text) {
  return doc::Value::Error(arena.New<doc::ErrorRep>(arena.CopyString(text)));
}

std::string Offline(std::string_view image) {
  return "failed to get imagedata: " + std::string(image) +
         ": no registry access in offline mode; signatures need a registry";
}

}  // namespace

std::string VerificationRecord::Problem(std::string_view image) const {
  const auto at = results_.find(image);
  if (at == results_.end()) {
    return "image " + std::string(image) +
           " is not verified: no policy performed a signature or attestation check on it";
  }
  if (at->second) return {};
  return "image " + std::string(image) + " failed signature or attestation verification";
}

const Attestation* ImageVerification::Find(std::string_view name) const {
  const auto at = std::ranges::find(policy_.attestations, name, &Attestation::name);
  return at == policy_.attestations.end() ? nullptr : &*at;
}

template <typename Check>
doc::Value ImageVerification::Count(std::string_view image, std::span<const doc::Value> attestors,
                                    base::Arena& arena, Check&& check) {
  std::string error;
  if (!IsAbout(policy_, image, arena, error)) {
    return error.empty() ? doc::Value::Int(0) : Failure(arena, error);
  }
  if (context_.providers.images == nullptr) return Failure(arena, Offline(image));
  std::int64_t count = 0;
  for (const doc::Value& attestor : attestors) {
    const ImageCheck result = check(*context_.providers.images, attestor);
    if (result.state == ImageCheck::State::kError) {
      return Failure(arena, "failed to get imagedata: " + result.text);
    }
    if (result.state == ImageCheck::State::kVerified) ++count;
  }
  record_.Note(image, count != 0);
  return doc::Value::Int(count);
}

doc::Value ImageVerification::VerifySignatures(std::string_view image,
                                               std::span<const doc::Value> attestors,
                                               base::Arena& arena) {
  return Count(image, attestors, arena,
               [&](const provider::ImageVerifier& verifier, const doc::Value& attestor) {
                 return verifier.VerifySignature(image, attestor, policy_.credentials);
               });
}

doc::Value ImageVerification::VerifyAttestations(std::string_view image,
                                                 std::string_view attestation,
                                                 std::span<const doc::Value> attestors,
                                                 base::Arena& arena) {
  const Attestation* known = Find(attestation);
  if (known == nullptr) {
    return Failure(arena, "attestation not found in policy: " + std::string(attestation));
  }
  const doc::Value count = Count(
      image, attestors, arena,
      [&](const provider::ImageVerifier& verifier, const doc::Value& attestor) {
        if (attestor.is_map() && attestor.Find("notary") != nullptr &&
            known->document.Find("referrer") == nullptr) {
          return ImageCheck{ImageCheck::State::kError,
                            "notary verifier only supports oci 1.1 referrers as attestations"};
        }
        return verifier.VerifyAttestation(image, known->document, attestor, policy_.credentials);
      });
  if (count.is_int() && count.as_int() > 0) {
    attested_.emplace_back(std::string(image), std::string(attestation));
  }
  return count;
}

doc::Value ImageVerification::Payload(std::string_view image, std::string_view attestation,
                                      base::Arena& arena) {
  constexpr std::string_view kFailed = "failed to get payload: ";
  const Attestation* known = Find(attestation);
  if (known == nullptr) {
    return Failure(arena, "attestation not found in policy: " + std::string(attestation));
  }
  if (context_.providers.images == nullptr) {
    return Failure(
        arena, std::string(kFailed) + std::string(image) + ": no registry access in offline mode");
  }
  const std::pair<std::string, std::string> wanted(image, attestation);
  if (std::ranges::find(attested_, wanted) == attested_.end()) {
    return Failure(arena, std::string(kFailed) + "the attestation " + std::string(attestation) +
                              " of " + std::string(image) + " was not verified");
  }
  const provider::Lookup found = context_.providers.images->Payload(image, known->document, arena);
  if (found.found()) return found.object;
  return Failure(arena, std::string(kFailed) + (found.error.empty() ? "not found" : found.error));
}

}  // namespace portcullis::policy::kyverno_cel
