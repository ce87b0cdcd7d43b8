// Operators as functions. The evaluator computes operators itself; these serve dynamic dispatch
// and whoever calls an operator through its table row.

#include "cel/eval/value_ops.h"
#include "cel/lib/standard_functions.h"

namespace portcullis::cel::ops {

using doc::Value;

Value CallNot(CallContext& context, Args args) noexcept { return Not(context, args[0]); }

Value CallNegate(CallContext& context, Args args) noexcept { return Negate(context, args[0]); }

Value CallNotStrictlyFalse(CallContext&, Args args) noexcept {
  return args[0].is_bool() ? args[0] : Value::Bool(true);
}

Value CallEquals(CallContext& context, Args args) noexcept {
  return Equal(context, args[0], args[1]);
}

// True unless equality is exactly true: incomparable values differ (spec/cel.md 9.4).
Value CallNotEquals(CallContext& context, Args args) noexcept {
  const Value equal = Equal(context, args[0], args[1]);
  return Value::Bool(!(equal.is_bool() && equal.as_bool()));
}

Value CallLess(CallContext& context, Args args) noexcept {
  return Compare(context, Relation::kLess, args[0], args[1]);
}

Value CallLessEquals(CallContext& context, Args args) noexcept {
  return Compare(context, Relation::kLessEqual, args[0], args[1]);
}

Value CallGreater(CallContext& context, Args args) noexcept {
  return Compare(context, Relation::kGreater, args[0], args[1]);
}

Value CallGreaterEquals(CallContext& context, Args args) noexcept {
  return Compare(context, Relation::kGreaterEqual, args[0], args[1]);
}

Value CallAdd(CallContext& context, Args args) noexcept { return Add(context, args[0], args[1]); }

Value CallSubtract(CallContext& context, Args args) noexcept {
  return Subtract(context, args[0], args[1]);
}

Value CallMultiply(CallContext& context, Args args) noexcept {
  return Multiply(context, args[0], args[1]);
}

Value CallDivide(CallContext& context, Args args) noexcept {
  return Divide(context, args[0], args[1]);
}

Value CallModulo(CallContext& context, Args args) noexcept {
  return Modulo(context, args[0], args[1]);
}

Value CallIn(CallContext& context, Args args) noexcept { return In(context, args[0], args[1]); }

Value CallIndex(CallContext& context, Args args) noexcept {
  return Index(context, args[0], args[1]);
}

}  // namespace portcullis::cel::ops
