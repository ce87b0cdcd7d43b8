#ifndef PORTCULLIS_SCHEMA_SCHEMA_H_
#define PORTCULLIS_SCHEMA_SCHEMA_H_

// The schema graph: what a document of a kind may contain (spec/cel.md 17, admission 3.4 and 5.4).
// One node type serves both the built-in kinds, whose nodes are constants of the generated table
// k8s_table.cc, and custom resources, whose nodes TypeTable builds at load and owns.
//
// The graph may be cyclic (JSONSchemaProps): walkers bound their depth by the document's.
// Everything is immutable after construction and safe to read from any thread.

#include <cstdint>
#include <span>
#include <string_view>

#include "doc/value.h"

namespace portcullis::schema {

enum class NodeKind : std::uint8_t {
  kAny,     // no type given: any JSON value
  kObject,  // named fields (and, for custom resources, possibly map_value as well)
  kMap,     // string keys to `element`
  kList,    // items of `element`
  kString,
  kInteger,
  kNumber,
  kBoolean,
  kIntOrString,
  kBytes,      // base64 text in JSON
  kQuantity,   // Kubernetes quantity; canonical text in JSON
  kTime,       // RFC 3339, seconds
  kMicroTime,  // RFC 3339, microseconds
  kDuration,   // Go duration text
  kRaw,        // embedded JSON that the server keeps as written
  kSchemaOr,   // a scalar, or an object (or list of objects) of `element` (OpenAPI's odd unions)
};

enum class ListType : std::uint8_t { kNone, kAtomic, kSet, kMap };
enum class Origin : std::uint8_t { kBuiltin, kCustom };

struct Schema;

struct Field {
  // Flags
  static constexpr std::uint8_t kRequired = 1;
  // Absent and zero are different: a written 0, false or "" is kept.
  static constexpr std::uint8_t kPointer = 2;
  // The server always writes it, with the zero value (null for lists and maps) when left out.
  static constexpr std::uint8_t kAlways = 4;

  std::string_view name;
  const Schema* schema = nullptr;
  // Default as JSON text, null for none. Built-in types only; CRDs use Schema::default_value.
  const char* default_text = nullptr;
  std::uint8_t flags = 0;

  bool required() const { return (flags & kRequired) != 0; }
  bool pointer() const { return (flags & kPointer) != 0; }
  bool always() const { return (flags & kAlways) != 0; }
};

struct Schema {
  // Flags
  static constexpr std::uint16_t kNullable = 1;
  static constexpr std::uint16_t kAtomicMap = 2;         // map or object replaced as a whole
  static constexpr std::uint16_t kPreserveUnknown = 4;   // x-kubernetes-preserve-unknown-fields
  static constexpr std::uint16_t kEmbedded = 8;          // x-kubernetes-embedded-resource
  static constexpr std::uint16_t kPatchMerge = 16;       // patch strategy merge
  static constexpr std::uint16_t kPatchRetainKeys = 32;  // patch strategy retainKeys
  static constexpr std::uint16_t kPatchReplace = 64;     // patch strategy replace
  static constexpr std::uint16_t kWholeMilli = 128;      // quantities are rounded up to thousandths

  NodeKind kind = NodeKind::kAny;
  ListType list_type = ListType::kNone;
  std::uint16_t flags = 0;
  std::uint16_t type_id = 0;  // number of a named built-in type, 0 = unnamed
  std::uint16_t field_count = 0;
  std::uint8_t key_count = 0;
  Origin origin = Origin::kBuiltin;
  const Field* field_data = nullptr;  // ordered by length, then bytes
  const Schema* element = nullptr;    // list item, map value
  const std::string_view* key_data = nullptr;
  std::string_view merge_key;  // patch merge key of strategic merge
  std::string_view
      type_name;            // OpenAPI name, e.g. "io.k8s.api.core.v1.Pod"; empty for inline types
  std::string_view format;  // OpenAPI format, e.g. "int32"
  const doc::Value* default_value = nullptr;  // custom resources: default of this node

  std::span<const Field> fields() const { return {field_data, field_count}; }
  // Keys of a list of type map.
  std::span<const std::string_view> keys() const { return {key_data, key_count}; }
  bool has(std::uint16_t flag) const { return (flags & flag) != 0; }
  bool nullable() const { return has(kNullable); }
  bool atomic() const {
    return has(kAtomicMap) ||
           (kind == NodeKind::kList && list_type != ListType::kSet && list_type != ListType::kMap);
  }

  // The field of this name, or null. O(log fields).
  const Field* FindField(std::string_view name) const;
  // The schema below `name`: the field's, or the map value's, or null.
  const Schema* Child(std::string_view name) const;
};

// The order of Schema::field_data.
inline bool FieldNameLess(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// ---- kinds --------------------------------------------------------------------------------------

enum Verb : std::uint16_t {
  kVerbCreate = 1,
  kVerbDelete = 2,
  kVerbDeleteCollection = 4,
  kVerbGet = 8,
  kVerbList = 16,
  kVerbPatch = 32,
  kVerbUpdate = 64,
  kVerbWatch = 128,
};

struct Subresource {
  std::string_view name;
  std::string_view group;  // of the kind of its body
  std::string_view version;
  std::string_view kind;
  std::uint16_t verbs = 0;
};

// One kind in one version, with its resource if it is served as one.
struct Kind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  std::string_view plural;  // empty: not a resource of its own (lists, Scale, options ...)
  std::string_view singular;
  std::string_view short_names;  // separated by commas
  const Schema* schema = nullptr;
  const Subresource* subresource_data = nullptr;
  std::uint16_t subresource_count = 0;
  std::uint16_t verbs = 0;  // of Verb
  bool namespaced = false;
  bool custom = false;  // from a CustomResourceDefinition
  // Order of preference among the versions of a kind; lower is better.
  std::uint16_t rank = 0;

  std::span<const Subresource> subresources() const {
    return {subresource_data, subresource_count};
  }
  const Subresource* FindSubresource(std::string_view name) const;
};

// ---- the generated table (k8s_table.cc)
// -----------------------------------------------------------

extern const std::span<const Schema> kBuiltinSchemas;
extern const std::span<const Kind> kBuiltinKinds;           // ordered by kind, group, rank
extern const std::span<const Schema* const> kBuiltinTypes;  // by type_id; [0] is null

// The built-in type of this OpenAPI name, or null. O(log types).
const Schema* FindBuiltinType(std::string_view type_name);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_SCHEMA_H_
