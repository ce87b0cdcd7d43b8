#include "schema/schema.h"

#include <algorithm>

namespace portcullis::schema {

const Field* Schema::FindField(std::string_view name) const {
  const Field* end = field_data + field_count;
  const Field* found = std::lower_bound(
      field_data, end, name,
      [](const Field& field, std::string_view key) { return FieldNameLess(field.name, key); });
  return found != end && found->name == name ? found : nullptr;
}

const Schema* Schema::Child(std::string_view name) const {
  if (kind == NodeKind::kObject) {
    if (const Field* field = FindField(name)) return field->schema;
    return element;
  }
  return kind == NodeKind::kMap ? element : nullptr;
}

const Subresource* Kind::FindSubresource(std::string_view name) const {
  for (const Subresource& sub : subresources()) {
    if (sub.name == name) return &sub;
  }
  return nullptr;
}

const Schema* FindBuiltinType(std::string_view type_name) {
  // Types are numbered by name, and a number without a node is a type that no kind uses.
  std::size_t low = 1;
  std::size_t high = kBuiltinTypes.size();
  while (low < high) {
    std::size_t middle = low + (high - low) / 2;
    std::size_t probe = middle;
    while (probe < high && kBuiltinTypes[probe] == nullptr) ++probe;
    if (probe == high || kBuiltinTypes[probe]->type_name > type_name) {
      high = middle;
    } else if (kBuiltinTypes[probe]->type_name == type_name) {
      return kBuiltinTypes[probe];
    } else {
      low = probe + 1;
    }
  }
  return nullptr;
}

}  // namespace portcullis::schema
