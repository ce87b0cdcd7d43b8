#include "match/rules.h"

#include <algorithm>

namespace portcullis::match {
namespace {

void ReadStrings(const doc::Value& rule, std::string_view field, std::vector<std::string>& out) {
  const doc::Value* list = rule.Find(field);
  if (list == nullptr || !list->is_list()) return;
  for (const doc::Value& item : list->as_list()) {
    if (item.is_string()) out.emplace_back(item.as_string());
  }
}

bool AnyOf(const std::vector<std::string>& list, std::string_view value) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& item) { return item == "*" || item == value; });
}

Scope ScopeOf(std::string_view text) {
  if (text.empty() || text == "*") return Scope::kAny;
  if (text == "Namespaced") return Scope::kNamespaced;
  if (text == "Cluster") return Scope::kCluster;
  return Scope::kNever;
}

bool ScopeMatches(Scope scope, const AdmissionRequest& request,
                  const GroupVersionResource& resource) {
  // A Namespace carries its own name as request namespace, yet counts as a cluster object.
  const bool is_namespace =
      resource.group.empty() && resource.resource == "namespaces" && resource.version == "v1";
  const bool cluster = is_namespace || request.ns.empty();
  switch (scope) {
    case Scope::kAny:
      return true;
    case Scope::kNamespaced:
      return !cluster;
    case Scope::kCluster:
      return cluster;
    case Scope::kNever:
      return false;
  }
  return false;
}

}  // namespace

Rule Rule::FromValue(const doc::Value& value) {
  Rule rule;
  ReadStrings(value, "apiGroups", rule.groups);
  ReadStrings(value, "apiVersions", rule.versions);
  ReadStrings(value, "resourceNames", rule.resource_names);
  std::vector<std::string> resources;
  ReadStrings(value, "resources", resources);
  for (const std::string& entry : resources) {
    const std::size_t slash = entry.find('/');
    ResourcePattern& pattern = rule.resources.emplace_back();
    pattern.resource = entry.substr(0, slash);
    if (slash != std::string::npos) pattern.subresource = entry.substr(slash + 1);
  }
  std::vector<std::string> operations;
  ReadStrings(value, "operations", operations);
  for (const std::string& name : operations) {
    if (name == "*") {
      rule.operations = (1U << kOperationCount) - 1;
    } else if (const auto operation = ParseOperation(name)) {
      rule.operations =
          static_cast<std::uint8_t>(rule.operations | (1U << static_cast<unsigned>(*operation)));
    }
  }
  rule.scope = ScopeOf(value.StringAt("scope"));
  return rule;
}

bool Rule::MatchesResource(const AdmissionRequest& request,
                           const GroupVersionResource& resource) const {
  if ((operations >> static_cast<unsigned>(request.operation) & 1U) == 0) return false;
  if (!ScopeMatches(scope, request, resource)) return false;
  if (!AnyOf(groups, resource.group) || !AnyOf(versions, resource.version)) return false;
  return std::any_of(resources.begin(), resources.end(), [&](const ResourcePattern& pattern) {
    return (pattern.resource == "*" || pattern.resource == resource.resource) &&
           (pattern.subresource == "*" || pattern.subresource == request.sub_resource);
  });
}

bool Rule::MatchesName(std::string_view name) const {
  return resource_names.empty() ||
         (!name.empty() &&
          std::find(resource_names.begin(), resource_names.end(), name) != resource_names.end());
}

}  // namespace portcullis::match
