#ifndef PORTCULLIS_MATCH_MATCH_RESOURCES_H_
#define PORTCULLIS_MATCH_MATCH_RESOURCES_H_

// MatchResources: does a policy or binding concern a request, and as which resource and kind
// (spec/kubernetes-admission.md 1.5 to 1.8)? Immutable after construction, thread-safe.

#include <optional>
#include <string>
#include <vector>

#include "match/label_selector.h"
#include "match/request.h"
#include "match/rules.h"
#include "provider/namespaces.h"

namespace portcullis::schema {
class TypeTable;
}

namespace portcullis::match {

// What matching may look at.
struct MatchContext {
  const AdmissionRequest& request;
  const provider::Namespaces* namespaces = nullptr;  // null: no Namespace exists
  const schema::TypeTable* types = nullptr;          // null: no kind has an equivalent
};

// Why matching could not be decided. `not_found_namespace`: the text is a 404 of the Namespace.
struct MatchError {
  std::string message;
  bool not_found_namespace = false;
};

struct MatchResult {
  bool matched = false;
  GroupVersionResource resource;  // as matched: the request's own or an equivalent
  GroupVersionKind kind;
  std::optional<MatchError> error;  // then `matched` is meaningless
};

struct MatchResources {
  std::vector<Rule> rules;
  std::vector<Rule> exclude_rules;
  LabelSelector namespace_selector;
  LabelSelector object_selector;
  bool equivalent = true;

  // From the API object after defaulting.
  static MatchResources FromValue(const doc::Value& value);

  MatchResult Match(const MatchContext& context) const;
};

// Text of an error about a Namespace of which nothing is known (provider::Lookup::kUnknown).
std::string UnknownNamespace(std::string_view name);

// The resources whose requests neither policies nor bindings ever see (1.3).
bool ExemptFromPolicies(const AdmissionRequest& request);

}  // namespace portcullis::match

#endif  // PORTCULLIS_MATCH_MATCH_RESOURCES_H_
