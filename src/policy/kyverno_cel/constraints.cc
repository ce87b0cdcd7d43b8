#include "policy/kyverno_cel/constraints.h"

#include <algorithm>
#include <string_view>

#include "doc/edit.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";

// The labels that the namespaceSelector sees. A Namespace of which nothing is known still has the
// label with its name.
doc::Value NamespaceLabels(RequestContext& context, std::string& error) {
  const match::AdmissionRequest& request = context.request;
  const bool changes = request.operation == match::Operation::kCreate ||
                       request.operation == match::Operation::kUpdate;
  if (request.resource.resource == "namespaces" && changes && request.sub_resource.empty()) {
    return match::LabelsOf(request.object);
  }
  const provider::Lookup& found = context.RequestNamespace();
  if (found.found()) return match::LabelsOf(found.object);
  if (found.state == provider::Lookup::State::kError) error = found.error;
  return doc::WithEntry(context.arena, doc::Value::EmptyMap(), kNameLabel,
                        doc::Value::String(request.ns));
}

bool NamespaceMatches(const match::LabelSelector& selector, RequestContext& context,
                      std::string& error) {
  if (selector.empty()) return true;
  const match::AdmissionRequest& request = context.request;
  if (request.ns.empty() && request.resource.resource != "namespaces") return true;
  if (!selector.error().empty()) {
    error = selector.error();
    return true;
  }
  const doc::Value labels = NamespaceLabels(context, error);
  return !error.empty() || selector.Matches(labels);
}

bool ObjectMatches(const match::LabelSelector& selector, const match::AdmissionRequest& request,
                   std::string& error) {
  if (selector.empty()) return true;
  if (!selector.error().empty()) {
    error = selector.error();
    return true;
  }
  const auto matches = [&](const doc::Value& object) {
    return object.is_map() && selector.Matches(match::LabelsOf(object));
  };
  return matches(request.object) || matches(request.old_object);
}

// An object without a name yet is known by what its name will start with.
bool NameMatches(const match::Rule& rule, const match::AdmissionRequest& request) {
  if (rule.MatchesName(request.name)) return true;
  if (!request.name.empty()) return false;
  const doc::Value* metadata = request.object.Find("metadata");
  const std::string_view prefix =
      metadata == nullptr ? std::string_view() : metadata->StringAt("generateName");
  return std::any_of(rule.resource_names.begin(), rule.resource_names.end(),
                     [&](const std::string& name) { return prefix.starts_with(name); });
}

bool AnyRule(const std::vector<match::Rule>& rules, const match::AdmissionRequest& request) {
  return std::any_of(rules.begin(), rules.end(), [&](const match::Rule& rule) {
    return rule.MatchesResource(request, request.resource) && NameMatches(rule, request);
  });
}

}  // namespace

ConstraintsResult MatchConstraints(const match::MatchResources& constraints,
                                   RequestContext& context) {
  ConstraintsResult out;
  std::string error;
  if (!NamespaceMatches(constraints.namespace_selector, context, error)) return out;
  if (!ObjectMatches(constraints.object_selector, context.request, error)) return out;
  if (AnyRule(constraints.exclude_rules, context.request)) return out;
  out.matched = constraints.rules.empty() || AnyRule(constraints.rules, context.request);
  // A broken selector only matters where the rules match.
  if (out.matched) out.error = std::move(error);
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
