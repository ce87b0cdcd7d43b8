#include "cel/kyverno/context_generate.h"

#include "cel/eval/host.h"
#include "cel/eval/native.h"
#include "cel/kyverno/context_libraries.h"
#include "cel/kyverno/context_values.h"
#include "doc/edit.h"

namespace portcullis::cel {
namespace {

using doc::Value;

constexpr std::string_view kFailed = "failed to generate resources";

// Fields of metadata that only a stored object has.
constexpr std::string_view kStoredFields[] = {"uid", "selfLink", "creationTimestamp",
                                              "managedFields", "resourceVersion"};

bool PrepareOne(const Value& object, const GenerateTarget& target,
                const provider::KyvernoContext* outside, base::Arena& arena,
                std::vector<Value>& out, std::string& error) {
  const std::string_view api_version = object.StringAt("apiVersion");
  const std::string_view kind = object.StringAt("kind");
  const Value* given = object.Find("metadata");
  const std::string_view own = given != nullptr ? given->StringAt("namespace") : std::string_view();
  std::string_view ns = target.ns.empty() ? own : target.ns;
  const bool cluster_scoped =
      outside != nullptr && outside->Namespaced(api_version, kind) == std::optional<bool>(false);
  const std::string_view policy_ns = target.policy_namespace;
  if (cluster_scoped) {
    if (!policy_ns.empty()) {
      error = std::string("cross-scope generation denied: a policy scoped to namespace \"")
                  .append(policy_ns)
                  .append("\" cannot generate cluster-scoped resource ")
                  .append(api_version)
                  .append("/")
                  .append(kind);
      return false;
    }
    ns = {};
  } else if (!policy_ns.empty()) {
    if (ns.empty()) ns = policy_ns;
    if (ns != policy_ns) {
      error = std::string("cross-namespace generation denied: a policy in namespace \"")
                  .append(policy_ns)
                  .append("\" cannot generate resources into namespace \"")
                  .append(ns)
                  .append("\"");
      return false;
    }
  }
  doc::MapBuilder metadata;
  if (given != nullptr && given->is_map()) metadata = doc::MapBuilder(*given);
  for (const std::string_view field : kStoredFields) metadata.Remove(field);
  // Owners in another namespace would have the garbage collector remove the object.
  if (!own.empty() && own != ns) metadata.Remove("ownerReferences");
  if (ns.empty()) {
    metadata.Remove("namespace");
  } else {
    metadata.Set("namespace", doc::MakeString(arena, ns));
  }
  out.push_back(doc::WithEntry(arena, object, "metadata", metadata.Build(arena)));
  return true;
}

Value Apply(CallContext& context, Args args) noexcept {
  // A policy in a namespace generates into its own.
  const std::string_view own = kyverno::ContextOf(args[0]).policy_namespace;
  const GenerateTarget target{args.size() > 2 ? args[1].as_string() : own, own};
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  std::vector<Value> made;
  std::string error;
  for (const Value& item : args.back().as_list()) {
    Value object;
    if (!ToNative(context.arena, item, object, error) ||
        !PrepareGenerated(object, target, outside, context.arena, made, error)) {
      return kyverno::Failure(context, kFailed, error);
    }
  }
  for (const Value& object : made) {
    if (context.host == nullptr || !context.host->AddGenerated(object)) {
      return kyverno::Failure(context, kFailed, "nothing can be generated here");
    }
  }
  return Value::Bool(true);
}

constexpr Overload kOverloads[] = {
    {"generator_Apply", "Apply", "(generator.Context, string, list(map(string, any))) -> bool",
     Apply, kMember},
    {"generator_apply", "apply", "(generator.Context, string, list(map(string, any))) -> bool",
     Apply, kMember},
};

constexpr Overload kNamespacedOverloads[] = {
    {"generator_namespaced_Apply", "Apply", "(generator.Context, list(map(string, any))) -> bool",
     Apply, kMember},
    {"generator_namespaced_apply", "apply", "(generator.Context, list(map(string, any))) -> bool",
     Apply, kMember},
};

constexpr Library kLibrary{"kyverno.generator", kOverloads};
constexpr Library kNamespacedLibrary{"kyverno.generator.namespaced", kNamespacedOverloads};

}  // namespace

bool PrepareGenerated(const Value& object, const GenerateTarget& target,
                      const provider::KyvernoContext* outside, base::Arena& arena,
                      std::vector<Value>& out, std::string& error) {
  if (!object.is_map()) {
    error = "an object is expected";
    return false;
  }
  const Value* items = object.Find("items");
  if (items == nullptr || !items->is_list()) {
    return PrepareOne(object, target, outside, arena, out, error);
  }
  for (const Value& item : items->as_list()) {
    if (!item.is_map()) {
      error = "the items of a list must be objects";
      return false;
    }
    if (!PrepareOne(item, target, outside, arena, out, error)) return false;
  }
  return true;
}

const Library& KyvernoGeneratorLibrary(bool namespaced) {
  return namespaced ? kNamespacedLibrary : kLibrary;
}

}  // namespace portcullis::cel
