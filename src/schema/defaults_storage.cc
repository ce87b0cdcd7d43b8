#include <vector>

#include "schema/rules.h"

namespace portcullis::schema {

namespace {

void DefaultLifecycleModes(Fields& fields) {
  if (fields.Has("volumeLifecycleModes")) return;
  const doc::Value mode = doc::Value::String("Persistent");
  fields.Set("volumeLifecycleModes", doc::MakeList(fields.arena(), {&mode, 1}));
}

// StorageObjectInUseProtection: a finalizer keeps what is in use.
void AddFinalizer(Fields& fields, std::string_view finalizer) {
  if (!fields.workspace().plugins) return;
  fields.Edit("metadata", true, [&](Fields& metadata) {
    const doc::Value old = metadata.Get("finalizers");
    std::vector<doc::Value> finalizers;
    if (old.is_list()) finalizers.assign(old.as_list().begin(), old.as_list().end());
    for (const doc::Value& present : finalizers) {
      if (present.is_string() && present.as_string() == finalizer) return;
    }
    finalizers.push_back(doc::Value::String(finalizer));
    metadata.Set("finalizers", doc::MakeList(metadata.arena(), finalizers));
  });
}

// Claim templates of a StatefulSet have the same type and are not protected.
void ProtectClaim(Fields& fields) {
  if (fields.workspace().path.empty()) AddFinalizer(fields, "kubernetes.io/pvc-protection");
}

void ProtectVolume(Fields& fields) { AddFinalizer(fields, "kubernetes.io/pv-protection"); }

void ProtectAttributesClass(Fields& fields) {
  AddFinalizer(fields, "kubernetes.io/vac-protection");
}

constexpr LiteralRule kLiterals[] = {
    {"storage.v1.StorageClass", "reclaimPolicy", "\"Delete\""},
    {"storage.v1.StorageClass", "volumeBindingMode", "\"Immediate\""},
    {"storage.v1.CSIDriverSpec", "attachRequired", "true"},
    {"storage.v1.CSIDriverSpec", "podInfoOnMount", "false"},
    {"storage.v1.CSIDriverSpec", "storageCapacity", "false"},
    {"storage.v1.CSIDriverSpec", "fsGroupPolicy", "\"ReadWriteOnceWithFSType\""},
    {"storage.v1.CSIDriverSpec", "requiresRepublish", "false"},
    {"storage.v1.CSIDriverSpec", "seLinuxMount", "false"},
    {"storage.v1.CSIDriverSpec", "preventPodSchedulingIfMissing", "false"},
};

constexpr HookRule kHooks[] = {
    {"storage.v1.CSIDriverSpec", DefaultLifecycleModes},
    {"core.v1.PersistentVolumeClaim", ProtectClaim},
    {"core.v1.PersistentVolume", ProtectVolume},
    {"storage.v1.VolumeAttributesClass", ProtectAttributesClass},
};

}  // namespace

RuleGroup StorageRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
