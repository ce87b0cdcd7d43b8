// sha1, sha256 and md5 of strings (spec/kyverno-cel-policies.md 10.11).

#include "base/crypto.h"
#include "cel/kyverno/libraries.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

template <auto kDigest>
Value Hash(CallContext& context, Args args) noexcept {
  return context.String(kDigest(args[0].as_string()).view()).WithFlags(Value::kAscii);
}

constexpr Overload kOverloads[] = {
    {"sha1_string_non_prefixed", "sha1", "(string) -> string", Hash<base::Sha1>},
    {"sha256_string_non_prefixed", "sha256", "(string) -> string", Hash<base::Sha256>},
    {"md5_string_non_prefixed", "md5", "(string) -> string", Hash<base::Md5>},
    {"sha1_string_prefixed", "hash.sha1", "(string) -> string", Hash<base::Sha1>},
    {"sha256_string_prefixed", "hash.sha256", "(string) -> string", Hash<base::Sha256>},
    {"md5_string_prefixed", "hash.md5", "(string) -> string", Hash<base::Md5>},
};

constexpr Library kLibrary{"kyverno.hash", kOverloads};

}  // namespace

const Library& KyvernoHashLibrary() { return kLibrary; }

}  // namespace portcullis::cel
