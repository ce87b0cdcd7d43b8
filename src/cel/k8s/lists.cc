// isSorted, sum, min, max, indexOf, lastIndexOf, includes (spec/cel.md 16.1).

#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"
#include "cel/lib/costs.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// Order of two elements; those that cannot be compared count as equal, as the comparisons of
// these functions look for one outcome only.
int OrderOf(const Value& a, const Value& b) {
  int order = 0;
  bool unordered = false;
  if (!CompareValues(a, b, order, unordered) || unordered) return 0;
  return order;
}

Value IsSorted(CallContext& context, Args args) noexcept {
  const Value* previous = nullptr;
  for (const Value& item : args[0].as_list()) {
    if (!IsComparable(item)) return context.NoSuchOverload();
    if (previous != nullptr && OrderOf(*previous, item) > 0) return Value::Bool(false);
    previous = &item;
  }
  return Value::Bool(true);
}

// The element that no other one precedes in the direction `sign`; the first of equals.
Value Extreme(CallContext& context, const Value& list, int sign, std::string_view empty_error) {
  const Value* best = nullptr;
  for (const Value& item : list.as_list()) {
    if (!IsComparable(item)) return context.NoSuchOverload();
    if (best == nullptr || OrderOf(*best, item) == sign) best = &item;
  }
  return best == nullptr ? context.Error(empty_error) : *best;
}

Value Min(CallContext& context, Args args) noexcept {
  return Extreme(context, args[0], 1, "min called on empty list");
}

Value Max(CallContext& context, Args args) noexcept {
  return Extreme(context, args[0], -1, "max called on empty list");
}

Value SumFrom(CallContext& context, const Value& list, Value sum) {
  for (const Value& item : list.as_list()) {
    sum = Add(context, sum, item);
    if (sum.is_error()) return sum;
  }
  return sum;
}

Value SumInt(CallContext& context, Args args) noexcept {
  return SumFrom(context, args[0], Value::Int(0));
}
Value SumUint(CallContext& context, Args args) noexcept {
  return SumFrom(context, args[0], Value::Uint(0));
}
Value SumDouble(CallContext& context, Args args) noexcept {
  return SumFrom(context, args[0], Value::Double(0));
}
Value SumDuration(CallContext& context, Args args) noexcept {
  return SumFrom(context, args[0], Value::Duration(0));
}

Value IndexOf(CallContext& context, Args args) noexcept {
  const std::span<const Value> items = args[0].as_list();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (IsEqual(context, items[i], args[1])) return Value::Int(static_cast<std::int64_t>(i));
  }
  return Value::Int(-1);
}

Value LastIndexOf(CallContext& context, Args args) noexcept {
  const std::span<const Value> items = args[0].as_list();
  for (std::size_t i = items.size(); i-- > 0;) {
    if (IsEqual(context, items[i], args[1])) return Value::Int(static_cast<std::int64_t>(i));
  }
  return Value::Int(-1);
}

Value Includes(CallContext& context, Args args) noexcept {
  if (!args[0].is_list()) return Equal(context, args[0], args[1]);
  for (const Value& item : args[0].as_list()) {
    if (IsEqual(context, item, args[1])) return Value::Bool(true);
  }
  return Value::Bool(false);
}

#define PC_COMPARABLE(function, call, result)                                                      \
  {"list_int_" #function, #function, "(list(int)) -> " result("int"), call, kMember},              \
      {"list_uint_" #function, #function, "(list(uint)) -> " result("uint"), call, kMember},       \
      {"list_double_" #function, #function, "(list(double)) -> " result("double"), call, kMember}, \
      {"list_bool_" #function, #function, "(list(bool)) -> " result("bool"), call, kMember},       \
      {"list_duration_" #function, #function, "(list(duration)) -> " result("duration"), call,     \
       kMember},                                                                                   \
      {"list_timestamp_" #function, #function, "(list(timestamp)) -> " result("timestamp"), call,  \
       kMember},                                                                                   \
      {"list_string_" #function, #function, "(list(string)) -> " result("string"), call, kMember}, \
  {                                                                                                \
    "list_bytes_" #function, #function, "(list(bytes)) -> " result("bytes"), call, kMember         \
  }
#define PC_SAME(type) type
#define PC_BOOL(type) "bool"

// `includes` comes last, so that version 0 is the table without its last row.
constexpr Overload kOverloads[] = {
    PC_COMPARABLE(isSorted, IsSorted, PC_BOOL),
    {"list_int_sum", "sum", "(list(int)) -> int", SumInt, kMember},
    {"list_uint_sum", "sum", "(list(uint)) -> uint", SumUint, kMember},
    {"list_double_sum", "sum", "(list(double)) -> double", SumDouble, kMember},
    {"list_duration_sum", "sum", "(list(duration)) -> duration", SumDuration, kMember},
    PC_COMPARABLE(max, Max, PC_SAME),
    PC_COMPARABLE(min, Min, PC_SAME),
    {"list_a_index_of_int", "indexOf", "(list(A), A) -> int", IndexOf, kMember},
    {"list_a_last_index_of_int", "lastIndexOf", "(list(A), A) -> int", LastIndexOf, kMember},
    {"dyn_includes_dyn_bool", "includes", "(dyn, dyn) -> bool", Includes, kMember},
};

#undef PC_COMPARABLE
#undef PC_SAME
#undef PC_BOOL

constexpr FunctionCost kCosts[] = {
    {"isSorted", costs::Traversal}, {"sum", costs::Traversal},
    {"max", costs::Traversal},      {"min", costs::Traversal},
    {"indexOf", costs::Traversal},  {"lastIndexOf", costs::Traversal},
    {"includes", costs::Traversal},
};

constexpr std::span<const Overload> kAll(kOverloads);
constexpr Library kLibraryV0{"k8s.lists", kAll.first(kAll.size() - 1), kCosts};
constexpr Library kLibraryV1{"k8s.lists", kAll, kCosts};

}  // namespace

const Library& KubernetesListsLibrary(int version) {
  return version == 0 ? kLibraryV0 : kLibraryV1;
}

}  // namespace portcullis::cel
