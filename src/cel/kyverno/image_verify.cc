// verifyImageSignatures, verifyAttestationSignatures, extractPayload and getImageData of
// ImageValidatingPolicy (spec/kyverno-cel-policies.md 7.5).

#include <string>

#include "cel/eval/host.h"
#include "cel/kyverno/context_values.h"
#include "cel/kyverno/image_session.h"
#include "cel/kyverno/libraries.h"

namespace portcullis::cel {
namespace {

using doc::Value;

ImageSession* SessionOf(CallContext& context) {
  return context.host != nullptr ? context.host->images() : nullptr;
}

Value NoSession(CallContext& context) {
  return context.Error("images are verified by ImageValidatingPolicy only");
}

Value VerifySignatures(CallContext& context, Args args) noexcept {
  ImageSession* session = SessionOf(context);
  if (session == nullptr) return NoSession(context);
  return session->VerifySignatures(args[0].as_string(), args[1].as_list(), context.arena);
}

Value VerifyAttestations(CallContext& context, Args args) noexcept {
  ImageSession* session = SessionOf(context);
  if (session == nullptr) return NoSession(context);
  return session->VerifyAttestations(args[0].as_string(), args[1].as_string(), args[2].as_list(),
                                     context.arena);
}

Value Payload(CallContext& context, Args args) noexcept {
  ImageSession* session = SessionOf(context);
  if (session == nullptr) return NoSession(context);
  return session->Payload(args[0].as_string(), args[1].as_string(), context.arena);
}

Value ImageData(CallContext& context, Args args) noexcept {
  constexpr std::string_view kFailed = "failed to get imagedata";
  const std::string_view image = args[0].as_string();
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  const provider::Lookup answer =
      outside != nullptr ? outside->ImageData(image, context.arena) : provider::Lookup::Unknown();
  if (answer.found()) return answer.object;
  if (!answer.error.empty()) return kyverno::Failure(context, kFailed, answer.error);
  return kyverno::Failure(context, kFailed,
                          std::string(image) + ": no registry access in offline mode");
}

constexpr Overload kOverloads[] = {
    {"verify_image_signature_string_stringarray", "verifyImageSignatures",
     "(string, list(dyn)) -> int", VerifySignatures},
    {"verify_image_attestations_string_string_stringarray", "verifyAttestationSignatures",
     "(string, string, list(dyn)) -> int", VerifyAttestations},
    {"payload_string_string", "extractPayload", "(string, string) -> dyn", Payload},
    {"get_image_data_string", "getImageData", "(string) -> dyn", ImageData},
};

constexpr Library kLibrary{"kyverno.imageverify", kOverloads};

}  // namespace

const Library& KyvernoImageVerifyLibrary() { return kLibrary; }

}  // namespace portcullis::cel
