// List, map and struct literals (spec/cel.md 10.6, 16.8) and lazily evaluated block slots.

#include <cmath>
#include <string>
#include <vector>

#include "cel/eval/evaluator.h"
#include "cel/eval/struct_value.h"
#include "cel/eval/value_ops.h"
#include "cel/eval/well_known_structs.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

namespace {

constexpr std::uint64_t kListCost = 10;
constexpr std::uint64_t kMapCost = 30;
constexpr std::uint64_t kStructCost = 40;

bool SameKey(const Value& a, const Value& b) {
  if (a.tag() != b.tag()) return false;
  if (a.is_string()) return a.as_string() == b.as_string();
  if (a.tag() == Tag::kDouble) return a.as_double() == b.as_double();
  return a.is_null() || a.as_uint() == b.as_uint();
}

}  // namespace

Value Evaluator::EvalList(const Node& node) {
  auto* items = context_.arena.AllocateArray<Value>(node.count);
  std::size_t size = 0;
  Value failure;
  for (std::size_t i = 0; i < node.count; ++i) {
    const Value item = Eval(Child(node, i));
    if (item.is_error()) {
      failure = item;
      break;
    }
    if (!plan_.optionals[node.a + i]) {
      items[size++] = item;
    } else if (item.tag() != Tag::kOptional) {
      failure = context_.Error("cannot initialize optional list element from non-optional value " +
                               ValueText(item));
      break;
    } else if (item.has_value()) {
      items[size++] = item.held();
    }
  }
  Charge(kListCost);
  if (failure.is_error()) return failure;
  return Value::List({items, size});
}

// The specification forbids what cel-go lets pass: keys of other kinds, and repeated keys.
Value Evaluator::StrictKeyError(std::span<const doc::MapEntry> entries, const Value& key) {
  if (!key.is_string() && !key.is_bool() && !key.is_int() && key.tag() != Tag::kUint) {
    return context_.Error("unsupported key type: " + std::string(RuntimeTypeName(key)));
  }
  for (const doc::MapEntry& entry : entries) {
    if (IsEqual(context_, entry.key, key)) {
      return context_.Error("Failed with repeated key: " + ValueText(key));
    }
  }
  return Value::Null();
}

Value Evaluator::EvalMap(const Node& node) {
  const std::size_t pairs = node.count / 2;
  auto* entries = context_.arena.AllocateArray<doc::MapEntry>(pairs);
  std::size_t size = 0;
  Value failure;
  for (std::size_t i = 0; i < pairs; ++i) {
    const Value key = Eval(Child(node, 2 * i));
    if (key.is_error()) {
      failure = key;
      break;
    }
    Value value = Eval(Child(node, 2 * i + 1));
    if (value.is_error()) {
      failure = value;
      break;
    }
    bool removed = false;
    if (plan_.optionals[node.a + 2 * i]) {
      if (value.tag() != Tag::kOptional) {
        failure = context_.Error("cannot initialize optional entry '" + ValueText(key) +
                                 "' from non-optional value " + ValueText(value));
        break;
      }
      removed = !value.has_value();
      if (!removed) value = value.held();
    }
    if (key.tag() == Tag::kBytes) return Abort(UnhashableKey(context_, key));
    // The later of two equal keys wins, in the place of the earlier one.
    std::size_t at = 0;
    while (at < size && !SameKey(entries[at].key, key)) ++at;
    if (plan_.env->options.strict_map_keys) {
      failure = StrictKeyError({entries, size}, key);
      if (failure.is_error()) break;
    }
    if (removed) {
      if (at < size) {
        for (std::size_t j = at + 1; j < size; ++j) entries[j - 1] = entries[j];
        --size;
      }
      continue;
    }
    entries[at] = {key, value};
    if (at == size) ++size;
  }
  Charge(kMapCost);
  if (failure.is_error()) return failure;
  return doc::MakeMap(context_.arena, {entries, size}).WithFlags(Value::kLiteral);
}

Value Evaluator::EvalStruct(const Node& node) {
  const StructTarget& target = plan_.structs[node.a];
  auto* entries = context_.arena.AllocateArray<doc::MapEntry>(node.count);
  std::size_t size = 0;
  Value failure;
  for (std::size_t i = 0; i < node.count; ++i) {
    Value value = Eval(Child(node, i));
    if (value.is_error()) {
      failure = value;
      break;
    }
    if (target.optional[i]) {
      if (value.tag() != Tag::kOptional) {
        failure =
            context_.Error("cannot initialize optional entry '" + std::string(target.fields[i]) +
                           "' from non-optional value " + ValueText(value));
        break;
      }
      if (!value.has_value()) continue;
      value = value.held();
    }
    const Value key = Value::String(target.fields[i]);
    std::size_t at = 0;
    while (at < size && !SameKey(entries[at].key, key)) ++at;
    entries[at] = {key, value};
    if (at == size) ++size;
  }
  Value result = failure;
  if (!failure.is_error()) {
    const Value fields = doc::MakeMap(context_.arena, {entries, size});
    result = BuildStruct(context_, target.type, target.type_name, fields);
  }
  Charge(kStructCost);
  return result;
}

Value Evaluator::EvalBlock(const Node& node) {
  for (std::size_t i = 0; i + 1 < node.count; ++i) {
    locals_[node.a + i] = Slot{Value(), Child(node, i), false};
  }
  return Eval(Child(node, node.count - std::size_t{1}));
}

}  // namespace portcullis::cel
