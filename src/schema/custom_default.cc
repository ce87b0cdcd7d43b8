#include "schema/custom_default.h"

#include <span>

#include "schema/normalise.h"

namespace portcullis::schema {

namespace {

constexpr std::size_t kMaxDepth = 400;

bool SameHandle(const doc::Value& a, const doc::Value& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

doc::Value Walk(Workspace& workspace, const doc::Value& value, const Schema& schema, bool root);

doc::Value WalkBelow(Workspace& workspace, const doc::Value& value, const Schema& schema,
                     std::string_view name, std::size_t index) {
  workspace.path.push_back({name, index});
  const doc::Value result = Walk(workspace, value, schema, false);
  workspace.path.pop_back();
  return result;
}

bool IsObjectField(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

doc::Value WalkMetadata(Workspace& workspace, const doc::Value& metadata) {
  static const Schema* const type =
      FindBuiltinType("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  workspace.path.push_back({"metadata", 0});
  const doc::Value result = Normalise(workspace, metadata, *type);
  workspace.path.pop_back();
  return result;
}

doc::Value WalkObject(Workspace& workspace, const doc::Value& value, const Schema& schema,
                      bool embedded) {
  Fields fields(workspace);
  const std::span<const doc::MapEntry> entries = value.as_map();
  const std::uint32_t* hashes = value.size() == 0 ? nullptr : value.map_rep()->hashes();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string_view name = entries[i].key.as_string();
    doc::Value child = entries[i].value;
    if (embedded && IsObjectField(name)) {
      if (name == "metadata" && child.is_map()) child = WalkMetadata(workspace, child);
    } else if (const Schema* below = schema.Child(name)) {
      if (child.is_null() && !below->nullable()) {
        if (below->default_value == nullptr) {
          fields.set_changed();
          continue;
        }
        child = *below->default_value;
      }
      child = WalkBelow(workspace, child, *below, name, 0);
    } else if (!schema.has(Schema::kPreserveUnknown)) {
      if (workspace.warnings != nullptr) WarnUnknownField(workspace, name);
      fields.set_changed();
      continue;
    }
    if (!SameHandle(child, entries[i].value)) fields.set_changed();
    fields.Append(entries[i].key, hashes[i], child);
  }
  for (const Field& field : schema.fields()) {
    if (field.schema->default_value == nullptr || fields.Has(field.name)) continue;
    const doc::Value child =
        WalkBelow(workspace, *field.schema->default_value, *field.schema, field.name, 0);
    fields.Set(field.name, child);
  }
  return fields.changed() ? fields.Build() : value;
}

doc::Value WalkList(Workspace& workspace, const doc::Value& value, const Schema& element) {
  const std::size_t mark = workspace.items.size();
  bool changed = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const doc::Value item = value.as_list()[i];
    doc::Value child = item;
    if (child.is_null() && !element.nullable() && element.default_value != nullptr) {
      child = *element.default_value;
    }
    child = WalkBelow(workspace, child, element, {}, i);
    changed = changed || !SameHandle(child, item);
    workspace.items.push_back(child);
  }
  const doc::Value result =
      changed ? doc::MakeList(*workspace.arena,
                              std::span<const doc::Value>(workspace.items.data() + mark,
                                                          workspace.items.size() - mark))
              : value;
  workspace.items.resize(mark);
  return result;
}

doc::Value Walk(Workspace& workspace, const doc::Value& value, const Schema& schema, bool root) {
  if (workspace.path.size() > kMaxDepth) return value;
  if (value.is_map() && (schema.kind == NodeKind::kObject || schema.kind == NodeKind::kMap ||
                         schema.kind == NodeKind::kAny)) {
    // A node without a type and without any rule about its contents keeps them only by the flag.
    return WalkObject(workspace, value, schema, root || schema.has(Schema::kEmbedded));
  }
  if (value.is_list() && schema.kind == NodeKind::kList && schema.element != nullptr) {
    return WalkList(workspace, value, *schema.element);
  }
  return value;
}

}  // namespace

doc::Value DefaultCustom(Workspace& workspace, const doc::Value& object, const Schema& schema) {
  return object.is_map() ? Walk(workspace, object, schema, true) : object;
}

}  // namespace portcullis::schema
