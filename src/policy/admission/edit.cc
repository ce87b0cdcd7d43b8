#include "policy/admission/edit.h"

#include <vector>

namespace portcullis::policy {

doc::Value With(base::Arena& arena, const doc::Value& map, std::string_view key,
                const doc::Value& value) {
  std::vector<doc::MapEntry> entries(map.as_map().begin(), map.as_map().end());
  for (doc::MapEntry& entry : entries) {
    if (entry.key.as_string() == key) {
      entry.value = value;
      return doc::MakeMap(arena, entries);
    }
  }
  entries.push_back({doc::Value::String(key), value});
  return doc::MakeMap(arena, entries);
}

doc::Value Without(base::Arena& arena, const doc::Value& map, std::string_view key) {
  std::vector<doc::MapEntry> entries;
  for (const doc::MapEntry& entry : map.as_map()) {
    if (entry.key.as_string() != key) entries.push_back(entry);
  }
  return doc::MakeMap(arena, entries);
}

}  // namespace portcullis::policy
