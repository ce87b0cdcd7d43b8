// What the server adds on CREATE between the mutating and the validating phase: system metadata,
// and what the resources' own code prepares.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "schema/defaulting.h"
#include "schema/fields.h"
#include "schema/normalise.h"
#include "schema/server_prepare.h"

namespace portcullis::schema {

namespace {

// Kinds whose objects start with generation 1; custom resources all do.
constexpr std::array<std::string_view, 30> kGenerations = {"MutatingAdmissionPolicy",
                                                           "MutatingAdmissionPolicyBinding",
                                                           "MutatingWebhookConfiguration",
                                                           "ValidatingAdmissionPolicy",
                                                           "ValidatingAdmissionPolicyBinding",
                                                           "ValidatingWebhookConfiguration",
                                                           "DaemonSet",
                                                           "Deployment",
                                                           "ReplicaSet",
                                                           "StatefulSet",
                                                           "HorizontalPodAutoscaler",
                                                           "CronJob",
                                                           "Job",
                                                           "Pod",
                                                           "PodTemplate",
                                                           "ReplicationController",
                                                           "EndpointSlice",
                                                           "FlowSchema",
                                                           "PriorityLevelConfiguration",
                                                           "Ingress",
                                                           "IngressClass",
                                                           "NetworkPolicy",
                                                           "PodDisruptionBudget",
                                                           "DeviceClass",
                                                           "DeviceTaintRule",
                                                           "ResourceSlice",
                                                           "PriorityClass",
                                                           "CustomResourceDefinition",
                                                           "Eviction",
                                                           "EvictionRequest"};

// Kinds whose status a creator may write.
constexpr std::array<std::string_view, 7> kKeptStatus = {
    "Node",     "Namespace", "MutatingAdmissionPolicy", "LeaseCandidate", "ServiceCIDR",
    "Workload", "APIService"};

template <typename List>
bool Contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool HasGeneration(const Kind& kind) {
  if (kind.custom) return true;
  return kind.group != "policy" || kind.kind != "Eviction" ? Contains(kGenerations, kind.kind)
                                                           : false;
}

void FillMetadata(Fields& metadata, const Kind& kind, const ServerFacts& facts) {
  base::Arena& arena = metadata.arena();
  if (metadata.GetString("name").empty() && !metadata.GetString("generateName").empty()) {
    std::string name(metadata.GetString("generateName"));
    name += facts.generated_suffix;
    metadata.Set("name", doc::MakeString(arena, name));
  }
  metadata.Remove("deletionTimestamp");
  metadata.Remove("deletionGracePeriodSeconds");
  metadata.Remove("selfLink");
  if (!facts.uid.empty()) metadata.Set("uid", doc::MakeString(arena, facts.uid));
  if (!facts.creation_timestamp.empty()) {
    metadata.Set("creationTimestamp", doc::MakeString(arena, facts.creation_timestamp));
  }
  if (HasGeneration(kind)) metadata.SetInt("generation", 1);
}

void ResetStatus(Fields& fields, const Kind& kind) {
  if (kind.custom) {
    if (kind.FindSubresource("status") != nullptr) fields.Remove("status");
    return;
  }
  const Field* status = kind.schema->FindField("status");
  if (status == nullptr || kind.FindSubresource("status") == nullptr ||
      Contains(kKeptStatus, kind.kind)) {
    return;
  }
  if (!status->always()) {
    fields.Remove("status");
    return;
  }
  Workspace& workspace = fields.workspace();
  workspace.rules = false;
  const doc::Value zero = ZeroValue(workspace, *status->schema);
  workspace.rules = true;
  fields.Set("status", zero);
}

}  // namespace

doc::Value ServerFill(const doc::Value& object, const TypeTable& types, base::Arena& arena,
                      const ServerFacts& facts) {
  const Kind* kind = types.FindKindOf(object);
  if (kind == nullptr || kind->schema == nullptr || kind->plural.empty()) return object;
  thread_local Workspace workspace;
  workspace.Reset(arena);
  workspace.root = kind;
  Fields fields(workspace, object);
  fields.Edit("metadata", true, [&](Fields& metadata) { FillMetadata(metadata, *kind, facts); });
  ResetStatus(fields, *kind);
  if (!kind->custom) PrepareForCreate(fields, *kind, facts);
  return fields.Build();
}

}  // namespace portcullis::schema
