#include "policy/kyverno_cel/pod_templates.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "doc/edit.h"
#include "doc/path.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using doc::Value;

constexpr std::size_t kMaxDepth = 64;

// Every container has a name and names an image.
bool IsTemplate(const Value& value) {
  const Value* metadata = value.Find("metadata");
  if (metadata != nullptr && !metadata->is_map()) return false;
  const Value* spec = value.Find("spec");
  const Value* containers = spec != nullptr && spec->is_map() ? spec->Find("containers") : nullptr;
  if (containers == nullptr || !containers->is_list() || containers->size() == 0) return false;
  return std::all_of(containers->as_list().begin(), containers->as_list().end(),
                     [](const Value& container) {
                       if (!container.is_map() || container.StringAt("name").empty()) return false;
                       const Value* image = container.Find("image");
                       return image != nullptr && image->is_string();
                     });
}

// Templates in the order of their keys; nothing is looked for inside one.
void FindTemplates(const Value& value, doc::Path& path, std::vector<doc::Path>& out) {
  if (path.size() > kMaxDepth) return;
  if (value.is_list()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      path.emplace_back(static_cast<std::int64_t>(i));
      FindTemplates(value.as_list()[i], path, out);
      path.pop_back();
    }
    return;
  }
  if (!value.is_map()) return;
  if (IsTemplate(value)) {
    out.push_back(path);
    return;
  }
  std::vector<const doc::MapEntry*> entries;
  for (const doc::MapEntry& entry : value.as_map()) {
    if (entry.key.is_string()) entries.push_back(&entry);
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto* a, const auto* b) { return a->key.as_string() < b->key.as_string(); });
  for (const doc::MapEntry* entry : entries) {
    path.emplace_back(std::string(entry->key.as_string()));
    FindTemplates(entry->value, path, out);
    path.pop_back();
  }
}

// The Pod of a template: null when the object has none there.
Value PodAt(const Value& object, const doc::Path& path, const match::AdmissionRequest& request,
            base::Arena& arena) {
  const Value* found = object.is_map() ? doc::Lookup(object, path) : nullptr;
  if (found == nullptr || !found->is_map()) return {};
  const Value* own = found->Find("metadata");
  doc::MapBuilder metadata(own != nullptr && own->is_map() ? *own : Value::EmptyMap());
  const auto inherit = [&](std::string_view name, std::string_view value) {
    if (metadata.Find(name) == nullptr && !value.empty()) metadata.Set(name, Value::String(value));
  };
  inherit("name", request.name);
  inherit("namespace", request.ns);
  doc::MapBuilder pod;
  pod.Set("apiVersion", Value::String("v1"));
  pod.Set("kind", Value::String("Pod"));
  pod.Set("metadata", metadata.Build(arena));
  pod.Set("spec", *found->Find("spec"));
  return pod.Build(arena);
}

match::AdmissionRequest PodRequest(const match::AdmissionRequest& request, const Value& pod,
                                   const Value& old_pod) {
  match::AdmissionRequest out = request;
  out.kind = {"", "v1", "Pod"};
  out.resource = {"", "v1", "pods"};
  out.request_kind = out.kind;
  out.request_resource = out.resource;
  out.object = pod;
  out.old_object = old_pod;
  const Value& subject = pod.is_null() ? old_pod : pod;
  out.name = subject.Find("metadata")->StringAt("name");
  out.ns = subject.Find("metadata")->StringAt("namespace");
  return out;
}

}  // namespace

Evaluation EvaluatePodTemplates(RequestContext& context, const PodEvaluation& evaluate) {
  const match::AdmissionRequest& request = context.request;
  const Value& object = request.object.is_null() ? request.old_object : request.object;
  std::vector<doc::Path> paths;
  if (const Value* spec = object.is_map() ? object.Find("spec") : nullptr; spec != nullptr) {
    doc::Path path = {doc::PathStep("spec")};
    FindTemplates(*spec, path, paths);
  }
  Evaluation out;
  if (paths.empty()) {
    out.Set(Outcome::kError, "",
            "error: extraction mode: no pod template found in " +
                match::ApiVersionString(request.kind.group, request.kind.version) + "/" +
                std::string(request.kind.kind));
    return out;
  }
  for (const doc::Path& path : paths) {
    const Value pod = PodAt(request.object, path, request, context.arena);
    const Value old_pod = PodAt(request.old_object, path, request, context.arena);
    match::AdmissionRequest pod_request = PodRequest(request, pod, old_pod);
    RequestContext inner(pod_request, context.providers, context.types, context.arena);
    inner.interrupt = context.interrupt;
    inner.explain_failures = context.explain_failures;
    inner.observer = context.observer;
    Evaluation result = evaluate(inner);
    if (result.outcome == Outcome::kFail || result.outcome == Outcome::kError) {
      const std::string place = doc::RenderPath(path);
      result.message += " (pod template at " + place + ")";
      if (!result.resource_path.empty()) result.resource_path = place + "." + result.resource_path;
      return result;
    }
    // What was skipped counts only when everything was.
    if (result.matched && (!out.matched || out.outcome == Outcome::kSkip)) out = std::move(result);
  }
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
