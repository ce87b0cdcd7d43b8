#include "policy/admission/invocation.h"

#include <vector>

#include "doc/edit.h"
#include "policy/admission/convert.h"
#include "policy/admission/decode.h"
#include "policy/admission/denial.h"
#include "schema/type_table.h"

namespace portcullis::policy {
namespace {

constexpr std::string_view kPolicyPrefix = "failed to configure policy: ";
constexpr std::string_view kBindingPrefix = "failed to configure binding: ";

// How a parameter kind is scoped; `known` is false when the cluster does not have it.
struct ParamScope {
  bool known = false;
  bool namespaced = false;
};

ParamScope FindParamScope(const ParamKind& kind, const RequestContext& context) {
  if (context.types != nullptr) {
    const schema::Kind* found = context.types->FindKind(kind.api_version, kind.kind);
    if (found != nullptr && !found->plural.empty()) return {true, found->namespaced};
  }
  if (context.providers.params != nullptr) {
    const auto namespaced = context.providers.params->Namespaced(kind.api_version, kind.kind);
    if (namespaced) return {true, *namespaced};
  }
  return {};
}

std::string UnknownParamKind(const ParamKind& kind) {
  const match::GroupVersion version = match::SplitApiVersion(kind.api_version);
  return "failed to find resource referenced by paramKind: '" +
         match::ToString(match::GroupVersionKind{version.group, version.version, kind.kind}) + "'";
}

// Params always show apiVersion and kind.
doc::Value CompleteParam(const ParamKind& kind, doc::Value param, base::Arena& arena) {
  if (Member(param, "apiVersion") == nullptr) {
    param = doc::WithEntry(arena, param, "apiVersion", doc::Value::String(kind.api_version));
  }
  if (Member(param, "kind") == nullptr) {
    param = doc::WithEntry(arena, param, "kind", doc::Value::String(kind.kind));
  }
  return param;
}

std::string ParamKey(std::string_view ns, const doc::Value& param) {
  const doc::Value* metadata = Member(param, "metadata");
  return std::string(ns) + "/" + std::string(metadata == nullptr ? "" : metadata->StringAt("name"));
}

// See provider::Params::ShowsLists.
void AddLists(std::vector<Invocation>& invocations, base::Arena& arena) {
  std::vector<doc::Value> items;
  for (const Invocation& invocation : invocations) items.push_back(invocation.params);
  const doc::Value list = doc::MakeList(arena, items);
  for (Invocation& invocation : invocations) {
    if (invocation.params.Find("items") == nullptr) {
      invocation.params = doc::WithEntry(arena, invocation.params, "items", list);
    }
  }
}

// The parameter objects of one binding; `error` when they cannot be had.
std::vector<Invocation> CollectParams(const PolicyCore& policy, const BindingCore& binding,
                                      const ParamScope& scope, RequestContext& context,
                                      std::string& error) {
  const ParamRef& ref = binding.param_ref;
  const ParamKind& kind = policy.param_kind;
  std::string_view ns;
  if (!scope.namespaced) {
    if (!ref.ns.empty()) {
      error = "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
      return {};
    }
  } else if (!ref.ns.empty()) {
    ns = ref.ns;
  } else if (context.request.ns.empty()) {
    error =
        "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
    return {};
  } else {
    ns = context.request.ns;
  }

  std::vector<Invocation> out;
  const auto add = [&](const doc::Value& param) {
    out.push_back({&binding, true, CompleteParam(kind, param, context.arena), ParamKey(ns, param)});
  };
  const provider::Params* params = context.providers.params;
  if (params != nullptr && !ref.name.empty()) {
    const provider::Lookup lookup = params->Find(kind.api_version, kind.kind, ns, ref.name);
    if (lookup.state == provider::Lookup::State::kError) {
      error = lookup.error;
      return {};
    }
    if (lookup.found()) add(lookup.object);
  } else if (params != nullptr) {
    for (const doc::Value& param : params->List(kind.api_version, kind.kind, ns)) {
      if (ref.selector.Matches(match::LabelsOf(param))) add(param);
    }
    if (params->ShowsLists()) AddLists(out, context.arena);
  }
  if (out.empty() && ref.deny_if_absent) {
    error = "no params found for policy binding with `Deny` parameterNotFoundAction";
  }
  return out;
}

bool IsNamespaceKind(const match::GroupVersionKind& kind) {
  return kind.group.empty() && kind.version == "v1" && kind.kind == "Namespace";
}

}  // namespace

PolicyInvocations CollectInvocations(const PolicyCore& policy,
                                     std::span<const BindingCore* const> bindings, bool unbound,
                                     RequestContext& context) {
  PolicyInvocations out;
  const auto policy_error = [&](const std::string& text) {
    out.matched = true;
    out.errors.push_back({nullptr, std::string(kPolicyPrefix) + text});
  };
  out.match = policy.constraints.Match(context.match_context());
  if (out.match.error) {
    policy_error(out.match.error->message);
    return out;
  }
  if (!out.match.matched) return out;
  out.matched = true;
  ParamScope scope;
  if (policy.param_kind) {
    scope = FindParamScope(policy.param_kind, context);
    if (!scope.known) {
      policy_error(UnknownParamKind(policy.param_kind));
      return out;
    }
  }
  if (unbound) {
    out.invocations.push_back({nullptr, static_cast<bool>(policy.param_kind), {}, {}});
    return out;
  }
  for (const BindingCore* binding : bindings) {
    if (binding->has_match) {
      const match::MatchResult match = binding->match.Match(context.match_context());
      if (match.error) {
        out.errors.push_back({binding, std::string(kBindingPrefix) + match.error->message});
        continue;
      }
      if (!match.matched) continue;
    }
    if (!policy.param_kind || !binding->param_ref.present) {
      out.invocations.push_back({binding, static_cast<bool>(policy.param_kind), {}, {}});
      continue;
    }
    std::string error;
    std::vector<Invocation> found = CollectParams(policy, *binding, scope, context, error);
    if (!error.empty()) {
      out.errors.push_back({binding, std::string(kBindingPrefix) + error});
      continue;
    }
    for (Invocation& invocation : found) out.invocations.push_back(std::move(invocation));
  }
  return out;
}

ViewResult BuildView(const match::MatchResult& match, RequestContext& context) {
  ViewResult out;
  const match::AdmissionRequest& request = context.request;
  out.view.kind = match.kind;
  out.view.resource = match.resource;
  const auto convert = [&](const doc::Value& object) -> doc::Value {
    if (object.is_null() || match.kind == request.kind) return object;
    const auto converted =
        ConvertObject(object, request.kind, match.kind, context.types, context.arena);
    if (converted) return *converted;
    out.conversion_error =
        "failed to convert object version: converting (" + std::string(request.kind.version) + "." +
        std::string(request.kind.kind) + ") to (" + std::string(match.kind.version) + "." +
        std::string(match.kind.kind) + "): unknown conversion";
    return object;
  };
  out.view.object = convert(request.object);
  out.view.old_object = convert(request.old_object);
  out.view.request = context.RequestValue(match.kind, match.resource);
  if (request.ns.empty() || IsNamespaceKind(request.kind)) return out;

  const provider::Lookup& lookup = context.RequestNamespace();
  switch (lookup.state) {
    case provider::Lookup::State::kFound:
      out.view.namespace_object = lookup.object;
      break;
    case provider::Lookup::State::kUnknown: {
      const std::string text = match::UnknownNamespace(request.ns);
      out.view.namespace_object =
          doc::Value::Error(context.arena.New<doc::ErrorRep>(context.arena.CopyString(text)));
      break;
    }
    case provider::Lookup::State::kNotFound:
      out.fatal = NamespaceNotFound(request.ns);
      break;
    case provider::Lookup::State::kError:
      out.fatal = InternalErrorStatus(lookup.error);
      break;
  }
  return out;
}

}  // namespace portcullis::policy
