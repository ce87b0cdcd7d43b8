#include "cel/kyverno/authz.h"

#include <string>
#include <vector>

#include "base/base64.h"
#include "cel/eval/host_type.h"
#include "cel/k8s/support.h"
#include "cel/kyverno/authz_values.h"
#include "cel/kyverno/environments.h"
#include "doc/edit.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// The members of a request's type, with what they are when the document leaves them out.
enum class Zero : std::uint8_t { kText, kNumber, kMap, kBytes, kMembers };

struct Member {
  std::string_view name;
  std::string_view json_name;  // as protobuf's JSON form writes it; empty: the same
  Zero zero = Zero::kText;
  const Member* members = nullptr;
  std::size_t count = 0;
};

template <std::size_t kCount>
constexpr Member Part(std::string_view name, const Member (&members)[kCount],
                      std::string_view json_name = {}) {
  return {name, json_name, Zero::kMembers, members, kCount};
}

constexpr Member kHttpAttributes[] = {
    {"method", {}},
    {"header", {}, Zero::kMap},
    {"host", {}},
    {"protocol", {}},
    {"contentLength", {}, Zero::kNumber},
    {"body", {}, Zero::kBytes},
    {"scheme", {}},
    {"path", {}},
    {"query", {}, Zero::kMap},
    {"fragment", {}},
};
constexpr Member kHttpRequest[] = {Part("attributes", kHttpAttributes)};

constexpr Member kEnvoyHttp[] = {
    {"id", {}},       {"method", {}},   {"headers", {}, Zero::kMap},
    {"path", {}},     {"host", {}},     {"scheme", {}},
    {"query", {}},    {"fragment", {}}, {"size", {}, Zero::kNumber},
    {"protocol", {}}, {"body", {}},     {"raw_body", "rawBody", Zero::kBytes},
};
constexpr Member kEnvoyRequest[] = {Part("http", kEnvoyHttp)};
constexpr Member kEnvoyPeer[] = {
    {"address", {}, Zero::kMap}, {"service", {}},     {"labels", {}, Zero::kMap},
    {"principal", {}},           {"certificate", {}},
};
constexpr Member kEnvoyAttributes[] = {
    Part("source", kEnvoyPeer),
    Part("destination", kEnvoyPeer),
    Part("request", kEnvoyRequest),
    {"context_extensions", "contextExtensions", Zero::kMap},
    {"metadata_context", "metadataContext", Zero::kMap},
    {"tls_session", "tlsSession", Zero::kMap},
};
constexpr Member kEnvoyCheck[] = {Part("attributes", kEnvoyAttributes)};

Value Complete(std::span<const Member> members, const Value& given, base::Arena& arena);

Value CompleteMember(const Member& member, const Value* given, base::Arena& arena) {
  switch (member.zero) {
    case Zero::kText:
      return given != nullptr ? *given : Value::String("");
    case Zero::kNumber:
      return given != nullptr ? *given : Value::Int(0);
    case Zero::kMap:
      return given != nullptr ? *given : Value::EmptyMap();
    case Zero::kBytes: {
      if (given == nullptr || !given->is_string()) return Value::Bytes("");
      const auto bytes = base::Base64Decode(given->as_string());
      return Value::Bytes(bytes.ok() ? arena.CopyString(bytes.value()) : given->as_string());
    }
    case Zero::kMembers:
      return Complete({member.members, member.count},
                      given != nullptr && given->is_map() ? *given : Value::EmptyMap(), arena);
  }
  return {};
}

Value Complete(std::span<const Member> members, const Value& given, base::Arena& arena) {
  doc::MapBuilder out(given);
  for (const Member& member : members) {
    const Value* value = given.Find(member.name);
    if (value == nullptr && !member.json_name.empty()) {
      value = given.Find(member.json_name);
      out.Remove(member.json_name);
    }
    out.Set(member.name, CompleteMember(member, value, arena));
  }
  return out.Build(arena);
}

std::shared_ptr<const Env> MakeEnvironment(AuthzMode mode) {
  auto env = std::make_shared<Env>(KyvernoEnvironment(KyvernoPolicyKind::kValidating, false));
  env->AddLibrary(mode == AuthzMode::kHttp ? HttpAuthzLibrary() : EnvoyAuthzLibrary());
  env->AddLibrary(JwtLibrary());
  return env;
}

const Value* Inner(const Value& map, std::string_view member) {
  return map.is_map() ? map.Find(member) : nullptr;
}

}  // namespace

std::shared_ptr<const Env> KyvernoAuthzEnvironment(AuthzMode mode) {
  static const std::shared_ptr<const Env> http = MakeEnvironment(AuthzMode::kHttp);
  static const std::shared_ptr<const Env> envoy = MakeEnvironment(AuthzMode::kEnvoy);
  return mode == AuthzMode::kHttp ? http : envoy;
}

Value CompleteAuthzRequest(AuthzMode mode, const Value& payload, base::Arena& arena) {
  if (!payload.is_map()) return payload;
  return mode == AuthzMode::kHttp ? Complete(kHttpRequest, payload, arena)
                                  : Complete(kEnvoyCheck, payload, arena);
}

bool ReadAuthzAnswer(const Value& value, AuthzAnswer& out) {
  const bool http = IsHost(value, authz::kHttpResponse);
  if (!http && !IsHost(value, authz::kEnvoyResponse)) return false;
  const Value& content = authz::ContentOf(value);
  const Value* denied = Inner(content, http ? "denied" : "deniedResponse");
  out.allowed = denied == nullptr;
  if (denied == nullptr) return true;
  if (http) {
    out.reason = denied->StringAt("reason");
    return true;
  }
  const Value* status = Inner(*denied, "status");
  const Value* code = status == nullptr ? nullptr : Inner(*status, "code");
  if (code != nullptr && code->is_int()) out.code = code->as_int();
  return true;
}

}  // namespace portcullis::cel
