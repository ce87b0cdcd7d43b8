#include "schema/normalise.h"

#include <span>

#include "schema/canonical.h"
#include "schema/rules.h"

namespace portcullis::schema {

namespace {

// JSONSchemaProps is the only recursive type; deeper documents pass through below this depth.
constexpr std::size_t kMaxDepth = 400;

bool SameHandle(const doc::Value& a, const doc::Value& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// Would Go's omitempty leave it out of a field that is no pointer?
bool IsEmpty(const doc::Value& value, NodeKind kind) {
  switch (value.tag()) {
    case doc::Tag::kNull:
      return true;
    case doc::Tag::kBool:
      return !value.as_bool();
    case doc::Tag::kInt:
      return value.as_int() == 0 && kind != NodeKind::kIntOrString;
    case doc::Tag::kDouble:
      return value.as_double() == 0;
    case doc::Tag::kString:
      return value.size() == 0 && kind != NodeKind::kIntOrString;
    case doc::Tag::kList:
      return value.size() == 0;
    case doc::Tag::kMap:
      return value.size() == 0 && kind == NodeKind::kMap;
    default:
      return false;
  }
}

bool IsDropped(const Workspace& workspace, const doc::Value& value, const Field& field) {
  if (value.is_null()) return true;
  if (field.pointer()) return false;
  if (field.always() && field.schema->kind == NodeKind::kBytes) return false;
  // Go cannot tell a written zero scalar from none, but it can tell an empty list from none.
  if (field.always() && !workspace.stored && (value.is_list() || value.is_map())) return false;
  return IsEmpty(value, field.schema->kind);
}

class PathScope {
 public:
  PathScope(Workspace& workspace, std::string_view name, std::size_t index = 0)
      : workspace_(workspace) {
    workspace_.path.push_back({name, index});
  }
  ~PathScope() { workspace_.path.pop_back(); }
  PathScope(const PathScope&) = delete;
  PathScope& operator=(const PathScope&) = delete;

 private:
  Workspace& workspace_;
};

void RunRules(Fields& fields, std::uint16_t type_id) {
  if (!fields.workspace().rules) return;
  const RuleTable::Entry& rules = RuleTable::Get().ForType(type_id);
  for (const RuleTable::Literal& literal : rules.literals) {
    fields.Default(literal.field, literal.value);
  }
  for (const Hook hook : rules.hooks) hook(fields);
}

// Embedded objects exist before rules run, as in Go; scalars must look absent to them.
void AddAlwaysFields(Workspace& workspace, Fields& fields, const Schema& schema, bool objects) {
  for (const Field& field : schema.fields()) {
    if (!field.always()) continue;
    const bool object = field.schema->kind == NodeKind::kObject && !field.pointer();
    if (object != objects || fields.Has(field.name)) continue;
    const doc::Value zero =
        field.pointer() ? doc::Value::Null() : ZeroValue(workspace, *field.schema);
    fields.Set(field.name, zero);
  }
}

doc::Value NormaliseObject(Workspace& workspace, const doc::Value& value, const Schema& schema) {
  Fields fields(workspace);
  if (value.size() != 0) {
    const std::span<const doc::MapEntry> entries = value.as_map();
    const std::uint32_t* hashes = value.map_rep()->hashes();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string_view name = entries[i].key.as_string();
      const Field* field = schema.FindField(name);
      if (field == nullptr) {
        if (schema.has(Schema::kPreserveUnknown)) {
          fields.Append(entries[i].key, hashes[i], entries[i].value);
          continue;
        }
        if (workspace.warnings != nullptr) WarnUnknownField(workspace, name);
        fields.set_changed();
        continue;
      }
      doc::Value child = entries[i].value;
      if (!child.is_null()) {
        const PathScope scope(workspace, name);
        child = Normalise(workspace, child, *field->schema);
      }
      if (IsDropped(workspace, child, *field)) {
        fields.set_changed();
        continue;
      }
      if (!SameHandle(child, entries[i].value)) fields.set_changed();
      fields.Append(entries[i].key, hashes[i], child);
    }
  }
  AddAlwaysFields(workspace, fields, schema, true);
  RunRules(fields, schema.type_id);
  AddAlwaysFields(workspace, fields, schema, false);
  return fields.changed() ? fields.Build() : value;
}

doc::Value NormaliseMap(Workspace& workspace, const doc::Value& value, const Schema& schema) {
  const Schema& element = *schema.element;
  if (element.kind == NodeKind::kAny || element.kind == NodeKind::kRaw || value.size() == 0) {
    return value;
  }
  Fields fields(workspace);
  const std::span<const doc::MapEntry> entries = value.as_map();
  const std::uint32_t* hashes = value.map_rep()->hashes();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    doc::Value child = entries[i].value;
    if (child.is_null()) {
      child = ZeroValue(workspace, element);
    } else if (element.kind == NodeKind::kQuantity) {
      child = CanonicalQuantity(child, schema.has(Schema::kWholeMilli), *workspace.arena);
    } else {
      const PathScope scope(workspace, entries[i].key.as_string());
      child = Normalise(workspace, child, element);
    }
    if (!SameHandle(child, entries[i].value)) fields.set_changed();
    fields.Append(entries[i].key, hashes[i], child);
  }
  return fields.changed() ? fields.Build() : value;
}

doc::Value NormaliseList(Workspace& workspace, const doc::Value& value, const Schema& element) {
  std::vector<doc::Value>& items = workspace.items;
  const std::size_t mark = items.size();
  bool changed = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const doc::Value item = value.as_list()[i];
    doc::Value child;
    if (item.is_null()) {
      child = ZeroValue(workspace, element);
    } else {
      const PathScope scope(workspace, {}, i);
      child = Normalise(workspace, item, element);
    }
    changed = changed || !SameHandle(child, item);
    items.push_back(child);
  }
  const doc::Value result =
      changed ? doc::MakeList(*workspace.arena,
                              std::span<const doc::Value>(items.data() + mark, items.size() - mark))
              : value;
  items.resize(mark);
  return result;
}

bool IsLeaf(NodeKind kind) {
  return kind == NodeKind::kString || kind == NodeKind::kInteger || kind == NodeKind::kBoolean ||
         kind == NodeKind::kNumber || kind == NodeKind::kIntOrString || kind == NodeKind::kAny ||
         kind == NodeKind::kRaw;
}

// A null among scalars becomes their zero.
bool HasNull(const doc::Value& list) {
  for (const doc::Value& item : list.as_list()) {
    if (item.is_null()) return true;
  }
  return false;
}

}  // namespace

doc::Value Normalise(Workspace& workspace, const doc::Value& value, const Schema& schema) {
  if (workspace.path.size() > kMaxDepth) return value;
  base::Arena& arena = *workspace.arena;
  switch (schema.kind) {
    case NodeKind::kObject:
      return value.is_map() ? NormaliseObject(workspace, value, schema) : value;
    case NodeKind::kMap:
      return value.is_map() ? NormaliseMap(workspace, value, schema) : value;
    case NodeKind::kList:
      if (!value.is_list()) return value;
      if (IsLeaf(schema.element->kind) && !HasNull(value)) return value;
      return NormaliseList(workspace, value, *schema.element);
    case NodeKind::kSchemaOr:
      if (value.is_map()) return Normalise(workspace, value, *schema.element);
      return value.is_list() ? NormaliseList(workspace, value, schema) : value;
    case NodeKind::kQuantity:
      return CanonicalQuantity(value, false, arena);
    case NodeKind::kTime:
      return CanonicalTime(value, false, arena);
    case NodeKind::kMicroTime:
      return CanonicalTime(value, true, arena);
    case NodeKind::kDuration:
      return CanonicalDuration(value, arena);
    case NodeKind::kBytes:
      return CanonicalBytes(value, arena);
    default:
      return value;
  }
}

doc::Value ZeroValue(Workspace& workspace, const Schema& schema) {
  switch (schema.kind) {
    case NodeKind::kObject:
      return NormaliseObject(workspace, doc::Value::EmptyMap(), schema);
    case NodeKind::kString:
      return doc::Value::String("");
    case NodeKind::kInteger:
    case NodeKind::kIntOrString:
      return doc::Value::Int(0);
    case NodeKind::kNumber:
      return doc::Value::Int(0);
    case NodeKind::kBoolean:
      return doc::Value::Bool(false);
    case NodeKind::kQuantity:
      return doc::Value::String("0");
    case NodeKind::kDuration:
      return doc::Value::String("0s");
    default:
      return doc::Value::Null();
  }
}

void WarnUnknownField(Workspace& workspace, std::string_view name) {
  std::string text = "unknown field \"";
  for (const PathStep& step : workspace.path) {
    if (step.name.empty()) {
      text.pop_back();
      text += "[" + std::to_string(step.index) + "].";
    } else {
      text.append(step.name).push_back('.');
    }
  }
  text.append(name).push_back('"');
  workspace.warnings->push_back(std::move(text));
}

}  // namespace portcullis::schema
