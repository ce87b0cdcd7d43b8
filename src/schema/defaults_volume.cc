#include "schema/image.h"
#include "schema/rules.h"

namespace portcullis::schema {

namespace {

// A volume that names no source is an empty directory.
void DefaultSource(Fields& fields) {
  static const Schema* const type = FindBuiltinType("io.k8s.api.core.v1.Volume");
  for (const Field& field : type->fields()) {
    if (field.name != "name" && fields.Has(field.name)) return;
  }
  fields.Set("emptyDir", doc::Value::EmptyMap());
}

void DefaultImagePullPolicy(Fields& fields) {
  if (fields.Has("pullPolicy")) return;
  fields.SetString("pullPolicy",
                   IsLatestImage(fields.GetString("reference")) ? "Always" : "IfNotPresent");
}

// Not of the volume inside an attachment.
void DefaultVolume(Fields& fields) {
  fields.Edit("spec", true, [](Fields& spec) {
    spec.DefaultString("persistentVolumeReclaimPolicy", "Retain");
    spec.DefaultString("volumeMode", "Filesystem");
  });
}

constexpr LiteralRule kLiterals[] = {
    {"core.v1.SecretVolumeSource", "defaultMode", "420"},
    {"core.v1.ConfigMapVolumeSource", "defaultMode", "420"},
    {"core.v1.DownwardAPIVolumeSource", "defaultMode", "420"},
    {"core.v1.ProjectedVolumeSource", "defaultMode", "420"},
    {"core.v1.ServiceAccountTokenProjection", "expirationSeconds", "3600"},
    {"core.v1.HostPathVolumeSource", "type", "\"\""},
    {"core.v1.PersistentVolumeStatus", "phase", "\"Pending\""},
    {"core.v1.PersistentVolumeClaimSpec", "volumeMode", "\"Filesystem\""},
    {"core.v1.PersistentVolumeClaimStatus", "phase", "\"Pending\""},
};

constexpr HookRule kHooks[] = {
    {"core.v1.Volume", DefaultSource},
    {"core.v1.PersistentVolume", DefaultVolume},
    {"core.v1.ImageVolumeSource", DefaultImagePullPolicy},
};

}  // namespace

RuleGroup VolumeRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
