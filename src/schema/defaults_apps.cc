#include "schema/rules.h"

namespace portcullis::schema {

namespace {

constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

// Settings of another strategy than the chosen one are kept, with zeros.
void FillZeros(Fields& fields) {
  fields.Edit("rollingUpdate", false, [](Fields& update) {
    update.DefaultInt("maxUnavailable", 0);
    update.DefaultInt("maxSurge", 0);
  });
}

void DefaultDeploymentStrategy(Fields& fields) {
  fields.DefaultString("type", "RollingUpdate");
  if (fields.GetString("type") == "RollingUpdate") {
    fields.Edit("rollingUpdate", true, [](Fields& update) {
      update.DefaultString("maxUnavailable", "25%");
      update.DefaultString("maxSurge", "25%");
    });
  }
  FillZeros(fields);
}

void DefaultDaemonSetStrategy(Fields& fields) {
  fields.DefaultString("type", "RollingUpdate");
  if (fields.GetString("type") == "RollingUpdate") {
    fields.Edit("rollingUpdate", true, [](Fields& update) {
      update.DefaultInt("maxUnavailable", 1);
      update.DefaultInt("maxSurge", 0);
    });
  }
  FillZeros(fields);
}

// With a written type, no rollingUpdate is invented.
void DefaultStatefulSetStrategy(Fields& fields) {
  const bool untyped = !fields.Has("type");
  fields.DefaultString("type", "RollingUpdate");
  const bool rolling = fields.GetString("type") == "RollingUpdate";
  if (!(rolling && untyped) && !fields.Has("rollingUpdate")) return;
  fields.Edit("rollingUpdate", true, [&](Fields& update) {
    update.DefaultInt("partition", 0);
    if (rolling) update.DefaultInt("maxUnavailable", 1);
  });
}

void DefaultRetention(Fields& fields) {
  fields.Edit("persistentVolumeClaimRetentionPolicy", true, [](Fields& policy) {
    policy.DefaultString("whenDeleted", "Retain");
    policy.DefaultString("whenScaled", "Retain");
  });
}

// Claim templates are whole objects and say so.
void TypeClaimTemplates(Fields& fields) {
  fields.EditItems("volumeClaimTemplates", [](Fields& claim) {
    claim.SetString("apiVersion", "v1");
    claim.SetString("kind", "PersistentVolumeClaim");
  });
}

// The template generation of the old API lives in an annotation.
void AnnotateTemplateGeneration(Fields& fields) {
  fields.Edit("metadata", true, [](Fields& metadata) {
    metadata.Edit("annotations", true,
                  [](Fields& annotations) { annotations.DefaultString(kTemplateGeneration, "0"); });
  });
}

constexpr LiteralRule kLiterals[] = {
    {"apps.v1.DeploymentSpec", "replicas", "1"},
    {"apps.v1.DeploymentSpec", "revisionHistoryLimit", "10"},
    {"apps.v1.DeploymentSpec", "progressDeadlineSeconds", "600"},
    {"apps.v1.DaemonSetSpec", "revisionHistoryLimit", "10"},
    {"apps.v1.StatefulSetSpec", "podManagementPolicy", "\"OrderedReady\""},
    {"apps.v1.StatefulSetSpec", "replicas", "1"},
    {"apps.v1.StatefulSetSpec", "revisionHistoryLimit", "10"},
    {"apps.v1.ReplicaSetSpec", "replicas", "1"},
};

constexpr HookRule kHooks[] = {
    {"apps.v1.DeploymentStrategy", DefaultDeploymentStrategy},
    {"apps.v1.DaemonSetUpdateStrategy", DefaultDaemonSetStrategy},
    {"apps.v1.DaemonSet", AnnotateTemplateGeneration},
    {"apps.v1.StatefulSetUpdateStrategy", DefaultStatefulSetStrategy},
    {"apps.v1.StatefulSetSpec", DefaultRetention},
    {"apps.v1.StatefulSetSpec", TypeClaimTemplates},
};

}  // namespace

RuleGroup AppsRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
