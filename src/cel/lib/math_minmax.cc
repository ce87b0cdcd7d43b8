// math.@min and math.@max: what the macros math.least and math.greatest become.

#include <string>

#include "cel/check/env.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/math_functions.h"

namespace portcullis::cel::math {

using doc::Value;

namespace {

constexpr std::string_view kMin = "math.@min";
constexpr std::string_view kMax = "math.@max";

// The smaller or larger of two values; the first one when they tie. `name` marks errors.
Value Pick(CallContext& context, const Value& first, const Value& second, std::string_view name) {
  int order = 0;
  bool unordered = false;
  if (!CompareValues(first, second, order, unordered)) {
    return context.Error(std::string("no such overload: ").append(name));
  }
  if (unordered) {
    if (context.options == nullptr || context.options->nan_order_errors) {
      return context.Error(std::string("NaN values cannot be ordered: ").append(name));
    }
    return first;
  }
  return (name == kMin ? order > 0 : order < 0) ? second : first;
}

Value PickFromList(CallContext& context, const Value& list, std::string_view name) {
  const auto items = list.as_list();
  if (items.empty()) {
    return context.Error(std::string(name).append("(list) argument must not be empty"));
  }
  Value best = items.front();
  for (const Value& item : items.subspan(1)) {
    best = Pick(context, best, item, name);
    if (best.is_error()) break;
  }
  // Comparing works for strings and others too, but the result must be a number.
  if (best.is_number()) return best;
  return context.Error(std::string("no such overload: ").append(name));
}

}  // namespace

Value Min(CallContext& context, Args args) noexcept {
  return args.size() == 1 ? args[0] : Pick(context, args[0], args[1], kMin);
}

Value Max(CallContext& context, Args args) noexcept {
  return args.size() == 1 ? args[0] : Pick(context, args[0], args[1], kMax);
}

Value MinOfList(CallContext& context, Args args) noexcept {
  return PickFromList(context, args[0], kMin);
}

Value MaxOfList(CallContext& context, Args args) noexcept {
  return PickFromList(context, args[0], kMax);
}

}  // namespace portcullis::cel::math
