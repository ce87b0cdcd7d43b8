#include "cel/check/schema_types.h"

#include <algorithm>
#include <array>

namespace portcullis::cel {

namespace {

using schema::NodeKind;
using schema::Schema;

constexpr std::string_view kItem = "@idx";
constexpr std::string_view kMapValue = "@elem";
constexpr std::string_view kObjectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
constexpr int kMaxListNesting = 64;

constexpr std::array<std::string_view, 21> kReserved = {
    "true",     "false",   "null",      "in",       "as",  "break",  "const",
    "continue", "else",    "for",       "function", "if",  "import", "let",
    "loop",     "package", "namespace", "return",   "var", "void",   "while"};

struct Escape {
  std::string_view text;
  std::string_view code;
};
constexpr std::array<Escape, 4> kEscapes = {Escape{"__", "__underscores__"}, Escape{".", "__dot__"},
                                            Escape{"-", "__dash__"}, Escape{"/", "__slash__"}};

bool IsReserved(std::string_view word) {
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Field names whose types no schema of a custom resource repeats.
const Schema kStringSchema = [] {
  Schema text;
  text.kind = NodeKind::kString;
  return text;
}();

// An object whose fields are not named: additional properties win over named ones.
bool IsMap(const Schema& node) {
  return node.kind == NodeKind::kMap || (node.kind == NodeKind::kObject && node.element != nullptr);
}

bool IsObject(const Schema& node) {
  if (node.kind == NodeKind::kObject) return !IsMap(node);
  // Embedded JSON of built-in types is published as an object without properties, except the
  // type named JSON, which has no type at all.
  constexpr std::string_view kAnyJson = ".JSON";
  const std::string_view name = node.type_name;
  return node.kind == NodeKind::kRaw &&
         (name.size() < kAnyJson.size() || name.substr(name.size() - kAnyJson.size()) != kAnyJson);
}

}  // namespace

std::string EscapeProperty(std::string_view property) {
  if (property.empty() || (property[0] >= '0' && property[0] <= '9')) return {};
  if (IsReserved(property)) return "__" + std::string(property) + "__";
  std::string out;
  while (!property.empty()) {
    const auto escape = std::find_if(kEscapes.begin(), kEscapes.end(),
                                     [&](const Escape& e) { return StartsWith(property, e.text); });
    if (escape != kEscapes.end()) {
      out += escape->code;
      property.remove_prefix(escape->text.size());
      continue;
    }
    if (!IsWord(property[0])) return {};
    out += property[0];
    property.remove_prefix(1);
  }
  return out;
}

std::string UnescapeProperty(std::string_view identifier) {
  constexpr std::size_t kMark = 2;
  if (identifier.size() > 2 * kMark && StartsWith(identifier, "__")) {
    const std::string_view word = identifier.substr(kMark, identifier.size() - 2 * kMark);
    if (identifier.substr(identifier.size() - kMark) == "__" && IsReserved(word)) {
      return std::string(word);
    }
  }
  std::string out;
  std::string_view rest = identifier;
  while (!rest.empty()) {
    const auto escape = std::find_if(kEscapes.begin(), kEscapes.end(),
                                     [&](const Escape& e) { return StartsWith(rest, e.code); });
    if (escape != kEscapes.end()) {
      out += escape->text;
      rest.remove_prefix(escape->code.size());
    } else {
      out += rest[0];
      rest.remove_prefix(1);
    }
  }
  return EscapeProperty(out) == identifier ? out : std::string();
}

SchemaTypes::SchemaTypes(std::string_view root_name, const Schema& root)
    : root_name_(root_name), root_(root) {
  root_type_ = MakeType(root_, root_name_);
}

const Schema* SchemaTypes::FindField(const Schema& object, bool is_root,
                                     std::string_view field) const {
  std::string property = UnescapeProperty(field);
  // Reserved words may be written as they are.
  if (property.empty() && IsReserved(field)) property = field;
  if (property.empty()) return nullptr;
  if (const schema::Field* found = object.FindField(property);
      found != nullptr &&
      !(is_root && property == "metadata" && object.origin == schema::Origin::kCustom)) {
    return found->schema;
  }
  if (!is_root || object.origin != schema::Origin::kCustom) return nullptr;
  if (property == "apiVersion" || property == "kind") return &kStringSchema;
  return property == "metadata" ? schema::FindBuiltinType(kObjectMeta) : nullptr;
}

const Schema* SchemaTypes::FindSchema(std::string_view type_name) const {
  if (!StartsWith(type_name, root_name_)) return nullptr;
  std::string_view path = type_name.substr(root_name_.size());
  const Schema* node = &root_;
  bool is_root = true;
  while (!path.empty()) {
    if (path.front() != '.') return nullptr;
    path.remove_prefix(1);
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(step.size());
    if (step == kItem || step == kMapValue) {
      node = node->element;
    } else {
      node = FindField(*node, is_root, step);
    }
    if (node == nullptr) return nullptr;
    is_root = false;
  }
  return node;
}

bool SchemaTypes::HasType(std::string_view type_name) const {
  const Schema* node = FindSchema(type_name);
  return node != nullptr && IsObject(*node);
}

const Type* SchemaTypes::MakeType(const Schema& node, const std::string& path) const {
  // Lists and maps nest in the node; objects end the walk, since their fields come later.
  std::string name = path;
  const Schema* inner = &node;
  std::string wraps;
  while (inner->kind == NodeKind::kList || IsMap(*inner)) {
    const bool list = inner->kind == NodeKind::kList;
    if (inner->element == nullptr || wraps.size() >= kMaxListNesting) return nullptr;
    wraps += list ? 'l' : 'm';
    name.append(".").append(list ? kItem : kMapValue);
    inner = inner->element;
  }
  const Type* type = nullptr;
  switch (inner->kind) {
    case NodeKind::kString:
      type = &types::kString;
      break;
    case NodeKind::kInteger:
      type = &types::kInt;
      break;
    case NodeKind::kNumber:
      type = &types::kDouble;
      break;
    case NodeKind::kBoolean:
      type = &types::kBool;
      break;
    case NodeKind::kIntOrString:
      type = &types::kDyn;
      break;
    case NodeKind::kBytes:
      type = &types::kBytes;
      break;
    case NodeKind::kTime:
    case NodeKind::kMicroTime:
      type = &types::kTimestamp;
      break;
    // Durations of built-in types are published as plain strings.
    case NodeKind::kDuration:
      type = inner->origin == schema::Origin::kCustom ? &types::kDuration : &types::kString;
      break;
    case NodeKind::kObject:
    case NodeKind::kRaw:
      if (IsObject(*inner)) type = pool_.Struct(name);
      break;
    // Quantities and values of several types have no single type: such fields do not exist.
    case NodeKind::kQuantity:
    case NodeKind::kAny:
    case NodeKind::kSchemaOr:
    case NodeKind::kMap:
    case NodeKind::kList:
      break;
  }
  if (type == nullptr) return nullptr;
  for (std::size_t i = wraps.size(); i > 0; --i) {
    type = wraps[i - 1] == 'l' ? pool_.List(type) : pool_.Map(&types::kString, type);
  }
  return type;
}

const Type* SchemaTypes::FieldType(std::string_view type_name, std::string_view field) const {
  const Schema* object = FindSchema(type_name);
  if (object == nullptr || !IsObject(*object)) return nullptr;
  const Schema* node = FindField(*object, object == &root_, field);
  if (node == nullptr) return nullptr;
  std::string path(type_name);
  path.append(".").append(field);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = made_.find(path);
  if (found != made_.end()) return found->second;
  const Type* type = MakeType(*node, path);
  made_.emplace(path, type);
  return type;
}

}  // namespace portcullis::cel
