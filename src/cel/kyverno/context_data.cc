// globalContext.Get and image.GetMetadata (spec/kyverno-cel-policies.md 10.3, 10.4).

#include <string>

#include "cel/kyverno/context_libraries.h"
#include "cel/kyverno/context_values.h"

namespace portcullis::cel {
namespace {

using doc::Value;
using provider::Lookup;

constexpr std::string_view kReferenceFailed = "failed to get global reference";
constexpr std::string_view kImageFailed = "failed to get image data";

Value GetReference(CallContext& context, Args args) noexcept {
  if (!kyverno::ContextOf(args[0]).policy_namespace.empty()) {
    return kyverno::Failure(context, kReferenceFailed,
                            "globalContext.* is not allowed in namespaced policies");
  }
  const std::string_view name = args[1].as_string();
  const std::string_view projection = args.size() > 2 ? args[2].as_string() : std::string_view();
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  Lookup answer = outside != nullptr ? outside->GlobalReference(name, projection, context.arena)
                                     : Lookup::Unknown();
  switch (answer.state) {
    case Lookup::State::kFound:
      return answer.object;
    case Lookup::State::kNotFound:
      return {};
    case Lookup::State::kUnknown:
      answer.error = std::string("global context entry \"").append(name);
      answer.error.append("\" cannot be read: no context data are given");
      break;
    case Lookup::State::kError:
      break;
  }
  return kyverno::Failure(context, kReferenceFailed, answer.error);
}

Value GetImage(CallContext& context, Args args) noexcept {
  const std::string_view image = args[1].as_string();
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  const Lookup answer =
      outside != nullptr ? outside->ImageData(image, context.arena) : Lookup::Unknown();
  if (answer.found()) return answer.object;
  if (!answer.error.empty()) return kyverno::Failure(context, kImageFailed, answer.error);
  return kyverno::Failure(
      context, kImageFailed,
      std::string("image data for ").append(image).append(" not found in the context"));
}

#define PC_GLOBAL "globalcontext.Context"
#define PC_IMAGE "imagedata.Context"

constexpr Overload kGlobalOverloads[] = {
    {"globalcontext_Get", "Get", "(" PC_GLOBAL ", string) -> dyn", GetReference, kMember},
    {"globalcontext_get", "get", "(" PC_GLOBAL ", string) -> dyn", GetReference, kMember},
    {"globalcontext_Get_projection", "Get", "(" PC_GLOBAL ", string, string) -> dyn", GetReference,
     kMember},
    {"globalcontext_get_projection", "get", "(" PC_GLOBAL ", string, string) -> dyn", GetReference,
     kMember},
};

constexpr Overload kImageOverloads[] = {
    {"imagedata_GetMetadata", "GetMetadata", "(" PC_IMAGE ", string) -> dyn", GetImage, kMember},
    {"imagedata_getMetadata", "getMetadata", "(" PC_IMAGE ", string) -> dyn", GetImage, kMember},
};

#undef PC_IMAGE
#undef PC_GLOBAL

constexpr Library kGlobalLibrary{"kyverno.globalcontext", kGlobalOverloads};
constexpr Library kImageLibrary{"kyverno.imagedata", kImageOverloads};

}  // namespace

const Library& KyvernoGlobalContextLibrary() { return kGlobalLibrary; }
const Library& KyvernoImageDataLibrary() { return kImageLibrary; }

}  // namespace portcullis::cel
