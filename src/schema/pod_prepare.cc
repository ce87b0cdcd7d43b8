// What the server's code for Pods sets on CREATE, after mutation.

#include <string>
#include <vector>

#include "schema/pod_resources.h"
#include "schema/quality.h"
#include "schema/server_prepare.h"

namespace portcullis::schema {

namespace {

constexpr std::string_view kAppArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
constexpr std::string_view kLocalhostPrefix = "localhost/";

// The field that an old AppArmor annotation means; null for unknown values.
doc::Value AppArmorProfile(Workspace& workspace, std::string_view annotation) {
  Fields profile(workspace);
  if (annotation == "unconfined") {
    profile.SetString("type", "Unconfined");
  } else if (annotation == "runtime/default") {
    profile.SetString("type", "RuntimeDefault");
  } else if (annotation.starts_with(kLocalhostPrefix) &&
             annotation.size() > kLocalhostPrefix.size()) {
    profile.SetString("type", "Localhost");
    profile.SetString("localhostProfile", annotation.substr(kLocalhostPrefix.size()));
  } else {
    return doc::Value::Null();
  }
  return profile.Build();
}

bool SameProfile(const doc::Value* a, const doc::Value& b) {
  return a != nullptr && a->is_map() && a->StringAt("type") == b.StringAt("type") &&
         a->StringAt("localhostProfile") == b.StringAt("localhostProfile");
}

void CopyAppArmorAnnotation(Fields& container, const doc::Value& annotations,
                            const doc::Value* pod_profile) {
  const std::string name = std::string(kAppArmorPrefix) + std::string(container.GetString("name"));
  const doc::Value* annotation = annotations.Find(name);
  if (annotation == nullptr || !annotation->is_string()) return;
  if (container.Get("securityContext").Find("appArmorProfile") != nullptr) return;
  const doc::Value profile = AppArmorProfile(container.workspace(), annotation->as_string());
  if (profile.is_null() || SameProfile(pod_profile, profile)) return;
  container.Edit("securityContext", true,
                 [&](Fields& context) { context.Set("appArmorProfile", profile); });
}

void CopyAppArmorAnnotations(Fields& spec, const doc::Value& annotations) {
  if (!annotations.is_map() || spec.Get("os").StringAt("name") == "windows") return;
  const doc::Value context = spec.Get("securityContext");
  const doc::Value* pod_profile = context.Find("appArmorProfile");
  for (const std::string_view list : {"containers", "initContainers", "ephemeralContainers"}) {
    spec.EditItems(list, [&](Fields& container) {
      CopyAppArmorAnnotation(container, annotations, pod_profile);
    });
  }
}

// matchLabelKeys: the pod's own values of these labels become part of the selector.
void MergeLabelKeys(Fields& term, std::string_view keys_field, std::string_view op,
                    const doc::Value& labels) {
  const doc::Value keys = term.Get(keys_field);
  if (!keys.is_list() || keys.size() == 0 || !labels.is_map()) return;
  term.Edit("labelSelector", false, [&](Fields& selector) {
    std::vector<doc::Value> expressions;
    const doc::Value old = selector.Get("matchExpressions");
    if (old.is_list()) expressions.assign(old.as_list().begin(), old.as_list().end());
    const std::size_t before = expressions.size();
    for (const doc::Value& key : keys.as_list()) {
      const doc::Value* value = key.is_string() ? labels.Find(key.as_string()) : nullptr;
      if (value == nullptr) continue;
      Fields expression(selector.workspace());
      expression.Set("key", key);
      expression.SetString("operator", op);
      expression.Set("values", doc::MakeList(selector.arena(), {value, 1}));
      expressions.push_back(expression.Build());
    }
    if (expressions.size() > before) {
      selector.Set("matchExpressions", doc::MakeList(selector.arena(), expressions));
    }
  });
}

void MergeAffinityTerm(Fields& term, const doc::Value& labels) {
  MergeLabelKeys(term, "matchLabelKeys", "In", labels);
  MergeLabelKeys(term, "mismatchLabelKeys", "NotIn", labels);
}

void MergeAllLabelKeys(Fields& spec, const doc::Value& labels) {
  spec.EditItems("topologySpreadConstraints", [&](Fields& constraint) {
    MergeLabelKeys(constraint, "matchLabelKeys", "In", labels);
  });
  spec.Edit("affinity", false, [&](Fields& affinity) {
    for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
      affinity.Edit(kind, false, [&](Fields& terms) {
        terms.EditItems("requiredDuringSchedulingIgnoredDuringExecution",
                        [&](Fields& term) { MergeAffinityTerm(term, labels); });
        terms.EditItems("preferredDuringSchedulingIgnoredDuringExecution", [&](Fields& weighted) {
          weighted.Edit("podAffinityTerm", false,
                        [&](Fields& term) { MergeAffinityTerm(term, labels); });
        });
      });
    }
  });
}

void AddSchedulingGate(Fields& status, const ServerFacts& facts) {
  Fields condition(status.workspace());
  condition.SetString("type", "PodScheduled");
  condition.SetString("status", "False");
  condition.Set("lastProbeTime", doc::Value::Null());
  condition.Set("lastTransitionTime",
                facts.creation_timestamp.empty()
                    ? doc::Value::Null()
                    : doc::MakeString(status.arena(), facts.creation_timestamp));
  condition.SetString("reason", "SchedulingGated");
  condition.SetString("message", "Scheduling is blocked due to non-empty scheduling gates");
  const doc::Value built = condition.Build();
  status.Set("conditions", doc::MakeList(status.arena(), {&built, 1}));
}

}  // namespace

void PreparePod(Fields& fields, const ServerFacts& facts) {
  const doc::Value metadata = fields.Get("metadata");
  const doc::Value* labels = metadata.Find("labels");
  const doc::Value* annotations = metadata.Find("annotations");
  const doc::Value none = doc::Value::Null();
  fields.Edit("spec", false, [&](Fields& spec) {
    MergeAllLabelKeys(spec, labels == nullptr ? none : *labels);
    CopyAppArmorAnnotations(spec, annotations == nullptr ? none : *annotations);
    CompletePodResources(spec);
  });
  const doc::Value spec = fields.Get("spec");
  const doc::Value* gates = spec.Find("schedulingGates");
  fields.Edit("status", true, [&](Fields& status) {
    status.SetString("phase", "Pending");
    status.SetString("qosClass", QualityClass(spec));
    if (gates != nullptr && gates->is_list() && gates->size() > 0) AddSchedulingGate(status, facts);
  });
}

}  // namespace portcullis::schema
