// listObjToMap: two lists of objects to one map (spec/kyverno-cel-policies.md 10.14).

#include <string>

#include "cel/kyverno/convert.h"
#include "cel/kyverno/libraries.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// What a list element that is no object gives: the library has no other answer.
Value NotAnObject(CallContext& context, const Value& element) {
  return context.Error("internal error: interface conversion: interface {} is " +
                       std::string(kyverno::GoNativeName(element)) +
                       ", not map[interface {}]interface {}");
}

// A key that is no string, or null.
const Value* OddKey(const Value& object) {
  for (const doc::MapEntry& entry : object.as_map()) {
    if (!entry.key.is_string()) return &entry.key;
  }
  return nullptr;
}

Value ListObjToMap(CallContext& context, Args args) noexcept {
  const std::span<const Value> keys = args[0].as_list();
  const std::span<const Value> values = args[1].as_list();
  const std::string_view key_field = args[2].as_string();
  const std::string_view value_field = args[3].as_string();
  if (keys.size() != values.size()) {
    return context.Error("listObjToMap must take lists of equal length. list1: " +
                         std::to_string(keys.size()) + ", list2: " + std::to_string(values.size()));
  }
  auto* entries = context.arena.AllocateArray<doc::MapEntry>(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].is_map()) return NotAnObject(context, keys[i]);
    if (const Value* odd = OddKey(keys[i])) {
      return context.Error("failed to convert key to a string, " +
                           std::string(kyverno::GoNativeName(*odd)));
    }
    const Value* key = keys[i].Find(key_field);
    if (key == nullptr || !key->is_string()) {
      return context.Error(
          "the passed key name cannot be handled as a string in the key object list");
    }
    if (!values[i].is_map()) return NotAnObject(context, values[i]);
    if (OddKey(values[i]) != nullptr) {
      return context.Error(
          "object cannot be handled as a map string to any in the value object list");
    }
    const Value* value = values[i].Find(value_field);
    entries[i] = {*key, value != nullptr ? *value : Value::Null()};
  }
  return kyverno::LastOfEach(context.arena, {entries, keys.size()});
}

constexpr Overload kOverloads[] = {
    {"list_of_object_to_map_non_prefixed", "listObjToMap",
     "(list(dyn), list(dyn), string, string) -> map(dyn, dyn)", ListObjToMap},
    {"list_of_object_to_map_prefixed", "transform.listObjToMap",
     "(list(dyn), list(dyn), string, string) -> map(dyn, dyn)", ListObjToMap},
};

constexpr Library kLibrary{"kyverno.transform", kOverloads};

}  // namespace

const Library& KyvernoTransformLibrary() { return kLibrary; }

}  // namespace portcullis::cel
