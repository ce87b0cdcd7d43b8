#include "policy/admission/complete.h"

#include <vector>

#include "doc/edit.h"
#include "schema/defaulting.h"

namespace portcullis::policy {
namespace {

using doc::Value;

constexpr int kMaxDepth = 1000;

// Puts back what defaulting drops: a custom resource keeps undeclared fields until it is stored.
Value KeepUnknown(base::Arena& arena, const Value& written, const Value& defaulted, int depth) {
  if (depth > kMaxDepth) return written;
  if (written.is_map() && defaulted.is_map() && written.map_rep() == defaulted.map_rep()) {
    return defaulted;
  }
  if (written.is_list() && defaulted.is_list() && written.size() == defaulted.size()) {
    std::vector<Value> items(defaulted.as_list().begin(), defaulted.as_list().end());
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i] = KeepUnknown(arena, written.as_list()[i], items[i], depth + 1);
    }
    return doc::MakeList(arena, items);
  }
  if (!written.is_map() || !defaulted.is_map()) return defaulted;
  doc::MapBuilder out(defaulted);
  for (const doc::MapEntry& entry : written.as_map()) {
    const Value* known = defaulted.FindKey(entry.key);
    out.Set(entry.key,
            known == nullptr ? entry.value : KeepUnknown(arena, entry.value, *known, depth + 1));
  }
  return out.Build(arena);
}

}  // namespace

Value CompleteMutated(const Value& object, const match::GroupVersionKind& kind,
                      const schema::TypeTable* types, base::Arena& arena) {
  const schema::TypeTable& table = types != nullptr ? *types : schema::TypeTable::Builtin();
  const schema::Kind* known = table.FindKind(kind.group, kind.version, kind.kind);
  if (known == nullptr) return object;
  schema::DefaultOptions options;
  options.namespace_name = {};
  options.plugins = false;
  const Value defaulted = schema::Default(object, table, arena, options);
  if (!known->custom) return defaulted;
  const Value kept = KeepUnknown(arena, object, defaulted, 0);
  // The schema of a custom resource says nothing about metadata, and its Go type is not read again.
  const Value* metadata = object.Find("metadata");
  return metadata == nullptr ? kept : doc::WithEntry(arena, kept, "metadata", *metadata);
}

}  // namespace portcullis::policy
