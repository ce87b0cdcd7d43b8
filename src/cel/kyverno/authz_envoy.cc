// The functions of evaluation mode Envoy: envoy.Allowed, envoy.Denied and what refines their answer
// (spec/kyverno-cel-policies.md 13).

#include "cel/kyverno/authz_values.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

Value Pair(base::Arena& arena, const Value& key, const Value& value) {
  return authz::With(arena, authz::With(arena, Value::EmptyMap(), "key", key), "value", value);
}

Value Allowed(CallContext& context, Args) noexcept {
  return authz::Make(context.arena, authz::kEnvoyOk, Value::EmptyMap());
}

Value Denied(CallContext& context, Args args) noexcept {
  const Value status = authz::With(context.arena, Value::EmptyMap(), "code", args[0]);
  return authz::Make(context.arena, authz::kEnvoyDenied,
                     authz::With(context.arena, Value::EmptyMap(), "status", status));
}

Value Header(CallContext& context, Args args) noexcept {
  return authz::Make(context.arena, authz::kEnvoyHeader,
                     authz::With(context.arena, Value::EmptyMap(), "header",
                                 Pair(context.arena, args[0], args[1])));
}

Value KeepEmptyValue(CallContext& context, Args args) noexcept {
  const Value keep = args.size() > 1 ? args[1] : Value::Bool(true);
  return authz::Make(context.arena, authz::kEnvoyHeader,
                     authz::With(context.arena, authz::ContentOf(args[0]), "keepEmptyValue", keep));
}

Value QueryParam(CallContext& context, Args args) noexcept {
  return authz::Make(context.arena, authz::kEnvoyParameter, Pair(context.arena, args[0], args[1]));
}

// `answer.WithX(text)`: sets or extends one member of an answer of the same type.
Value Extended(CallContext& context, const Value& answer, std::string_view member,
               const Value& item) {
  const auto& type = *static_cast<const CelHostType*>(answer.host()->type);
  return authz::Make(context.arena, type,
                     authz::WithAppended(context.arena, authz::ContentOf(answer), member, item));
}

Value HeaderArgument(CallContext& context, Args args) {
  if (args.size() == 2) return authz::ContentOf(args[1]);
  return authz::With(context.arena, Value::EmptyMap(), "header",
                     Pair(context.arena, args[1], args[2]));
}

Value WithHeader(CallContext& context, Args args) noexcept {
  return Extended(context, args[0], "headers", HeaderArgument(context, args));
}
Value WithoutHeader(CallContext& context, Args args) noexcept {
  return Extended(context, args[0], "headersToRemove", args[1]);
}
Value WithResponseHeader(CallContext& context, Args args) noexcept {
  return Extended(context, args[0], "responseHeadersToAdd", HeaderArgument(context, args));
}
Value WithQueryParam(CallContext& context, Args args) noexcept {
  return Extended(
      context, args[0], "queryParametersToSet",
      args.size() == 2 ? authz::ContentOf(args[1]) : Pair(context.arena, args[1], args[2]));
}
Value WithoutQueryParam(CallContext& context, Args args) noexcept {
  return Extended(context, args[0], "queryParametersToRemove", args[1]);
}

Value WithBody(CallContext& context, Args args) noexcept {
  return authz::Make(context.arena, authz::kEnvoyDenied,
                     authz::With(context.arena, authz::ContentOf(args[0]), "body", args[1]));
}

// The status codes of gRPC that Envoy reads.
constexpr std::int64_t kOk = 0;
constexpr std::int64_t kPermissionDenied = 7;

Value MakeResponse(CallContext& context, std::string_view member, std::int64_t code,
                   const Value& content) {
  const Value status = authz::With(context.arena, Value::EmptyMap(), "code", Value::Int(code));
  const Value answer = authz::With(context.arena, Value::EmptyMap(), "status", status);
  return authz::Make(context.arena, authz::kEnvoyResponse,
                     authz::With(context.arena, answer, member, content));
}

Value OkResponse(CallContext& context, Args args) noexcept {
  return MakeResponse(context, "okResponse", kOk, authz::ContentOf(args[0]));
}
Value DeniedResponse(CallContext& context, Args args) noexcept {
  return MakeResponse(context, "deniedResponse", kPermissionDenied, authz::ContentOf(args[0]));
}

Value WithMessage(CallContext& context, Args args) noexcept {
  const Value& content = authz::ContentOf(args[0]);
  const Value status = authz::With(context.arena, *content.Find("status"), "message", args[1]);
  return authz::Make(context.arena, authz::kEnvoyResponse,
                     authz::With(context.arena, content, "status", status));
}
Value WithMetadata(CallContext& context, Args args) noexcept {
  return authz::Make(
      context.arena, authz::kEnvoyResponse,
      authz::With(context.arena, authz::ContentOf(args[0]), "dynamicMetadata", args[1]));
}

#define PC_OK "envoy.service.auth.v3.OkHttpResponse"
#define PC_DENIED "envoy.service.auth.v3.DeniedHttpResponse"
#define PC_RESPONSE "envoy.service.auth.v3.CheckResponse"
#define PC_HEADER "envoy.config.core.v3.HeaderValueOption"
#define PC_PARAM "envoy.config.core.v3.QueryParameter"

constexpr Overload kOverloads[] = {
    {"allowed", "envoy.Allowed", "() -> " PC_OK, Allowed},
    {"denied", "envoy.Denied", "(int) -> " PC_DENIED, Denied},
    {"header_key_value", "envoy.Header", "(string, string) -> " PC_HEADER, Header},
    {"queryparam_key_value", "envoy.QueryParam", "(string, string) -> " PC_PARAM, QueryParam},
    {"denied_with_body", "WithBody", "(" PC_DENIED ", string) -> " PC_DENIED, WithBody, kMember},
    {"ok_with_header_header", "WithHeader", "(" PC_OK ", " PC_HEADER ") -> " PC_OK, WithHeader,
     kMember},
    {"ok_with_header_string_string", "WithHeader", "(" PC_OK ", string, string) -> " PC_OK,
     WithHeader, kMember},
    {"denied_with_header_header", "WithHeader", "(" PC_DENIED ", " PC_HEADER ") -> " PC_DENIED,
     WithHeader, kMember},
    {"denied_with_header_string_string", "WithHeader",
     "(" PC_DENIED ", string, string) -> " PC_DENIED, WithHeader, kMember},
    {"ok_without_header", "WithoutHeader", "(" PC_OK ", string) -> " PC_OK, WithoutHeader, kMember},
    {"ok_with_response_header_header", "WithResponseHeader", "(" PC_OK ", " PC_HEADER ") -> " PC_OK,
     WithResponseHeader, kMember},
    {"ok_with_response_header_string_string", "WithResponseHeader",
     "(" PC_OK ", string, string) -> " PC_OK, WithResponseHeader, kMember},
    {"ok_with_queryparam_param", "WithQueryParam", "(" PC_OK ", " PC_PARAM ") -> " PC_OK,
     WithQueryParam, kMember},
    {"ok_with_queryparam_string_string", "WithQueryParam", "(" PC_OK ", string, string) -> " PC_OK,
     WithQueryParam, kMember},
    {"ok_without_queryparam_string", "WithoutQueryParam", "(" PC_OK ", string) -> " PC_OK,
     WithoutQueryParam, kMember},
    {"header_keep_empty_value", "KeepEmptyValue", "(" PC_HEADER ") -> " PC_HEADER, KeepEmptyValue,
     kMember},
    {"header_keep_empty_value_bool", "KeepEmptyValue", "(" PC_HEADER ", bool) -> " PC_HEADER,
     KeepEmptyValue, kMember},
    {"ok_response", "Response", "(" PC_OK ") -> " PC_RESPONSE, OkResponse, kMember},
    {"denied_response", "Response", "(" PC_DENIED ") -> " PC_RESPONSE, DeniedResponse, kMember},
    {"response_ok_with_message", "WithMessage", "(" PC_RESPONSE ", string) -> " PC_RESPONSE,
     WithMessage, kMember},
    {"response_ok_with_metadata", "WithMetadata",
     "(" PC_RESPONSE ", map(string, dyn)) -> " PC_RESPONSE, WithMetadata, kMember},
};

#undef PC_PARAM
#undef PC_HEADER
#undef PC_RESPONSE
#undef PC_DENIED
#undef PC_OK

constexpr Library kLibrary{"kyverno.authz.envoy", kOverloads};

}  // namespace

const Library& EnvoyAuthzLibrary() { return kLibrary; }

}  // namespace portcullis::cel
