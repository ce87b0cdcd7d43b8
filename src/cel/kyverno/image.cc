// image, parseImageReference, isImage and the parts of a reference
// (spec/kyverno-cel-policies.md 10.5).

#include <algorithm>
#include <string>

#include "cel/eval/host_type.h"
#include "cel/kyverno/image_reference.h"
#include "cel/kyverno/libraries.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

struct ImageRep : doc::HostRep {
  ImageReference parts;
};

const ImageReference& PartsOf(const Value& value) {
  return static_cast<const ImageRep*>(value.host())->parts;
}

// The spelling counts, not what it stands for.
Value SameSpelling(CallContext& context, const Value& a, const Value& b) {
  if (b.tag() != doc::Tag::kHost || b.host()->type != a.host()->type) {
    return context.NoSuchOverload();
  }
  return Value::Bool(PartsOf(a).original == PartsOf(b).original);
}

std::string Spelling(const Value& value) { return std::string(PartsOf(value).original); }

std::string_view Joined(base::Arena& arena, std::string_view front, std::string_view back) {
  char* text = arena.AllocateArray<char>(front.size() + back.size());
  std::copy(front.begin(), front.end(), text);
  std::copy(back.begin(), back.end(), text + front.size());
  return {text, front.size() + back.size()};
}

constexpr Type kImageType{TypeKind::kOpaque, "kyverno.image", {}};

constexpr CelHostType kImageHost = [] {
  CelHostType host;
  host.name = kImageType.name;
  host.equal = SameSpelling;
  host.text = Spelling;
  host.type_value = &kImageType;
  host.has_no_type_value = true;
  return host;
}();

Value ToImage(CallContext& context, Args args) noexcept {
  ImageReference parts;
  const std::string_view text = args[0].as_string();
  if (!ParseImageReference(text, parts)) {
    return context.Error("could not parse reference: " + std::string(text));
  }
  return Value::Host(context.arena.New<ImageRep>(doc::HostRep{&kImageHost}, parts));
}

Value IsImage(CallContext&, Args args) noexcept {
  ImageReference parts;
  return Value::Bool(ParseImageReference(args[0].as_string(), parts));
}

Value ContainsDigest(CallContext&, Args args) noexcept {
  return Value::Bool(!PartsOf(args[0]).digest.empty());
}
Value Registry(CallContext&, Args args) noexcept {
  return Value::String(PartsOf(args[0]).registry);
}
Value Repository(CallContext& context, Args args) noexcept {
  const ImageReference& parts = PartsOf(args[0]);
  if (!parts.implied_namespace) return Value::String(parts.repository);
  return Value::String(Joined(context.arena, "library/", parts.repository));
}
Value Identifier(CallContext&, Args args) noexcept {
  const ImageReference& parts = PartsOf(args[0]);
  if (!parts.tag_and_digest.empty()) return Value::String(parts.tag_and_digest);
  return Value::String(parts.digest.empty() ? parts.tag : parts.digest);
}
Value IdentifierWithSeparator(CallContext& context, Args args) noexcept {
  const ImageReference& parts = PartsOf(args[0]);
  if (!parts.digest.empty()) return Value::String(Joined(context.arena, "@", parts.digest));
  return Value::String(Joined(context.arena, ":", parts.tag));
}
Value Tag(CallContext&, Args args) noexcept { return Value::String(PartsOf(args[0]).tag); }
Value Digest(CallContext&, Args args) noexcept { return Value::String(PartsOf(args[0]).digest); }

constexpr std::string_view kToImage = "(string) -> kyverno.image";
constexpr std::string_view kToBool = "(kyverno.image) -> bool";
constexpr std::string_view kToString = "(kyverno.image) -> string";

constexpr Overload kOverloads[] = {
    {"string_to_image_deprecated", "image", kToImage, ToImage},
    {"string_to_image", "parseImageReference", kToImage, ToImage},
    {"is_image_string", "isImage", "(string) -> bool", IsImage},
    {"image_contains_digest", "containsDigest", kToBool, ContainsDigest, kMember},
    {"image_registry", "registry", kToString, Registry, kMember},
    {"image_repository", "repository", kToString, Repository, kMember},
    {"image_identifier", "identifier", kToString, Identifier, kMember},
    {"image_identifier_with_separator", "identifierWithSeparator", kToString,
     IdentifierWithSeparator, kMember},
    {"image_tag", "tag", kToString, Tag, kMember},
    {"image_digest", "digest", kToString, Digest, kMember},
};

constexpr Library kLibrary{"kyverno.image", kOverloads};

}  // namespace

const Library& KyvernoImageLibrary() { return kLibrary; }

}  // namespace portcullis::cel
