// The functions of evaluation mode HTTP: http.Allowed, http.Denied, and reading the headers and
// query of the request (spec/kyverno-cel-policies.md 13).

#include <string>

#include "cel/kyverno/authz_values.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

Value Allowed(CallContext& context, Args) noexcept {
  return authz::Make(context.arena, authz::kHttpOk, Value::EmptyMap());
}
Value Denied(CallContext& context, Args args) noexcept {
  return authz::Make(context.arena, authz::kHttpDenied,
                     authz::With(context.arena, Value::EmptyMap(), "reason", args[0]));
}

Value OkResponse(CallContext& context, Args args) noexcept {
  return authz::Make(
      context.arena, authz::kHttpResponse,
      authz::With(context.arena, Value::EmptyMap(), "ok", authz::ContentOf(args[0])));
}
Value DeniedResponse(CallContext& context, Args args) noexcept {
  return authz::Make(
      context.arena, authz::kHttpResponse,
      authz::With(context.arena, Value::EmptyMap(), "denied", authz::ContentOf(args[0])));
}

// `content-type` -> `Content-Type`, as Go's net/http keeps headers.
std::string CanonicalHeader(std::string_view name) {
  std::string out(name);
  bool first = true;
  for (char& c : out) {
    if (first && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!first && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    first = c == '-';
  }
  return out;
}

Value ListAt(const Value& attributes, std::string_view member, std::string_view name) {
  const Value* all = attributes.is_map() ? attributes.Find(member) : nullptr;
  const Value* found = all != nullptr && all->is_map() ? all->Find(name) : nullptr;
  return found != nullptr && found->is_list() ? *found : Value::List({});
}

Value Header(CallContext&, Args args) noexcept {
  return ListAt(args[0], "header", CanonicalHeader(args[1].as_string()));
}
Value QueryParam(CallContext&, Args args) noexcept {
  return ListAt(args[0], "query", args[1].as_string());
}

constexpr Overload kOverloads[] = {
    {"http_allowed", "http.Allowed", "() -> http.CheckResponseOk", Allowed},
    {"http_denied_string", "http.Denied", "(string) -> http.CheckResponseDenied", Denied},
    {"http_get_header_string", "Header", "(map(string, dyn), string) -> list(string)", Header,
     kMember},
    {"http_get_queryparam_string", "QueryParam", "(map(string, dyn), string) -> list(string)",
     QueryParam, kMember},
    {"http_response_ok", "Response", "(http.CheckResponseOk) -> http.CheckResponse", OkResponse,
     kMember},
    {"http_response_denied", "Response", "(http.CheckResponseDenied) -> http.CheckResponse",
     DeniedResponse, kMember},
};

constexpr Library kLibrary{"kyverno.authz.http", kOverloads};

}  // namespace

const Library& HttpAuthzLibrary() { return kLibrary; }

}  // namespace portcullis::cel
