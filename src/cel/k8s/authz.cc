// authorizer and its checks (spec/cel.md 16.7).

#include <string>

#include "base/validation.h"
#include "cel/eval/host.h"
#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"
#include "provider/authorizer.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// Who asks: the user of the request, or a service account.
struct AuthorizerRep : doc::HostRep {
  bool service_account = false;
  std::string_view ns = {};
  std::string_view name = {};
};

struct PathCheckRep : doc::HostRep {
  AuthorizerRep who;
  std::string_view path;
};

struct GroupCheckRep : doc::HostRep {
  AuthorizerRep who;
  std::string_view group;
};

struct ResourceCheckRep : doc::HostRep {
  AuthorizerRep who;
  std::string_view group = {};
  std::string_view resource = {};
  std::string_view subresource = {};
  std::string_view ns = {};
  std::string_view name = {};
  std::string_view field_selector = {};
  std::string_view label_selector = {};
};

struct DecisionRep : doc::HostRep {
  bool allowed = false;
  std::string_view reason;
  std::string_view error;
};

#define PC_AUTHZ "kubernetes.authorization."

constexpr Type kAuthorizerType{TypeKind::kOpaque, PC_AUTHZ "Authorizer", {}};
constexpr Type kPathCheckType{TypeKind::kOpaque, PC_AUTHZ "PathCheck", {}};
constexpr Type kGroupCheckType{TypeKind::kOpaque, PC_AUTHZ "GroupCheck", {}};
constexpr Type kResourceCheckType{TypeKind::kOpaque, PC_AUTHZ "ResourceCheck", {}};
constexpr Type kDecisionType{TypeKind::kOpaque, PC_AUTHZ "Decision", {}};

constexpr CelHostType kAuthorizerHost = k8s::MakeHostType(kAuthorizerType);
constexpr CelHostType kPathCheckHost = k8s::MakeHostType(kPathCheckType);
constexpr CelHostType kGroupCheckHost = k8s::MakeHostType(kGroupCheckType);
constexpr CelHostType kResourceCheckHost = k8s::MakeHostType(kResourceCheckType);
constexpr CelHostType kDecisionHost = k8s::MakeHostType(kDecisionType);

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos;
}

Value Path(CallContext& context, Args args) noexcept {
  const std::string_view path = args[1].as_string();
  if (IsBlank(path)) return context.Error("path must not be empty");
  return k8s::NewHost<PathCheckRep>(context.arena, kPathCheckHost,
                                    k8s::RepOf<AuthorizerRep>(args[0]), path);
}

Value Group(CallContext& context, Args args) noexcept {
  return k8s::NewHost<GroupCheckRep>(context.arena, kGroupCheckHost,
                                     k8s::RepOf<AuthorizerRep>(args[0]), args[1].as_string());
}

Value ServiceAccount(CallContext& context, Args args) noexcept {
  const std::string_view ns = args[1].as_string();
  const std::string_view name = args[2].as_string();
  if (!base::IsDns1123Subdomain(name)) return context.Error("Invalid service account name");
  if (!base::IsDns1123Label(ns)) return context.Error("Invalid service account namespace");
  return k8s::NewHost<AuthorizerRep>(context.arena, kAuthorizerHost, true, ns, name);
}

Value Resource(CallContext& context, Args args) noexcept {
  const auto& group = k8s::RepOf<GroupCheckRep>(args[0]);
  const std::string_view resource = args[1].as_string();
  if (IsBlank(resource)) return context.Error("resource must not be empty");
  return k8s::NewHost<ResourceCheckRep>(context.arena, kResourceCheckHost, group.who, group.group,
                                        resource);
}

// A copy of the check with one more restriction.
template <std::string_view ResourceCheckRep::* kField>
Value Restrict(CallContext& context, Args args) noexcept {
  auto* copy = context.arena.New<ResourceCheckRep>(k8s::RepOf<ResourceCheckRep>(args[0]));
  copy->*kField = args[1].as_string();
  return Value::Host(copy);
}

provider::UserInfo UserOf(CallContext& context, const AuthorizerRep& who) {
  if (!who.service_account) {
    const provider::UserInfo* user = context.host->user();
    return user != nullptr ? *user : provider::UserInfo{};
  }
  provider::UserInfo user;
  const std::string ns(who.ns);
  user.username = "system:serviceaccount:" + ns + ":" + std::string(who.name);
  user.groups = {"system:serviceaccounts", "system:serviceaccounts:" + ns};
  return user;
}

Value Decide(CallContext& context, const AuthorizerRep& who,
             provider::AuthorizationRequest request) {
  provider::Authorizer* authorizer = context.host != nullptr ? context.host->authorizer() : nullptr;
  if (authorizer == nullptr) {
    return k8s::NewHost<DecisionRep>(context.arena, kDecisionHost, false, std::string_view(),
                                     std::string_view("no authorizer is configured"));
  }
  request.user = UserOf(context, who);
  const provider::AuthorizationDecision decision = authorizer->Authorize(request);
  using Answer = provider::AuthorizationDecision::Answer;
  return k8s::NewHost<DecisionRep>(context.arena, kDecisionHost, decision.answer == Answer::kAllow,
                                   context.arena.CopyString(decision.reason),
                                   context.arena.CopyString(decision.error));
}

Value CheckPath(CallContext& context, Args args) noexcept {
  const auto& check = k8s::RepOf<PathCheckRep>(args[0]);
  provider::AuthorizationRequest request;
  request.resource_request = false;
  request.verb = args[1].as_string();
  request.path = check.path;
  return Decide(context, check.who, std::move(request));
}

Value CheckResource(CallContext& context, Args args) noexcept {
  const auto& check = k8s::RepOf<ResourceCheckRep>(args[0]);
  provider::AuthorizationRequest request;
  request.verb = args[1].as_string();
  request.api_group = check.group;
  request.resource = check.resource;
  request.subresource = check.subresource;
  request.ns = check.ns;
  request.name = check.name;
  request.field_selector = check.field_selector;
  request.label_selector = check.label_selector;
  return Decide(context, check.who, std::move(request));
}

Value Allowed(CallContext&, Args args) noexcept {
  return Value::Bool(k8s::RepOf<DecisionRep>(args[0]).allowed);
}
Value Reason(CallContext&, Args args) noexcept {
  return Value::String(k8s::RepOf<DecisionRep>(args[0]).reason);
}
Value Errored(CallContext&, Args args) noexcept {
  return Value::Bool(!k8s::RepOf<DecisionRep>(args[0]).error.empty());
}
Value ErrorText(CallContext&, Args args) noexcept {
  return Value::String(k8s::RepOf<DecisionRep>(args[0]).error);
}

std::uint64_t CheckCost(Args, const Value&) noexcept { return 350'000; }

// Parsing a selector: a walk over the text, and a requirement for every second character.
std::uint64_t SelectorCost(Args args, const Value&) noexcept {
  const std::uint64_t size = CostSize(args[1]);
  return 10 + CostTenth(size) + (size + 1) / 2 * 50;
}

constexpr Overload kOverloads[] = {
    {"authorizer_path", "path", "(" PC_AUTHZ "Authorizer, string) -> " PC_AUTHZ "PathCheck", Path,
     kMember},
    {"authorizer_group", "group", "(" PC_AUTHZ "Authorizer, string) -> " PC_AUTHZ "GroupCheck",
     Group, kMember},
    {"authorizer_serviceaccount", "serviceAccount",
     "(" PC_AUTHZ "Authorizer, string, string) -> " PC_AUTHZ "Authorizer", ServiceAccount, kMember},
    {"groupcheck_resource", "resource",
     "(" PC_AUTHZ "GroupCheck, string) -> " PC_AUTHZ "ResourceCheck", Resource, kMember},
    {"resourcecheck_subresource", "subresource",
     "(" PC_AUTHZ "ResourceCheck, string) -> " PC_AUTHZ "ResourceCheck",
     Restrict<&ResourceCheckRep::subresource>, kMember},
    {"resourcecheck_namespace", "namespace",
     "(" PC_AUTHZ "ResourceCheck, string) -> " PC_AUTHZ "ResourceCheck",
     Restrict<&ResourceCheckRep::ns>, kMember},
    {"resourcecheck_name", "name",
     "(" PC_AUTHZ "ResourceCheck, string) -> " PC_AUTHZ "ResourceCheck",
     Restrict<&ResourceCheckRep::name>, kMember},
    {"pathcheck_check", "check", "(" PC_AUTHZ "PathCheck, string) -> " PC_AUTHZ "Decision",
     CheckPath, kMember},
    {"resourcecheck_check", "check", "(" PC_AUTHZ "ResourceCheck, string) -> " PC_AUTHZ "Decision",
     CheckResource, kMember},
    {"decision_errored", "errored", "(" PC_AUTHZ "Decision) -> bool", Errored, kMember},
    {"decision_error", "error", "(" PC_AUTHZ "Decision) -> string", ErrorText, kMember},
    {"decision_allowed", "allowed", "(" PC_AUTHZ "Decision) -> bool", Allowed, kMember},
    {"decision_reason", "reason", "(" PC_AUTHZ "Decision) -> string", Reason, kMember},
};

constexpr FunctionCost kCosts[] = {{"check", CheckCost}};

constexpr Library kLibrary{"k8s.authz", kOverloads, kCosts};

constexpr Overload kSelectorOverloads[] = {
    {"resourcecheck_fieldSelector", "fieldSelector",
     "(" PC_AUTHZ "ResourceCheck, string) -> " PC_AUTHZ "ResourceCheck",
     Restrict<&ResourceCheckRep::field_selector>, kMember},
    {"resourcecheck_labelSelector", "labelSelector",
     "(" PC_AUTHZ "ResourceCheck, string) -> " PC_AUTHZ "ResourceCheck",
     Restrict<&ResourceCheckRep::label_selector>, kMember},
};

constexpr FunctionCost kSelectorCosts[] = {
    {"fieldSelector", SelectorCost},
    {"labelSelector", SelectorCost},
};

constexpr Library kSelectorLibrary{"k8s.authzSelectors", kSelectorOverloads, kSelectorCosts};

#undef PC_AUTHZ

}  // namespace

const Library& KubernetesAuthzLibrary() { return kLibrary; }
const Library& KubernetesAuthzSelectorsLibrary() { return kSelectorLibrary; }

Value MakeAuthorizer(base::Arena& arena) {
  return k8s::NewHost<AuthorizerRep>(arena, kAuthorizerHost);
}

Value MakeRequestResource(base::Arena& arena, std::string_view group, std::string_view resource,
                          std::string_view subresource, std::string_view ns,
                          std::string_view name) {
  const AuthorizerRep who{{&kAuthorizerHost}};
  return k8s::NewHost<ResourceCheckRep>(arena, kResourceCheckHost, who, arena.CopyString(group),
                                        arena.CopyString(resource), arena.CopyString(subresource),
                                        arena.CopyString(ns), arena.CopyString(name));
}

}  // namespace portcullis::cel
