#include "exceptions/fields.h"

#include <algorithm>
#include <set>

#include "base/suggest.h"

namespace portcullis::exceptions {
namespace {

std::string_view TypeName(FieldType type) {
  switch (type) {
    case FieldType::kString:
      return "string";
    case FieldType::kBool:
      return "boolean";
    case FieldType::kInteger:
      return "integer";
    case FieldType::kObject:
    case FieldType::kStringMap:
      return "object";
    case FieldType::kStrings:
    case FieldType::kObjects:
      return "array";
    case FieldType::kAny:
      break;
  }
  return "any";
}

bool HasType(const doc::Value& value, FieldType type) {
  switch (type) {
    case FieldType::kString:
      return value.is_string();
    case FieldType::kBool:
      return value.is_bool();
    case FieldType::kInteger:
      return value.is_int();
    case FieldType::kObject:
    case FieldType::kStringMap:
      return value.is_map();
    case FieldType::kStrings:
    case FieldType::kObjects:
      return value.is_list();
    case FieldType::kAny:
      break;
  }
  return true;
}

// The tables bound the depth of the recursion.
class Walker {
 public:
  explicit Walker(FieldFindings& out) : out_(out) {}

  void Members(const doc::Value& object, std::span<const Field> fields, const std::string& path) {
    for (const Field& field : fields) {
      const doc::Value* value = field.required ? object.Find(field.name) : nullptr;
      if (!field.required || (value != nullptr && !value->is_null())) continue;
      out_.errors.emplace_back(base::ErrorCode::kRequired, "Required value",
                               path + "." + std::string(field.name));
    }
    for (const doc::MapEntry& entry : object.as_map()) {
      if (!entry.key.is_string()) continue;
      const std::string_view name = entry.key.as_string();
      std::string member = path;
      member.append(".").append(name);
      const auto field = std::find_if(fields.begin(), fields.end(),
                                      [&](const Field& known) { return known.name == name; });
      if (field != fields.end()) {
        Check(entry.value, *field, member);
        continue;
      }
      std::vector<std::string_view> known;
      for (const Field& sibling : fields) known.push_back(sibling.name);
      out_.unknown.push_back(std::move(member));
      out_.hints.emplace_back(base::ClosestName(name, known));
    }
  }

  void Check(const doc::Value& value, const Field& field, const std::string& path) {
    if (!Is(value, field.type, path)) return;
    switch (field.type) {
      case FieldType::kObject:
        Members(value, field.members, path);
        break;
      case FieldType::kStringMap:
        for (const doc::MapEntry& entry : value.as_map()) {
          const std::string key = entry.key.is_string() ? std::string(entry.key.as_string()) : "?";
          Is(entry.value, FieldType::kString, std::string(path).append(".").append(key));
        }
        break;
      case FieldType::kStrings:
      case FieldType::kObjects:
        if (!field.list_key.empty()) FindRepeated(value, field.list_key, path);
        for (std::size_t i = 0; i < value.as_list().size(); ++i) {
          const doc::Value& item = value.as_list()[i];
          std::string at = path;
          at.append("[").append(std::to_string(i)).append("]");
          if (field.type == FieldType::kStrings) {
            Is(item, FieldType::kString, at);
          } else if (Is(item, FieldType::kObject, at)) {
            Members(item, field.members, at);
          }
        }
        break;
      default:
        break;
    }
  }

 private:
  void FindRepeated(const doc::Value& list, std::string_view key, const std::string& path) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const doc::Value& item = list.as_list()[i];
      const doc::Value* name = item.is_map() ? item.Find(key) : nullptr;
      if (name == nullptr || !name->is_string() || seen.insert(name->as_string()).second) continue;
      std::string text = "Duplicate value: {\"";
      text.append(key).append("\":\"").append(name->as_string()).append("\"}");
      std::string at = path;
      at.append("[").append(std::to_string(i)).append("]");
      out_.errors.emplace_back(base::ErrorCode::kDuplicate, std::move(text), std::move(at));
    }
  }

  // False for null, too: there is nothing to look into.
  bool Is(const doc::Value& value, FieldType type, const std::string& path) {
    if (value.is_null()) return false;
    if (HasType(value, type)) return true;
    out_.errors.emplace_back(base::ErrorCode::kInvalid,
                             "Invalid value: must be of type " + std::string(TypeName(type)), path);
    return false;
  }

  FieldFindings& out_;
};

// What evaluation reads of it; the rest is the API server's.
void CheckMetadata(const doc::Value& metadata, FieldFindings& out) {
  static constexpr Field kFields[] = {
      {"name", FieldType::kString},
      {"namespace", FieldType::kString},
      {"labels", FieldType::kStringMap},
      {"annotations", FieldType::kStringMap},
  };
  if (!metadata.is_map()) {
    Walker(out).Check(metadata, {"metadata", FieldType::kObject}, "metadata");
    return;
  }
  for (const Field& field : kFields) {
    const doc::Value* value = metadata.Find(field.name);
    if (value == nullptr) continue;
    Walker(out).Check(*value, field, std::string("metadata.").append(field.name));
  }
}

}  // namespace

FieldFindings CheckFields(const doc::Value& object, std::span<const Field> spec) {
  FieldFindings out;
  if (!object.is_map()) return out;
  for (const doc::MapEntry& entry : object.as_map()) {
    const std::string_view name = entry.key.is_string() ? entry.key.as_string() : "";
    if (name == "spec") {
      Walker(out).Check(entry.value, {"spec", FieldType::kObject, spec}, "spec");
    } else if (name == "metadata") {
      CheckMetadata(entry.value, out);
    } else if (name != "apiVersion" && name != "kind" && name != "status") {
      constexpr std::string_view kMembers[] = {"apiVersion", "kind", "metadata", "spec", "status"};
      out.unknown.emplace_back(name);
      out.hints.emplace_back(base::ClosestName(name, kMembers));
    }
  }
  return out;
}

}  // namespace portcullis::exceptions
