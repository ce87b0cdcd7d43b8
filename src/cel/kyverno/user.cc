// parseServiceAccount (spec/kyverno-cel-policies.md 10.6).

#include "cel/kyverno/libraries.h"
#include "cel/kyverno/native_struct.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// system:serviceaccount:NAMESPACE:NAME; anything else names no service account.
Value ParseServiceAccount(CallContext& context, Args args) noexcept {
  constexpr std::string_view kPrefix = "system:serviceaccount:";
  std::string_view text = args[0].as_string();
  if (!text.starts_with(kPrefix)) return MakeServiceAccount(context.arena, {}, {});
  text.remove_prefix(kPrefix.size());
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return MakeServiceAccount(context.arena, {}, {});
  return MakeServiceAccount(context.arena, text.substr(colon + 1), text.substr(0, colon));
}

constexpr std::string_view kSignature = "(string) -> struct:user.ServiceAccount";

constexpr Overload kOverloads[] = {
    {"parse_service_account_string_non_prefixed", "parseServiceAccount", kSignature,
     ParseServiceAccount},
    {"parse_service_account_string_prefixed", "user.parseServiceAccount", kSignature,
     ParseServiceAccount},
};

constexpr Library kLibrary{"kyverno.user", kOverloads};

}  // namespace

const Library& KyvernoUserLibrary() { return kLibrary; }

}  // namespace portcullis::cel
