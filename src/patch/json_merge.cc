#include "patch/json_merge.h"

#include <vector>

namespace portcullis::patch {

doc::Value ApplyMergePatch(base::Arena& arena, const doc::Value& target, const doc::Value& patch) {
  if (!patch.is_map()) return patch;
  std::vector<doc::MapEntry> entries;
  if (target.is_map()) {
    entries.reserve(target.size() + patch.size());
    for (const doc::MapEntry& entry : target.as_map()) {
      const doc::Value* change = patch.FindKey(entry.key);
      if (change == nullptr) {
        entries.push_back(entry);
      } else if (!change->is_null()) {
        entries.push_back({entry.key, ApplyMergePatch(arena, entry.value, *change)});
      }
    }
  }
  for (const doc::MapEntry& entry : patch.as_map()) {
    if (entry.value.is_null() || target.FindKey(entry.key) != nullptr) continue;
    entries.push_back({entry.key, ApplyMergePatch(arena, doc::Value::Null(), entry.value)});
  }
  return doc::MakeMap(arena, entries);
}

}  // namespace portcullis::patch
