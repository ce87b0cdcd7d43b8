// cel-go's sets extension (spec/cel.md 14.4): lists taken as sets, compared with the numeric
// equality across types.

#include "cel/eval/value_ops.h"
#include "cel/lib/call_support.h"
#include "cel/lib/libraries.h"

namespace portcullis::cel {
namespace {

using doc::Value;

bool Holds(CallContext& context, const Value& list, const Value& element) {
  for (const Value& item : list.as_list()) {
    if (IsEqual(context, element, item)) return true;
  }
  return false;
}

bool ContainsAll(CallContext& context, const Value& list, const Value& part) {
  for (const Value& item : part.as_list()) {
    if (!Holds(context, list, item)) return false;
  }
  return true;
}

Value Contains(CallContext& context, Args args) noexcept {
  return Value::Bool(ContainsAll(context, args[0], args[1]));
}

Value Equivalent(CallContext& context, Args args) noexcept {
  return Value::Bool(ContainsAll(context, args[0], args[1]) &&
                     ContainsAll(context, args[1], args[0]));
}

Value Intersects(CallContext& context, Args args) noexcept {
  for (const Value& item : args[1].as_list()) {
    if (Holds(context, args[0], item)) return Value::Bool(true);
  }
  return Value::Bool(false);
}

std::uint64_t OncePerPair(Args args, const Value&) noexcept {
  return 1 + CostSize(args[0]) * CostSize(args[1]);
}

std::uint64_t TwicePerPair(Args args, const Value&) noexcept {
  return 1 + 2 * CostSize(args[0]) * CostSize(args[1]);
}

constexpr Overload kOverloads[] = {
    {"list_sets_contains_list", "sets.contains", "(list(T), list(T)) -> bool", Contains, kTracked,
     OncePerPair},
    {"list_sets_equivalent_list", "sets.equivalent", "(list(T), list(T)) -> bool", Equivalent,
     kTracked, TwicePerPair},
    {"list_sets_intersects_list", "sets.intersects", "(list(T), list(T)) -> bool", Intersects,
     kTracked, OncePerPair},
};

constexpr Library kLibrary{"cel.lib.ext.sets", kOverloads};

}  // namespace

const Library& SetsLibrary() { return kLibrary; }

}  // namespace portcullis::cel
