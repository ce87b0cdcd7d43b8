#include "match/match_resources.h"

#include <array>

#include "base/arena.h"
#include "base/gotext.h"
#include "schema/type_table.h"

namespace portcullis::match {
namespace {

struct GroupResource {
  std::string_view group;
  std::string_view resource;
};

// Resources of different groups that share their storage: the same objects under two names.
constexpr std::array<std::array<GroupResource, 2>, 1> kSharedStorage = {{
    {{{"", "events"}, {"events.k8s.io", "events"}}},
}};

struct Hit {
  GroupVersionResource resource;
  bool found = false;
  bool equivalent = false;
};

std::vector<GroupVersionResource> EquivalentResources(const MatchContext& context) {
  std::vector<GroupVersionResource> out;
  if (context.types == nullptr) return out;
  const GroupVersionResource& own = context.request.resource;
  const auto add = [&](std::string_view group, std::string_view resource) {
    for (const schema::Kind* kind : context.types->ResourceVersions(group, resource)) {
      const GroupVersionResource candidate{kind->group, kind->version, kind->plural};
      if (candidate != own) out.push_back(candidate);
    }
  };
  add(own.group, own.resource);
  for (const auto& pair : kSharedStorage) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (pair[i].group == own.group && pair[i].resource == own.resource) {
        add(pair[1 - i].group, pair[1 - i].resource);
      }
    }
  }
  return out;
}

Hit FindRule(const std::vector<Rule>& rules, bool equivalent, const MatchContext& context) {
  const AdmissionRequest& request = context.request;
  for (const Rule& rule : rules) {
    if (rule.MatchesResource(request, request.resource) && rule.MatchesName(request.name)) {
      return {request.resource, true, false};
    }
  }
  if (!equivalent || rules.empty()) return {};
  const std::vector<GroupVersionResource> others = EquivalentResources(context);
  if (others.empty()) return {};
  for (const Rule& rule : rules) {
    if (!rule.MatchesName(request.name)) continue;
    for (const GroupVersionResource& other : others) {
      if (rule.MatchesResource(request, other)) return {other, true, true};
    }
  }
  return {};
}

// The kind served at `resource` and the request's subresource; nullopt if there is none.
std::optional<GroupVersionKind> KindOf(const GroupVersionResource& resource,
                                       const MatchContext& context) {
  const schema::Kind* kind =
      context.types->FindResource(resource.group, resource.version, resource.resource);
  if (kind == nullptr) return std::nullopt;
  if (context.request.sub_resource.empty()) {
    return GroupVersionKind{kind->group, kind->version, kind->kind};
  }
  const schema::Subresource* sub = kind->FindSubresource(context.request.sub_resource);
  if (sub == nullptr) return std::nullopt;
  return GroupVersionKind{sub->group, sub->version, sub->kind};
}

bool MatchObjects(const LabelSelector& selector, const AdmissionRequest& request) {
  // An object without metadata has no labels to look at: not even `DoesNotExist` matches it.
  const auto matches = [&](const doc::Value& object) {
    return object.is_map() && object.Find("metadata") != nullptr &&
           selector.Matches(LabelsOf(object));
  };
  return selector.empty() || matches(request.object) || matches(request.old_object);
}

// Is the namespace selected? An error when the labels of the Namespace cannot be had.
bool MatchNamespace(const LabelSelector& selector, const MatchContext& context,
                    std::optional<MatchError>& error) {
  const AdmissionRequest& request = context.request;
  const bool on_namespaces = request.resource.resource == "namespaces";
  if (request.ns.empty() && !on_namespaces) return true;
  if (!selector.error().empty()) {
    error = MatchError{selector.error(), false};
    return false;
  }
  if (selector.empty()) return true;
  if (on_namespaces && request.sub_resource.empty() &&
      (request.operation == Operation::kCreate || request.operation == Operation::kUpdate)) {
    return selector.Matches(LabelsOf(request.object));
  }
  provider::Lookup lookup;
  if (context.namespaces != nullptr) lookup = context.namespaces->Find(request.ns);
  switch (lookup.state) {
    case provider::Lookup::State::kFound:
      return selector.Matches(LabelsOf(lookup.object));
    case provider::Lookup::State::kNotFound:
      error = MatchError{"namespaces " + base::GoQuote(request.ns) + " not found", true};
      return false;
    case provider::Lookup::State::kUnknown: {
      // Its name is the one label that every Namespace is known to have.
      constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
      if (selector.OnlyReads(kNameLabel)) {
        base::Arena arena;
        const doc::MapEntry label[] = {
            {doc::Value::String(kNameLabel), doc::Value::String(request.ns)}};
        return selector.Matches(doc::MakeMap(arena, label));
      }
      error = MatchError{UnknownNamespace(request.ns), false};
      return false;
    }
    case provider::Lookup::State::kError:
      error = MatchError{"Internal error occurred: " + lookup.error, false};
      return false;
  }
  return false;
}

std::vector<Rule> ReadRules(const doc::Value& value, std::string_view field) {
  std::vector<Rule> out;
  const doc::Value* list = value.Find(field);
  if (list == nullptr || !list->is_list()) return out;
  for (const doc::Value& item : list->as_list()) out.push_back(Rule::FromValue(item));
  return out;
}

LabelSelector ReadSelector(const doc::Value& value, std::string_view field) {
  const doc::Value* selector = value.Find(field);
  return selector == nullptr ? LabelSelector() : LabelSelector::Compile(*selector);
}

}  // namespace

MatchResources MatchResources::FromValue(const doc::Value& value) {
  MatchResources out;
  out.rules = ReadRules(value, "resourceRules");
  out.exclude_rules = ReadRules(value, "excludeResourceRules");
  out.namespace_selector = ReadSelector(value, "namespaceSelector");
  out.object_selector = ReadSelector(value, "objectSelector");
  out.equivalent = value.StringAt("matchPolicy") != "Exact";
  return out;
}

MatchResult MatchResources::Match(const MatchContext& context) const {
  MatchResult result;
  // Selector errors count only when everything else matches, so they are kept for the end.
  std::optional<MatchError> namespace_error;
  if (!MatchNamespace(namespace_selector, context, namespace_error) && !namespace_error) {
    return result;
  }
  std::optional<MatchError> object_error;
  if (!object_selector.error().empty()) {
    object_error = MatchError{object_selector.error(), false};
  } else if (!MatchObjects(object_selector, context.request)) {
    return result;
  }
  if (FindRule(exclude_rules, equivalent, context).found) return result;

  Hit hit{context.request.resource, rules.empty(), false};
  if (!rules.empty()) hit = FindRule(rules, equivalent, context);
  if (!hit.found) return result;

  result.matched = true;
  result.resource = hit.resource;
  result.kind = context.request.kind;
  if (hit.equivalent) {
    if (const auto kind = KindOf(hit.resource, context)) {
      result.kind = *kind;
    } else {
      result.error =
          MatchError{"unable to convert to " + ToString(hit.resource) + ": unknown kind", false};
    }
  }
  if (object_error) result.error = std::move(object_error);
  if (namespace_error) result.error = std::move(namespace_error);
  return result;
}

std::string UnknownNamespace(std::string_view name) {
  return "the Namespace " + base::GoQuote(name) + " is not among the inputs";
}

bool ExemptFromPolicies(const AdmissionRequest& request) {
  const std::string_view group = request.resource.group;
  const std::string_view resource = request.resource.resource;
  if (group == "admissionregistration.k8s.io") {
    return resource == "validatingadmissionpolicies" ||
           resource == "validatingadmissionpolicybindings" ||
           resource == "mutatingadmissionpolicies" || resource == "mutatingadmissionpolicybindings";
  }
  if (group == "authentication.k8s.io") {
    return resource == "tokenreviews" || resource == "selfsubjectreviews";
  }
  if (group == "authorization.k8s.io") {
    return resource == "subjectaccessreviews" || resource == "localsubjectaccessreviews" ||
           resource == "selfsubjectaccessreviews" || resource == "selfsubjectrulesreviews";
  }
  return false;
}

}  // namespace portcullis::match
