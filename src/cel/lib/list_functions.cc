#include "cel/lib/list_functions.h"

#include <string>

#include "cel/eval/value_ops.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel::lists {

using doc::Tag;
using doc::Value;

namespace {

constexpr std::size_t kMaxFlattenDepth = 1024;
constexpr std::size_t kScanLimit = 64;  // longer lists of scalars use a hash table

// Where a list is flattened: one frame per nested list that is being walked.
struct Frame {
  std::span<const Value> items;
  std::size_t next;
};

// What cel-go's cost tracker says when it meets something that is no list. Which method is missing
// first depends on what the Go type does have.
Value NoListerError(CallContext& context, const Value& value) {
  const bool has_add = value.is_string() || value.tag() == Tag::kBytes || value.is_number() ||
                       value.tag() == Tag::kDuration || value.tag() == Tag::kTimestamp;
  std::string text = "internal error: interface conversion: ";
  text.append(GoTypeName(value)).append(" is not traits.Lister: missing method ");
  text.append(has_add ? "Contains" : "Add");
  return context.Error(text);
}

// The failure of a function with the list trait on another kind (spec/cel.md 9.5).
Value NoListTrait(CallContext& context, const Value& value, std::string_view function) {
  switch (value.tag()) {
    case Tag::kString:
    case Tag::kDuration:
    case Tag::kTimestamp:
      return context.NoSuchOverload();
    default:
      return context.Error(std::string("no such overload: ").append(function));
  }
}

bool IsScalarKey(const Value& value) {
  return value.is_number() || value.is_bool() || value.is_string();
}

// distinct() for long lists of scalars: expected O(n).
Value DistinctHashed(CallContext& context, std::span<const Value> items) {
  std::size_t buckets = 64;
  while (buckets < items.size() * 2) buckets *= 2;
  auto* slots = context.arena.AllocateArray<std::uint32_t>(buckets);
  std::memset(slots, 0, buckets * sizeof *slots);
  auto* kept = context.arena.AllocateArray<Value>(items.size());
  std::uint32_t count = 0;
  for (const Value& item : items) {
    std::size_t slot = doc::HashKey(item) & (buckets - 1);
    bool seen = false;
    for (; slots[slot] != 0 && !seen; slot = (slot + 1) & (buckets - 1)) {
      seen = IsEqual(context, item, kept[slots[slot] - 1]);
    }
    if (seen) continue;
    kept[count++] = item;
    slots[slot] = count;
  }
  return Value::List({kept, count});
}

// Checks that all of `keys` are of one comparable kind; an error value or null.
Value CheckKeys(CallContext& context, std::span<const Value> keys) {
  if (!IsComparable(keys.front())) return context.Error("list elements must be comparable");
  for (const Value& key : keys) {
    if (key.tag() != keys.front().tag()) {
      return context.Error("list elements must have the same type");
    }
  }
  return Value::Null();
}

bool Less(const Value& a, const Value& b) {
  int order = 0;
  bool unordered = false;
  return CompareValues(a, b, order, unordered) && !unordered && order < 0;
}

}  // namespace

doc::Value Slice(CallContext& context, Args args) noexcept {
  const std::int64_t start = args[1].as_int();
  const std::int64_t end = args[2].as_int();
  const auto size = static_cast<std::int64_t>(args[0].size());
  const std::string call =
      "cannot slice(" + std::to_string(start) + ", " + std::to_string(end) + "), ";
  if (start < 0 || end < 0) return context.Error(call + "negative indexes not supported");
  if (start > end) {
    return context.Error(call + "start index must be less than or equal to end index");
  }
  if (size < end) return context.Error(call + "list is length " + std::to_string(size));
  return Value::List(args[0].as_list().subspan(static_cast<std::size_t>(start),
                                               static_cast<std::size_t>(end - start)));
}

doc::Value Flatten(CallContext& context, Args args) noexcept {
  const Value& list = args[0];
  if (!list.is_list()) {
    return context.Error("no such overload: " + RuntimeName(*TypeOfValue(list)) + ".flatten()");
  }
  std::size_t depth = 1;
  if (args.size() > 1) {
    if (!args[1].is_int()) return context.Error(NoSuchOverloadText("flatten", args));
    if (args[1].as_int() < 0) return context.Error("level must be non-negative");
    depth = std::min(static_cast<std::size_t>(args[1].as_int()), kMaxFlattenDepth);
  }
  ListBuilder flat(context.arena, list.size());
  auto* stack = context.arena.AllocateArray<Frame>(std::min(depth, kMaxFlattenDepth) + 1);
  std::size_t level = 0;
  stack[0] = {list.as_list(), 0};
  for (;;) {
    Frame& frame = stack[level];
    if (frame.next == frame.items.size()) {
      if (level == 0) return flat.Finish();
      --level;
      continue;
    }
    const Value& item = frame.items[frame.next++];
    if (item.is_list() && level < depth) {
      stack[++level] = {item.as_list(), 0};
      continue;
    }
    if (flat.size() >= kMaxResultItems) return TooLarge(context, "flatten");
    flat.Add(item);
  }
}

doc::Value Reverse(CallContext& context, Args args) noexcept {
  const auto items = args[0].as_list();
  auto* reversed = context.arena.AllocateArray<Value>(items.size());
  std::reverse_copy(items.begin(), items.end(), reversed);
  return Value::List({reversed, items.size()});
}

doc::Value Range(CallContext& context, Args args) noexcept {
  const std::int64_t size = args[0].as_int();
  if (size < 0) {
    return context.Error("lists.range: size must be non-negative, got " + std::to_string(size));
  }
  if (static_cast<std::uint64_t>(size) > kMaxResultItems) return TooLarge(context, "lists.range");
  auto* items = context.arena.AllocateArray<Value>(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) items[i] = Value::Int(i);
  return Value::List({items, static_cast<std::size_t>(size)});
}

doc::Value Distinct(CallContext& context, Args args) noexcept {
  if (!args[0].is_list()) return NoListerError(context, args[0]);
  const auto items = args[0].as_list();
  if (items.size() > kScanLimit && std::all_of(items.begin(), items.end(), IsScalarKey)) {
    return DistinctHashed(context, items);
  }
  auto* kept = context.arena.AllocateArray<Value>(items.size());
  std::size_t count = 0;
  for (const Value& item : items) {
    bool seen = false;
    for (std::size_t i = 0; i < count && !seen; ++i) seen = IsEqual(context, item, kept[i]);
    if (!seen) kept[count++] = item;
  }
  return Value::List({kept, count});
}

doc::Value Sort(CallContext& context, Args args) noexcept {
  if (args[0].is_error()) return NoListerError(context, args[0]);
  if (!args[0].is_list()) return NoListTrait(context, args[0], "sort");
  const auto items = args[0].as_list();
  if (items.empty()) return args[0];
  const Value bad = CheckKeys(context, items);
  if (bad.is_error()) return bad;
  auto* sorted = context.arena.AllocateArray<Value>(items.size());
  std::copy(items.begin(), items.end(), sorted);
  StableSort(context.arena, sorted, items.size(), Less);
  return Value::List({sorted, items.size()});
}

doc::Value SortByKeys(CallContext& context, Args args) noexcept {
  if (args[0].is_error()) return NoListerError(context, args[0]);
  if (args[1].is_error()) return args[1];
  if (!args[0].is_list()) return NoListTrait(context, args[0], "@sortByAssociatedKeys");
  if (!args[1].is_list()) return context.NoSuchOverload();
  const auto items = args[0].as_list();
  const auto keys = args[1].as_list();
  if (items.size() != keys.size()) {
    return context.Error(
        "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
        "but got " +
        std::to_string(items.size()) + " and " + std::to_string(keys.size()) +
        " elements respectively");
  }
  if (items.empty()) return args[0];
  const Value bad = CheckKeys(context, keys);
  if (bad.is_error()) return bad;
  auto* order = context.arena.AllocateArray<std::uint32_t>(items.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) order[i] = i;
  StableSort(context.arena, order, items.size(),
             [&keys](std::uint32_t a, std::uint32_t b) { return Less(keys[a], keys[b]); });
  auto* sorted = context.arena.AllocateArray<Value>(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) sorted[i] = items[order[i]];
  return Value::List({sorted, items.size()});
}

std::uint64_t ResultSizeCost(Args, const Value& result) noexcept { return 11 + CostSize(result); }

std::uint64_t FlattenCost(Args args, const Value&) noexcept {
  std::uint64_t depth = 1;
  if (args.size() > 1 && args[1].is_int() && args[1].as_int() >= 0) depth = args[1].as_uint();
  const std::uint64_t size = CostSize(args[0]);
  // An absurd depth saturates instead of wrapping around.
  constexpr std::uint64_t kMax = std::uint64_t{1} << 62;
  if (size != 0 && depth > kMax / size) return kMax;
  return 11 + depth * size;
}

// Computed from the argument, so that a range which is too large to build costs its size.
std::uint64_t RangeCost(Args args, const Value& result) noexcept {
  if (args[0].is_int() && args[0].as_int() >= 0) return 11 + args[0].as_uint();
  return 11 + CostSize(result);
}

std::uint64_t PairwiseCost(Args args, const Value&) noexcept {
  if (!args[0].is_list()) return 0;
  const std::uint64_t n = args[0].size();
  const std::uint64_t pairs = n * n;
  if (n == 0) return 11;
  const Tag first = args[0].as_list().front().tag();
  const bool text = first == Tag::kString || first == Tag::kBytes;
  return 11 + (text ? static_cast<std::uint64_t>(2.1 * static_cast<double>(pairs)) : 2 * pairs);
}

}  // namespace portcullis::cel::lists
