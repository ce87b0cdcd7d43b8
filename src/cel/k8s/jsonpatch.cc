// jsonpatch.escapeKey (spec/cel.md 16.8): a key as one segment of a JSON pointer.

#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"
#include "doc/path.h"

namespace portcullis::cel {
namespace {

using doc::Value;

Value EscapeKey(CallContext& context, Args args) noexcept {
  const std::string_view key = args[0].as_string();
  if (key.find_first_of("~/") == std::string_view::npos) return args[0];
  return context.String(doc::EscapePointerToken(key));
}

constexpr Overload kOverloads[] = {
    {"string_jsonpatch_escapeKey_string", "jsonpatch.escapeKey", "(string) -> string", EscapeKey},
};

constexpr FunctionCost kCosts[] = {{"jsonpatch.escapeKey", k8s::TenthOfFirst}};

constexpr Library kLibrary{"kubernetes.jsonpatch", kOverloads, kCosts};

}  // namespace

const Library& KubernetesJsonPatchLibrary() { return kLibrary; }

}  // namespace portcullis::cel
