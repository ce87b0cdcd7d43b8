#include "schema/defaulting.h"

#include "schema/custom_default.h"
#include "schema/fields.h"
#include "schema/normalise.h"

namespace portcullis::schema {

namespace {

bool IsPod(const Kind& kind) { return kind.group.empty() && kind.kind == "Pod"; }

// The namespace of the request becomes the object's; what has no namespace loses it.
void SettleNamespace(Fields& metadata, const Kind& kind, std::string_view name) {
  if (kind.plural.empty()) return;
  if (!kind.namespaced) {
    metadata.Remove("namespace");
  } else if (metadata.GetString("namespace").empty() && !name.empty()) {
    metadata.SetString("namespace", name);
  }
}

}  // namespace

doc::Value Default(const doc::Value& object, const TypeTable& types, base::Arena& arena,
                   const DefaultOptions& options) {
  const Kind* kind = types.FindKindOf(object);
  if (kind == nullptr || kind->schema == nullptr) return object;
  thread_local Workspace workspace;
  workspace.Reset(arena);
  workspace.root = kind;
  workspace.is_pod = IsPod(*kind);
  workspace.plugins = options.plugins;
  workspace.stored = options.stored;
  workspace.now = options.now;
  workspace.warnings = options.warnings;
  const doc::Value defaulted = kind->custom ? DefaultCustom(workspace, object, *kind->schema)
                                            : Normalise(workspace, object, *kind->schema);
  const doc::Value* metadata = defaulted.Find("metadata");
  if (metadata == nullptr || !metadata->is_map()) return defaulted;
  const std::string_view given = metadata->StringAt("namespace");
  if (kind->namespaced ? !given.empty() : metadata->Find("namespace") == nullptr) return defaulted;
  Fields fields(workspace, defaulted);
  fields.Edit("metadata", false, [&](Fields& edited) {
    SettleNamespace(edited, *kind, arena.CopyString(options.namespace_name));
  });
  return fields.changed() ? fields.Build() : defaulted;
}

}  // namespace portcullis::schema
