#include "policy/kyverno_cel/mutating_targets.h"

#include <algorithm>

#include "policy/admission/decode.h"
#include "provider/kyverno_context.h"
#include "schema/type_table.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kWildcard = "*";
constexpr std::string_view kNothingKnown = "nothing is known about existing objects";

bool Names(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return pattern == kWildcard || pattern == name;
  });
}

bool HasWildcard(const std::vector<std::string>& patterns) {
  return std::find(patterns.begin(), patterns.end(), kWildcard) != patterns.end();
}

bool NamesResource(const match::Rule& rule, std::string_view plural) {
  return std::any_of(rule.resources.begin(), rule.resources.end(), [&](const auto& pattern) {
    return pattern.subresource.empty() &&
           (pattern.resource == kWildcard || pattern.resource == plural);
  });
}

// The resources of a rule, whatever its operations. What it names outright need not be a known
// kind; wildcards stand for known kinds, in their preferred version.
std::vector<provider::ResourceName> ResourcesOf(const match::Rule& rule,
                                                const schema::TypeTable& types) {
  std::vector<provider::ResourceName> out;
  const bool wild = HasWildcard(rule.groups) || HasWildcard(rule.versions) ||
                    std::any_of(rule.resources.begin(), rule.resources.end(),
                                [](const auto& pattern) { return pattern.resource == kWildcard; });
  if (wild) {
    for (const schema::Kind* kind : types.All()) {
      if (!Names(rule.groups, kind->group) || !Names(rule.versions, kind->version) ||
          !NamesResource(rule, kind->plural)) {
        continue;
      }
      const schema::Kind* preferred = types.PreferredKind(kind->group, kind->kind);
      if (HasWildcard(rule.versions) && preferred != kind) continue;
      out.push_back({kind->group, kind->version, kind->plural, {}});
    }
    return out;
  }
  for (const std::string& group : rule.groups) {
    for (const std::string& version : rule.versions) {
      for (const auto& pattern : rule.resources) {
        if (pattern.subresource.empty()) out.push_back({group, version, pattern.resource, {}});
      }
    }
  }
  return out;
}

// An object, or the items of a list. `resource` empty: as the table of types says.
void AddObjects(const doc::Value& value, std::string_view resource, const schema::TypeTable& types,
                std::vector<Target>& out) {
  const auto add = [&](const doc::Value& object) {
    std::string_view plural = resource;
    if (plural.empty()) {
      const schema::Kind* kind = types.FindKindOf(object);
      if (kind != nullptr) plural = kind->plural;
    }
    out.push_back({object, plural});
  };
  const doc::Value* items = value.Find("items");
  if (items == nullptr || !items->is_list()) {
    if (value.is_map() && value.size() != 0) add(value);
    return;
  }
  for (const doc::Value& item : items->as_list()) {
    if (item.is_map()) add(item);
  }
}

}  // namespace

FoundTargets FindTargets(const MutatingPolicy& policy, Activation& activation,
                         RequestContext& context) {
  FoundTargets out;
  const schema::TypeTable& types =
      context.types != nullptr ? *context.types : schema::TypeTable::Builtin();
  if (policy.targets.expression) {
    const doc::Value value = cel::Evaluate(*policy.targets.expression.program, activation,
                                           context.arena, activation.options())
                                 .value;
    if (value.is_error()) {
      out.error = cel::ErrorMessage(value);
    } else {
      AddObjects(value, {}, types, out.targets);
    }
    return out;
  }
  const provider::KyvernoContext* outside = context.providers.kyverno;
  if (outside == nullptr) {
    out.error = kNothingKnown;
    return out;
  }
  for (const match::Rule& rule : policy.targets.constraints.rules) {
    for (const provider::ResourceName& resource : ResourcesOf(rule, types)) {
      const provider::Lookup found =
          outside->ListResources(resource, policy.info.ns, doc::Value::Null(), context.arena);
      if (found.state == provider::Lookup::State::kError) {
        out.error = found.error;
        return out;
      }
      if (found.found()) AddObjects(found.object, resource.resource, types, out.targets);
    }
  }
  return out;
}

match::AdmissionRequest TargetRequest(const Target& target,
                                      const match::AdmissionRequest& trigger) {
  match::AdmissionRequest out;
  const match::GroupVersion version = match::SplitApiVersion(target.object.StringAt("apiVersion"));
  out.kind = {version.group, version.version, target.object.StringAt("kind")};
  out.resource = {version.group, version.version, target.resource};
  out.request_kind = out.kind;
  out.request_resource = out.resource;
  if (const doc::Value* metadata = Member(target.object, "metadata"); metadata != nullptr) {
    out.name = metadata->StringAt("name");
    out.ns = metadata->StringAt("namespace");
  }
  out.operation = match::Operation::kUpdate;
  out.user_info = trigger.user_info;
  out.object = target.object;
  out.dry_run = trigger.dry_run;
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
