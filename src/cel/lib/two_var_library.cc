// The helper of the two-variable comprehensions (spec/cel.md 6, 14.7) and the marker functions of
// the bindings library, which the evaluator computes itself.

#include <string>

#include "cel/eval/value_ops.h"
#include "cel/lib/call_support.h"
#include "cel/lib/libraries.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::MapEntry;
using doc::Value;

// `map` and the entries `added`; a key that is there already is an error.
Value Insert(CallContext& context, const Value& map, std::span<const MapEntry> added) {
  const auto old = map.as_map();
  auto* entries = context.arena.AllocateArray<MapEntry>(old.size() + added.size());
  std::copy(old.begin(), old.end(), entries);
  std::size_t count = old.size();
  for (const MapEntry& entry : added) {
    if (FindMapKey(map, entry.key) != nullptr) {
      return context.Error("insert failed: key " + ValueText(entry.key) + " already exists");
    }
    entries[count++] = entry;
  }
  return doc::MakeMap(context.arena, {entries, count});
}

Value InsertMap(CallContext& context, Args args) noexcept {
  return Insert(context, args[0], args[1].as_map());
}

Value InsertKeyValue(CallContext& context, Args args) noexcept {
  const MapEntry entry{args[1], args[2]};
  return Insert(context, args[0], {&entry, 1});
}

constexpr Overload kTwoVarOverloads[] = {
    {"@mapInsert_map_map", "cel.@mapInsert", "(map(K, V), map(K, V)) -> map(K, V)", InsertMap},
    {"@mapInsert_map_key_value", "cel.@mapInsert", "(map(K, V), K, V) -> map(K, V)",
     InsertKeyValue},
};

constexpr Overload kBindingsOverloads[] = {
    {"cel_block_list", "cel.@block", "(list(dyn), T) -> T", nullptr, kUnguarded | kNonStrict},
};

constexpr Library kTwoVar{"cel.lib.ext.comprev2", kTwoVarOverloads};
constexpr Library kBindings{"cel.lib.ext.cel.bindings", kBindingsOverloads};

}  // namespace

const Library& TwoVarLibrary() { return kTwoVar; }
const Library& BindingsLibrary() { return kBindings; }

}  // namespace portcullis::cel
