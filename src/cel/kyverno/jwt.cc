// jwt.Decode: tokens signed with a shared secret (HS256, HS384, HS512). Key sets must be fetched,
// which evaluation never does (spec/kyverno-cel-policies.md 13).

#include <optional>
#include <string>

#include "base/base64.h"
#include "base/crypto.h"
#include "cel/kyverno/authz_values.h"
#include "cel/kyverno/now.h"
#include "cel/lib/call_support.h"
#include "doc/edit.h"
#include "json/reader.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// The parts of `header.payload.signature`.
struct Token {
  std::string_view signed_text;
  Value header, claims;
  std::string signature;
};

std::optional<Value> DecodeJson(std::string_view part, base::Arena& arena) {
  const auto bytes = base::Base64Decode(part, base::Base64::kRawUrl);
  if (!bytes.ok()) return std::nullopt;
  auto parsed = json::Parse(arena.CopyString(bytes.value()), arena);
  if (!parsed.ok() || !parsed.value().is_map()) return std::nullopt;
  return parsed.value();
}

std::optional<Token> Split(std::string_view text, base::Arena& arena) {
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos || text.find('.', second + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  const auto header = DecodeJson(text.substr(0, first), arena);
  const auto claims = DecodeJson(text.substr(first + 1, second - first - 1), arena);
  auto signature = base::Base64Decode(text.substr(second + 1), base::Base64::kRawUrl);
  if (!header || !claims || !signature.ok()) return std::nullopt;
  return Token{text.substr(0, second), *header, *claims, signature.value()};
}

bool IsSigned(const Token& token, std::string_view key) {
  const std::string_view algorithm = token.header.StringAt("alg");
  std::string expected;
  if (algorithm == "HS256") {
    expected = base::HmacSha256(key, token.signed_text);
  } else if (algorithm == "HS384") {
    expected = base::HmacSha384(key, token.signed_text);
  } else if (algorithm == "HS512") {
    expected = base::HmacSha512(key, token.signed_text);
  } else {
    return false;
  }
  return base::EqualInConstantTime(expected, token.signature);
}

std::optional<double> Number(const Value& claims, std::string_view name) {
  const Value* value = claims.Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_int()) return static_cast<double>(value->as_int());
  if (value->tag() == doc::Tag::kDouble) return value->as_double();
  return std::nullopt;
}

// Within its time: before `exp`, not before `nbf` and `iat`.
bool IsCurrent(const Value& claims, std::int64_t now_ns) {
  constexpr double kSecond = 1e9;
  const double now = static_cast<double>(now_ns) / kSecond;
  const auto expires = Number(claims, "exp");
  const auto not_before = Number(claims, "nbf");
  const auto issued = Number(claims, "iat");
  return !(expires && now >= *expires) && !(not_before && now < *not_before) &&
         !(issued && now < *issued);
}

// Numbers of a google.protobuf.Struct are doubles.
Value AsStruct(base::Arena& arena, const Value& value) {
  if (value.is_int()) return Value::Double(static_cast<double>(value.as_int()));
  if (value.is_list()) {
    std::vector<Value> items;
    for (const Value& item : value.as_list()) items.push_back(AsStruct(arena, item));
    return doc::MakeList(arena, items);
  }
  if (value.is_map()) {
    std::vector<doc::MapEntry> entries;
    for (const doc::MapEntry& entry : value.as_map()) {
      entries.push_back({entry.key, AsStruct(arena, entry.value)});
    }
    return doc::MakeMap(arena, entries);
  }
  return value;
}

Value Decode(CallContext& context, Args args) noexcept {
  const std::optional<Token> token = Split(args[0].as_string(), context.arena);
  if (!token) return context.Error("failed to parse token: it is no signed JSON Web Token");
  if (!IsSigned(*token, args[1].as_string())) {
    return context.Error("failed to verify token: the key does not fit its signature");
  }
  Value out = doc::WithEntry(context.arena, Value::EmptyMap(), "Claims",
                             AsStruct(context.arena, token->claims));
  return doc::WithEntry(context.arena, out, "Valid",
                        Value::Bool(IsCurrent(token->claims, NowOf(context.host))));
}

Value Fetch(CallContext& context, Args args) noexcept {
  return context.Error("failed to fetch the key set " + std::string(args[0].as_string()) +
                       ": no network access in offline mode");
}

constexpr Overload kOverloads[] = {
    {"decode_string_string", "jwt.Decode", "(string, string) -> dyn", Decode},
    {"decode_string_set", "jwt.Decode", "(string, jwk.Set) -> dyn", Decode},
    {"fetch_string", "jwks.Fetch", "(string) -> jwk.Set", Fetch},
};

constexpr Library kLibrary{"kyverno.jwt", kOverloads};

}  // namespace

const Library& JwtLibrary() { return kLibrary; }

}  // namespace portcullis::cel
