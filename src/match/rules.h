#ifndef PORTCULLIS_MATCH_RULES_H_
#define PORTCULLIS_MATCH_RULES_H_

// RuleWithOperations and NamedRuleWithOperations: which requests a rule names
// (spec/kubernetes-admission.md 1.4). Immutable after construction.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"
#include "match/request.h"

namespace portcullis::match {

enum class Scope : std::uint8_t { kAny, kNamespaced, kCluster, kNever };

struct ResourcePattern {
  std::string resource;     // "*": any
  std::string subresource;  // "*": any, also none
};

struct Rule {
  std::vector<std::string> groups;
  std::vector<std::string> versions;
  std::vector<ResourcePattern> resources;
  std::vector<std::string> resource_names;  // empty: any
  std::uint8_t operations = 0;              // bit per Operation
  Scope scope = Scope::kAny;

  // From the API object (apiGroups, apiVersions, operations, resources, scope, resourceNames).
  static Rule FromValue(const doc::Value& rule);

  // Everything but the names, with the request's resource replaced by `resource`.
  bool MatchesResource(const AdmissionRequest& request, const GroupVersionResource& resource) const;
  bool MatchesName(std::string_view name) const;
};

}  // namespace portcullis::match

#endif  // PORTCULLIS_MATCH_RULES_H_
