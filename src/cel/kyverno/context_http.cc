// http.Get, http.Post and http.Client (spec/kyverno-cel-policies.md 10.2).

#include <string>

#include "base/base64.h"
#include "cel/eval/native.h"
#include "cel/k8s/support.h"
#include "cel/kyverno/context_libraries.h"
#include "cel/kyverno/context_values.h"

namespace portcullis::cel {
namespace {

using doc::Value;
using kyverno::ContextOf;

constexpr std::string_view kFailed = "request failed";

Value Call(CallContext& context, const Value& self, std::string_view method, const Value& url,
           const Value& data, const Value& headers) {
  const kyverno::ContextRep& rep = ContextOf(self);
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  if (!rep.policy_namespace.empty() &&
      (outside == nullptr || !outside->AllowsHttpInNamespacedPolicies())) {
    return kyverno::Failure(context, kFailed,
                            "http calls are not allowed in namespaced policies: set "
                            "--allowHTTPInNamespacedPolicies to enable");
  }
  provider::HttpCall call{method, url.as_string(), {}, headers, rep.ca_bundle};
  std::string error;
  if (!ToNative(context.arena, data, call.body, error)) {
    return kyverno::Failure(context, kFailed, error);
  }
  provider::Lookup answer =
      outside != nullptr ? outside->Http(call, context.arena) : provider::Lookup::Unknown();
  if (answer.found()) return answer.object;
  if (answer.error.empty()) {
    answer.error = std::string("no mock for ").append(method).append(" ").append(call.url);
    answer.error.append(" (offline)");
  }
  return kyverno::Failure(context, kFailed, answer.error);
}

Value Get(CallContext& context, Args args) noexcept {
  return Call(context, args[0], "GET", args[1], {}, args.size() > 2 ? args[2] : Value());
}

Value Post(CallContext& context, Args args) noexcept {
  return Call(context, args[0], "POST", args[1], args[2], args.size() > 3 ? args[3] : Value());
}

// Whether these bytes are one DER sequence from end to end.
bool IsDerSequence(std::string_view bytes) {
  constexpr unsigned kSequence = 0x30;
  constexpr unsigned kLongForm = 0x80;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() < 2 || at(0) != kSequence) return false;
  std::size_t length = at(1);
  std::size_t begin = 2;
  if (length >= kLongForm) {
    const std::size_t octets = length - kLongForm;
    if (octets == 0 || octets > 4 || bytes.size() < 2 + octets) return false;
    length = 0;
    for (std::size_t i = 0; i < octets; ++i) length = length << 8U | at(2 + i);
    begin += octets;
  }
  return bytes.size() - begin == length;
}

// At least one certificate that has the form of one.
bool HasCertificate(std::string_view pem) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
  constexpr std::string_view kEnd = "-----END CERTIFICATE-----";
  for (std::size_t at = pem.find(kBegin); at != std::string_view::npos; at = pem.find(kBegin, at)) {
    at += kBegin.size();
    const std::size_t end = pem.find(kEnd, at);
    if (end == std::string_view::npos) return false;
    const base::Result<std::string> der = base::Base64Decode(pem.substr(at, end - at));
    if (der.ok() && IsDerSequence(*der)) return true;
  }
  return false;
}

Value Client(CallContext& context, Args args) noexcept {
  const std::string_view bundle = args[1].as_string();
  if (bundle.empty()) return args[0];
  if (!HasCertificate(bundle)) {
    return kyverno::Failure(context, kFailed, "failed to parse PEM CA bundle for APICall");
  }
  return k8s::NewHost<kyverno::ContextRep>(context.arena, kyverno::kHttpHost,
                                           ContextOf(args[0]).policy_namespace, bundle);
}

#define PC_CTX "http.Context"
#define PC_HEADERS "map(string, string)"

constexpr Overload kOverloads[] = {
    {"http_Get", "Get", "(" PC_CTX ", string) -> any", Get, kMember},
    {"http_get", "get", "(" PC_CTX ", string) -> any", Get, kMember},
    {"http_Get_headers", "Get", "(" PC_CTX ", string, " PC_HEADERS ") -> any", Get, kMember},
    {"http_get_headers", "get", "(" PC_CTX ", string, " PC_HEADERS ") -> any", Get, kMember},
    {"http_Post", "Post", "(" PC_CTX ", string, any) -> any", Post, kMember},
    {"http_post", "post", "(" PC_CTX ", string, any) -> any", Post, kMember},
    {"http_Post_headers", "Post", "(" PC_CTX ", string, any, " PC_HEADERS ") -> any", Post,
     kMember},
    {"http_post_headers", "post", "(" PC_CTX ", string, any, " PC_HEADERS ") -> any", Post,
     kMember},
    {"http_Client", "Client", "(" PC_CTX ", string) -> " PC_CTX, Client, kMember},
    {"http_client", "client", "(" PC_CTX ", string) -> " PC_CTX, Client, kMember},
};

#undef PC_HEADERS
#undef PC_CTX

constexpr Library kLibrary{"kyverno.http", kOverloads};

}  // namespace

const Library& KyvernoHttpLibrary() { return kLibrary; }

}  // namespace portcullis::cel
