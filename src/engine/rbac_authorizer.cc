#include "engine/rbac_authorizer.h"

#include <algorithm>

#include "base/gotext.h"

namespace portcullis::engine {
namespace {

using provider::AuthorizationDecision;
using provider::AuthorizationRequest;

std::vector<std::string> Strings(const doc::Value& object, std::string_view field) {
  std::vector<std::string> out;
  const doc::Value* list = object.Find(field);
  if (list == nullptr || !list->is_list()) return out;
  for (const doc::Value& item : list->as_list()) {
    if (item.is_string()) out.emplace_back(item.as_string());
  }
  return out;
}

std::span<const doc::Value> Items(const doc::Value& object, std::string_view field) {
  const doc::Value* list = object.Find(field);
  return list != nullptr && list->is_list() ? list->as_list() : std::span<const doc::Value>();
}

bool Has(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool HasOrAny(const std::vector<std::string>& list, std::string_view item) {
  return Has(list, "*") || Has(list, item);
}

bool CoversPath(const std::vector<std::string>& paths, std::string_view path) {
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& pattern) {
    if (pattern == "*" || pattern == path) return true;
    return pattern.ends_with('*') &&
           path.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
  });
}

}  // namespace

bool RbacAuthorizer::Add(const doc::Value& object) {
  const std::string_view kind = object.StringAt("kind");
  if (!object.StringAt("apiVersion").starts_with("rbac.authorization.k8s.io/")) return false;
  const doc::Value* metadata = object.Find("metadata");
  const std::string name(metadata == nullptr ? "" : metadata->StringAt("name"));
  // A Role or RoleBinding that names no namespace stands in `default`.
  std::string ns(metadata == nullptr ? "" : metadata->StringAt("namespace"));
  if (ns.empty()) ns = "default";
  if (kind == "Role" || kind == "ClusterRole") {
    Role& role = roles_.emplace_back();
    role.cluster = kind == "ClusterRole";
    role.name = name;
    role.ns = role.cluster ? "" : ns;
    for (const doc::Value& item : Items(object, "rules")) {
      role.rules.push_back({Strings(item, "verbs"), Strings(item, "apiGroups"),
                            Strings(item, "resources"), Strings(item, "resourceNames"),
                            Strings(item, "nonResourceURLs")});
    }
    return true;
  }
  if (kind != "RoleBinding" && kind != "ClusterRoleBinding") return false;
  Binding& binding = bindings_.emplace_back();
  binding.cluster = kind == "ClusterRoleBinding";
  binding.name = name;
  binding.ns = binding.cluster ? "" : ns;
  if (const doc::Value* ref = object.Find("roleRef"); ref != nullptr) {
    binding.role_kind = ref->StringAt("kind");
    binding.role_name = ref->StringAt("name");
  }
  for (const doc::Value& subject : Items(object, "subjects")) {
    binding.subjects.push_back({std::string(subject.StringAt("kind")),
                                std::string(subject.StringAt("namespace")),
                                std::string(subject.StringAt("name"))});
  }
  return true;
}

bool RbacAuthorizer::Covers(const PolicyRule& rule, const AuthorizationRequest& request) {
  if (!HasOrAny(rule.verbs, request.verb)) return false;
  if (!request.resource_request) return CoversPath(rule.paths, request.path);
  if (!HasOrAny(rule.groups, request.api_group)) return false;
  std::string resource = request.resource;
  if (!request.subresource.empty()) resource += "/" + request.subresource;
  const bool covered =
      HasOrAny(rule.resources, resource) ||
      (!request.subresource.empty() && Has(rule.resources, "*/" + request.subresource));
  return covered && (rule.names.empty() || Has(rule.names, request.name));
}

bool RbacAuthorizer::Applies(const Subject& subject, const Binding& binding,
                             const provider::UserInfo& user) {
  if (subject.kind == "User") return user.username == subject.name;
  if (subject.kind == "Group") return Has(user.groups, subject.name);
  if (subject.kind == "ServiceAccount") {
    const std::string& ns = subject.ns.empty() ? binding.ns : subject.ns;
    return !ns.empty() && user.username == "system:serviceaccount:" + ns + ":" + subject.name;
  }
  return false;
}

const RbacAuthorizer::Role* RbacAuthorizer::FindRole(const Binding& binding) const {
  const bool cluster = binding.role_kind == "ClusterRole";
  for (const Role& role : roles_) {
    if (role.cluster == cluster && role.name == binding.role_name &&
        (cluster || role.ns == binding.ns)) {
      return &role;
    }
  }
  return nullptr;
}

AuthorizationDecision RbacAuthorizer::Authorize(const AuthorizationRequest& request) {
  AuthorizationDecision out;
  if (Has(request.user.groups, "system:masters")) {
    out.answer = AuthorizationDecision::Answer::kAllow;
    return out;
  }
  // Cluster-wide bindings are looked at first, as Kubernetes does: the reason names the first hit.
  for (const bool cluster : {true, false}) {
    for (const Binding& binding : bindings_) {
      if (binding.cluster != cluster) continue;
      if (!cluster &&
          (!request.resource_request || request.ns.empty() || binding.ns != request.ns)) {
        continue;
      }
      const auto subject =
          std::find_if(binding.subjects.begin(), binding.subjects.end(),
                       [&](const Subject& s) { return Applies(s, binding, request.user); });
      if (subject == binding.subjects.end()) continue;
      const Role* role = FindRole(binding);
      if (role == nullptr) continue;
      const bool covered =
          std::any_of(role->rules.begin(), role->rules.end(),
                      [&](const PolicyRule& rule) { return Covers(rule, request); });
      if (!covered) continue;
      out.answer = AuthorizationDecision::Answer::kAllow;
      std::string who = subject->name;
      if (subject->kind == "ServiceAccount") {
        who += "/" + (subject->ns.empty() ? binding.ns : subject->ns);
      }
      out.reason = "RBAC: allowed by " +
                   std::string(cluster ? "ClusterRoleBinding " : "RoleBinding ") +
                   base::GoQuote(cluster ? binding.name : binding.name + "/" + binding.ns) +
                   " of " + binding.role_kind + " " + base::GoQuote(binding.role_name) + " to " +
                   subject->kind + " " + base::GoQuote(who);
      return out;
    }
  }
  return out;
}

}  // namespace portcullis::engine
