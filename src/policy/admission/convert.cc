#include "policy/admission/convert.h"

#include <array>
#include <vector>

#include "doc/edit.h"
#include "json/writer.h"
#include "policy/admission/decode.h"

namespace portcullis::policy {
namespace {

constexpr std::string_view kMetricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
constexpr std::string_view kBehaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";

doc::Value Object(base::Arena& arena, std::initializer_list<doc::MapEntry> entries) {
  return doc::MakeMap(arena, std::span<const doc::MapEntry>(entries.begin(), entries.size()));
}

doc::Value Text(std::string_view text) { return doc::Value::String(text); }

doc::Value WithVersion(const doc::Value& object, const match::GroupVersionKind& to,
                       base::Arena& arena) {
  const std::string version = match::ApiVersionString(to.group, to.version);
  return doc::WithEntry(arena, object, "apiVersion", doc::MakeString(arena, version));
}

const doc::Value* Path(const doc::Value& value, std::initializer_list<std::string_view> names) {
  const doc::Value* at = &value;
  for (const std::string_view name : names) {
    at = Member(*at, name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

// The utilisation of a metric on the CPU of the pods, which v1 has a field for.
const doc::Value* CpuUtilization(const doc::Value& metric) {
  const doc::Value* name = Path(metric, {"resource", "name"});
  const doc::Value* type = Path(metric, {"resource", "target", "type"});
  if (metric.StringAt("type") != "Resource" || name == nullptr || !name->is_string() ||
      name->as_string() != "cpu" || type == nullptr || !type->is_string() ||
      type->as_string() != "Utilization") {
    return nullptr;
  }
  return Path(metric, {"resource", "target", "averageUtilization"});
}

// A v2 metric in the form of v1's annotation.
doc::Value MetricForAnnotation(const doc::Value& metric, base::Arena& arena) {
  const doc::Value* name = Path(metric, {"resource", "name"});
  if (metric.StringAt("type") != "Resource" || name == nullptr) return metric;
  std::vector<doc::MapEntry> resource = {{Text("name"), *name}};
  if (const doc::Value* v = Path(metric, {"resource", "target", "averageUtilization"})) {
    resource.push_back({Text("targetAverageUtilization"), *v});
  }
  if (const doc::Value* v = Path(metric, {"resource", "target", "averageValue"})) {
    resource.push_back({Text("targetAverageValue"), *v});
  }
  return Object(
      arena, {{Text("type"), Text("Resource")}, {Text("resource"), doc::MakeMap(arena, resource)}});
}

doc::Value Annotate(doc::Value object, std::string_view key, const doc::Value& value,
                    base::Arena& arena) {
  const doc::Value* metadata = Member(object, "metadata");
  const doc::Value meta = metadata == nullptr ? doc::Value::EmptyMap() : *metadata;
  const doc::Value* annotations = Member(meta, "annotations");
  const doc::Value changed =
      doc::WithEntry(arena, annotations == nullptr ? doc::Value::EmptyMap() : *annotations, key,
                     doc::MakeString(arena, json::ToString(value)));
  return doc::WithEntry(arena, object, "metadata",
                        doc::WithEntry(arena, meta, "annotations", changed));
}

doc::Value AutoscalerToV1(doc::Value object, base::Arena& arena) {
  const doc::Value* spec_member = Member(object, "spec");
  if (spec_member == nullptr) return object;
  doc::Value spec = doc::WithoutEntry(arena, *spec_member, "metrics");
  std::vector<doc::Value> others;
  bool has_cpu = false;
  for (const doc::Value& metric : Items(*spec_member, "metrics")) {
    const doc::Value* cpu = has_cpu ? nullptr : CpuUtilization(metric);
    if (cpu != nullptr) {
      spec = doc::WithEntry(arena, spec, "targetCPUUtilizationPercentage", *cpu);
      has_cpu = true;
    } else {
      others.push_back(MetricForAnnotation(metric, arena));
    }
  }
  if (const doc::Value* behavior = Member(spec, "behavior"); behavior != nullptr) {
    object = Annotate(object, kBehaviorAnnotation, *behavior, arena);
    spec = doc::WithoutEntry(arena, spec, "behavior");
  }
  if (!others.empty()) {
    object = Annotate(object, kMetricsAnnotation, doc::MakeList(arena, others), arena);
  }
  object = doc::WithEntry(arena, object, "spec", spec);
  if (const doc::Value* status = Member(object, "status"); status != nullptr) {
    doc::Value changed = doc::WithoutEntry(arena, *status, "currentMetrics");
    changed = doc::WithoutEntry(arena, changed, "conditions");
    if (Member(changed, "currentReplicas") == nullptr) {
      changed = doc::WithEntry(arena, changed, "currentReplicas", doc::Value::Int(0));
    }
    object = doc::WithEntry(arena, object, "status", changed);
  }
  return object;
}

doc::Value AutoscalerToV2(doc::Value object, base::Arena& arena) {
  const doc::Value* spec_member = Member(object, "spec");
  if (spec_member == nullptr) return object;
  doc::Value spec = *spec_member;
  if (const doc::Value* cpu = Member(spec, "targetCPUUtilizationPercentage"); cpu != nullptr) {
    const doc::Value target =
        Object(arena, {{Text("type"), Text("Utilization")}, {Text("averageUtilization"), *cpu}});
    const doc::Value resource =
        Object(arena, {{Text("name"), Text("cpu")}, {Text("target"), target}});
    const doc::Value metric =
        Object(arena, {{Text("type"), Text("Resource")}, {Text("resource"), resource}});
    spec = doc::WithEntry(arena, doc::WithoutEntry(arena, spec, "targetCPUUtilizationPercentage"),
                          "metrics", doc::MakeList(arena, std::span<const doc::Value>(&metric, 1)));
  }
  object = doc::WithEntry(arena, object, "spec", spec);
  if (const doc::Value* status = Member(object, "status"); status != nullptr) {
    doc::Value changed = doc::WithoutEntry(arena, *status, "currentCPUUtilizationPercentage");
    changed = doc::WithEntry(arena, changed, "currentMetrics", doc::Value::Null());
    object = doc::WithEntry(arena, object, "status", changed);
  }
  return object;
}

// Member names of core/v1 Events and those of events.k8s.io/v1.
constexpr std::array<std::array<std::string_view, 2>, 7> kEventNames = {{
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
}};

doc::Value RenameEvent(const doc::Value& object, std::size_t from, base::Arena& arena) {
  std::vector<doc::MapEntry> entries(object.as_map().begin(), object.as_map().end());
  for (doc::MapEntry& entry : entries) {
    for (const auto& names : kEventNames) {
      if (entry.key.as_string() == names[from]) {
        entry.key = Text(names[1 - from]);
        break;
      }
    }
  }
  return doc::MakeMap(arena, entries);
}

}  // namespace

std::optional<doc::Value> ConvertObject(const doc::Value& object,
                                        const match::GroupVersionKind& from,
                                        const match::GroupVersionKind& to,
                                        const schema::TypeTable* types, base::Arena& arena) {
  if (from == to || !object.is_map()) return object;
  if (from.kind == "HorizontalPodAutoscaler" && to.kind == from.kind &&
      from.group == "autoscaling" && to.group == from.group) {
    if (to.version == "v1") return AutoscalerToV1(WithVersion(object, to, arena), arena);
    if (from.version == "v1") return AutoscalerToV2(WithVersion(object, to, arena), arena);
    return WithVersion(object, to, arena);
  }
  if (from.kind == "Event" && to.kind == "Event") {
    return RenameEvent(WithVersion(object, to, arena), from.group.empty() ? 0 : 1, arena);
  }
  const schema::Kind* kind =
      types == nullptr ? nullptr : types->FindKind(to.group, to.version, to.kind);
  if (kind != nullptr && kind->custom && from.group == to.group && from.kind == to.kind) {
    return WithVersion(object, to, arena);
  }
  return std::nullopt;
}

}  // namespace portcullis::policy
