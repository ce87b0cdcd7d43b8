// Validation of MatchResources and its rules (spec/kubernetes-admission.md 2.3).

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/validation.h"
#include "json/writer.h"
#include "policy/admission/decode.h"
#include "policy/admission/validate.h"

namespace portcullis::policy {
namespace {

using Strings = std::vector<std::string_view>;

Strings ReadStrings(const doc::Value& object, std::string_view field) {
  Strings out;
  for (const doc::Value& item : Items(object, field)) {
    out.push_back(item.is_string() ? item.as_string() : std::string_view());
  }
  return out;
}

bool HasStar(const Strings& list) { return std::find(list.begin(), list.end(), "*") != list.end(); }

std::string ListText(const doc::Value& rule, std::string_view field) {
  return json::ToString(*Member(rule, field));
}

// A list that must not be empty and may hold `*` only alone.
Strings RequiredList(const doc::Value& rule, std::string_view path, std::string_view field,
                     std::string_view what, FieldErrors& errors) {
  const Strings list = ReadStrings(rule, field);
  if (list.empty()) errors.Required(Child(path, field));
  if (list.size() > 1 && HasStar(list)) {
    errors.InvalidJson(Child(path, field), ListText(rule, field),
                       "if '*' is present, must not specify other " + std::string(what));
  }
  return list;
}

void ValidateResources(const doc::Value& rule, std::string_view rule_path, FieldErrors& errors) {
  const Strings resources = ReadStrings(rule, "resources");
  const std::string path = Child(rule_path, "resources");
  if (resources.empty()) errors.Required(path);
  std::set<std::string_view> any_sub;       // `res/*` seen
  std::set<std::string_view> any_resource;  // `*/sub` seen
  bool double_star = false;
  bool single_star = false;
  bool plain = false;  // as the API server: of the last entry without a slash
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const std::string_view entry = resources[i];
    if (entry.empty()) {
      errors.Required(Index(path, i));
      continue;
    }
    if (entry == "*/*") double_star = true;
    if (entry == "*") single_star = true;
    const std::size_t slash = entry.find('/');
    if (slash == std::string_view::npos) {
      plain = entry != "*";
      continue;
    }
    const std::string_view resource = entry.substr(0, slash);
    const std::string_view sub = entry.substr(slash + 1);
    if (any_sub.contains(resource)) {
      errors.Invalid(Index(path, i), entry,
                     "if '" + std::string(resource) + "/*' is present, must not specify " +
                         std::string(entry));
    }
    if (any_resource.contains(sub)) {
      errors.Invalid(
          Index(path, i), entry,
          "if '*/" + std::string(sub) + "' is present, must not specify " + std::string(entry));
    }
    if (sub == "*") any_sub.insert(resource);
    if (resource == "*") any_resource.insert(sub);
  }
  if (resources.size() > 1 && double_star) {
    errors.InvalidJson(path, ListText(rule, "resources"),
                       "if '*/*' is present, must not specify other resources");
  }
  if (single_star && plain) {
    errors.InvalidJson(path, ListText(rule, "resources"),
                       "if '*' is present, must not specify other resources without subresources");
  }
}

void ValidateRule(const doc::Value& rule, std::string_view path, FieldErrors& errors) {
  const Strings names = ReadStrings(rule, "resourceNames");
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name_path = Index(Child(path, "resourceNames"), i);
    for (const std::string& message : base::ValidatePathSegment(names[i])) {
      errors.Invalid(name_path, names[i], message);
    }
    if (!seen.insert(names[i]).second) errors.Duplicate(name_path, names[i]);
  }

  const Strings operations = RequiredList(rule, path, "operations", "operations", errors);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    static const std::vector<std::string_view> kOperations = {"*", "CONNECT", "CREATE", "DELETE",
                                                              "UPDATE"};
    if (std::find(kOperations.begin(), kOperations.end(), operations[i]) == kOperations.end()) {
      errors.Unsupported(Index(Child(path, "operations"), i), operations[i], kOperations);
    }
  }
  RequiredList(rule, path, "apiGroups", "API groups", errors);
  const Strings versions = RequiredList(rule, path, "apiVersions", "API versions", errors);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (versions[i].empty()) errors.Required(Index(Child(path, "apiVersions"), i));
  }
  ValidateResources(rule, path, errors);
  if (Member(rule, "scope") != nullptr) {
    const std::string_view scope = rule.StringAt("scope");
    if (scope != "*" && scope != "Cluster" && scope != "Namespaced") {
      errors.Unsupported(Child(path, "scope"), scope, {"*", "Cluster", "Namespaced"});
    }
  }
}

void ValidateSelector(const doc::Value& value, std::string_view path, std::string_view field,
                      FieldErrors& errors) {
  const doc::Value* selector = Member(value, field);
  if (selector == nullptr) {
    errors.Required(Child(path, field));
  } else {
    ValidateLabelSelector(*selector, Child(path, field), errors);
  }
}

}  // namespace

void ValidateMatchResources(const doc::Value& value, std::string_view path,
                            const MatchResourcesRules& rules, FieldErrors& errors) {
  if (Member(value, "matchPolicy") == nullptr) {
    errors.Required(Child(path, "matchPolicy"));
  } else if (const std::string_view policy = value.StringAt("matchPolicy");
             policy != "Exact" && policy != "Equivalent") {
    errors.Unsupported(Child(path, "matchPolicy"), policy, {"Equivalent", "Exact"});
  }
  ValidateSelector(value, path, "namespaceSelector", errors);
  ValidateSelector(value, path, "objectSelector", errors);
  for (const std::string_view field : {"resourceRules", "excludeResourceRules"}) {
    const auto list = Items(value, field);
    for (std::size_t i = 0; i < list.size(); ++i) {
      ValidateRule(list[i], Index(Child(path, field), i), errors);
    }
  }
  const auto list = Items(value, "resourceRules");
  if (rules.rules_required && list.empty()) errors.Required(Child(path, "resourceRules"));
  if (rules.delete_allowed) return;
  for (const doc::Value& rule : list) {
    static const std::vector<std::string_view> kMutable = {"*", "CONNECT", "CREATE", "UPDATE"};
    for (const std::string_view operation : ReadStrings(rule, "operations")) {
      if (std::find(kMutable.begin(), kMutable.end(), operation) != kMutable.end()) continue;
      errors.Unsupported(Child(path, "resourceRules.operations"), operation, kMutable);
    }
  }
}

}  // namespace portcullis::policy
