#include "schema/crd_schema.h"

#include <algorithm>
#include <vector>

#include "doc/edit.h"

namespace portcullis::schema {

namespace {

constexpr int kMaxDepth = 200;
constexpr std::string_view kObjectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

bool IsTrue(const doc::Value& schema, std::string_view name) {
  const doc::Value* value = schema.Find(name);
  return value != nullptr && value->is_bool() && value->as_bool();
}

const doc::Value* FindMap(const doc::Value& schema, std::string_view name) {
  const doc::Value* value = schema.Find(name);
  return value != nullptr && value->is_map() ? value : nullptr;
}

NodeKind KindOf(std::string_view type, std::string_view format) {
  if (type == "object") return NodeKind::kObject;
  if (type == "array") return NodeKind::kList;
  if (type == "string") return format == "byte" ? NodeKind::kBytes : NodeKind::kString;
  if (type == "integer") return NodeKind::kInteger;
  if (type == "number") return NodeKind::kNumber;
  if (type == "boolean") return NodeKind::kBoolean;
  return NodeKind::kAny;
}

class Builder {
 public:
  Builder(base::Arena& arena, base::ErrorList& errors) : arena_(arena), errors_(errors) {}

  const Schema* Node(const doc::Value& schema, const std::string& path, int depth, bool root) {
    Schema* node = arena_.New<Schema>();
    node->origin = Origin::kCustom;
    if (depth > kMaxDepth) {
      errors_.emplace_back(base::ErrorCode::kForbidden,
                           "Forbidden: the schema is nested too deeply", path);
      return node;
    }
    const std::string_view type = schema.StringAt("type");
    node->format = arena_.CopyString(schema.StringAt("format"));
    node->kind = KindOf(type, node->format);
    SetFlags(schema, *node);
    CheckType(schema, *node, type, path, depth);
    if (const doc::Value* value = schema.Find("default")) {
      node->default_value = arena_.New<doc::Value>(doc::DeepCopy(arena_, *value));
    }
    if (node->kind == NodeKind::kList) AddItems(schema, *node, path, depth);
    AddMembers(schema, *node, path, depth, root || node->has(Schema::kEmbedded));
    return node;
  }

 private:
  void SetFlags(const doc::Value& schema, Schema& node) {
    const auto set = [&](bool on, std::uint16_t flag) {
      if (on) node.flags = static_cast<std::uint16_t>(node.flags | flag);
    };
    set(IsTrue(schema, "nullable"), Schema::kNullable);
    set(IsTrue(schema, "x-kubernetes-preserve-unknown-fields"), Schema::kPreserveUnknown);
    set(IsTrue(schema, "x-kubernetes-embedded-resource"), Schema::kEmbedded);
    set(schema.StringAt("x-kubernetes-map-type") == "atomic", Schema::kAtomicMap);
    if (IsTrue(schema, "x-kubernetes-int-or-string")) node.kind = NodeKind::kIntOrString;
    const std::string_view list = schema.StringAt("x-kubernetes-list-type");
    node.list_type = list == "atomic" ? ListType::kAtomic
                     : list == "set"  ? ListType::kSet
                     : list == "map"  ? ListType::kMap
                                      : ListType::kNone;
  }

  void CheckType(const doc::Value& schema, const Schema& node, std::string_view type,
                 const std::string& path, int depth) {
    if (!type.empty() && KindOf(type, {}) == NodeKind::kAny) {
      errors_.emplace_back(base::ErrorCode::kUnsupported,
                           "Unsupported value: \"" + std::string(type) +
                               "\": supported values: \"array\", \"boolean\", \"integer\", "
                               "\"number\", \"object\", \"string\"",
                           path + ".type");
    } else if (type.empty() && node.kind == NodeKind::kAny && !node.has(Schema::kPreserveUnknown) &&
               schema.Find("$ref") == nullptr) {
      errors_.emplace_back(base::ErrorCode::kRequired,
                           depth == 0 ? "Required value: must not be empty at the root"
                                      : "Required value: must not be empty for specified object "
                                        "fields",
                           path + ".type");
    }
    if (schema.Find("$ref") != nullptr) {
      errors_.emplace_back(base::ErrorCode::kForbidden, "Forbidden: $ref is not supported",
                           path + ".$ref");
    }
    if (depth == 0 && !type.empty() && type != "object") {
      errors_.emplace_back(
          base::ErrorCode::kInvalid,
          "Invalid value: \"" + std::string(type) + "\": must be object at the root",
          path + ".type");
    }
  }

  void AddItems(const doc::Value& schema, Schema& node, const std::string& path, int depth) {
    const doc::Value* items = FindMap(schema, "items");
    if (items == nullptr) {
      errors_.emplace_back(base::ErrorCode::kRequired, "Required value: must be specified",
                           path + ".items");
      return;
    }
    node.element = Node(*items, path + ".items", depth + 1, false);
    const doc::Value* keys = schema.Find("x-kubernetes-list-map-keys");
    if (keys == nullptr || !keys->is_list()) {
      if (node.list_type == ListType::kMap) {
        errors_.emplace_back(base::ErrorCode::kRequired,
                             "Required value: must not be empty if x-kubernetes-list-type is map",
                             path + ".x-kubernetes-list-map-keys");
      }
      return;
    }
    const std::size_t count = std::min<std::size_t>(keys->size(), 255);
    std::string_view* names = arena_.AllocateArray<std::string_view>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const doc::Value& key = keys->as_list()[i];
      new (names + i) std::string_view(key.is_string() ? arena_.CopyString(key.as_string())
                                                       : std::string_view{});
    }
    node.key_data = names;
    node.key_count = static_cast<std::uint8_t>(count);
  }

  void AddMembers(const doc::Value& schema, Schema& node, const std::string& path, int depth,
                  bool whole_object) {
    std::vector<Field> fields;
    if (const doc::Value* properties = FindMap(schema, "properties")) {
      for (const doc::MapEntry& entry : properties->as_map()) {
        const std::string_view name = arena_.CopyString(entry.key.as_string());
        const std::string below = path + ".properties[" + std::string(name) + "]";
        // Metadata is the server's business; definitions may only constrain the name.
        if (whole_object && (name == "metadata" || name == "kind" || name == "apiVersion"))
          continue;
        fields.push_back({name, Node(entry.value, below, depth + 1, false), nullptr, 0});
      }
    }
    if (whole_object) AddObjectFields(fields);
    const doc::Value* additional = schema.Find("additionalProperties");
    if (additional != nullptr && additional->is_map()) {
      node.element = Node(*additional, path + ".additionalProperties", depth + 1, false);
      if (fields.empty() && node.kind == NodeKind::kObject) node.kind = NodeKind::kMap;
    } else if (additional != nullptr && additional->is_bool() && additional->as_bool()) {
      node.flags = static_cast<std::uint16_t>(node.flags | Schema::kPreserveUnknown);
    }
    if (fields.empty()) return;
    if (node.kind == NodeKind::kAny) node.kind = NodeKind::kObject;
    MarkRequired(schema, fields);
    std::sort(fields.begin(), fields.end(),
              [](const Field& a, const Field& b) { return FieldNameLess(a.name, b.name); });
    const std::size_t count = std::min<std::size_t>(fields.size(), 65535);
    Field* data = arena_.AllocateArray<Field>(count);
    std::copy_n(fields.begin(), count, data);
    node.field_data = data;
    node.field_count = static_cast<std::uint16_t>(count);
  }

  void AddObjectFields(std::vector<Field>& fields) {
    Schema* text = arena_.New<Schema>();
    text->kind = NodeKind::kString;
    text->origin = Origin::kCustom;
    fields.push_back({"apiVersion", text, nullptr, 0});
    fields.push_back({"kind", text, nullptr, 0});
    fields.push_back({"metadata", FindBuiltinType(kObjectMeta), nullptr, 0});
  }

  static void MarkRequired(const doc::Value& schema, std::vector<Field>& fields) {
    const doc::Value* required = schema.Find("required");
    if (required == nullptr || !required->is_list()) return;
    for (const doc::Value& name : required->as_list()) {
      if (!name.is_string()) continue;
      for (Field& field : fields) {
        if (field.name == name.as_string()) field.flags |= Field::kRequired;
      }
    }
  }

  base::Arena& arena_;
  base::ErrorList& errors_;
};

}  // namespace

const Schema* BuildCustomSchema(const doc::Value& json_schema, const std::string& path,
                                base::Arena& arena, base::ErrorList& errors) {
  return Builder(arena, errors).Node(json_schema, path, 0, true);
}

const Schema* AnyCustomSchema(base::Arena& arena) {
  Schema* node = arena.New<Schema>();
  node->kind = NodeKind::kObject;
  node->origin = Origin::kCustom;
  node->flags = Schema::kPreserveUnknown;
  return node;
}

}  // namespace portcullis::schema
