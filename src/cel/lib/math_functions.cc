#include "cel/lib/math_functions.h"

#include <cmath>
#include <limits>

namespace portcullis::cel::math {

using doc::Tag;
using doc::Value;

Value Ceil(CallContext&, Args args) noexcept {
  return Value::Double(std::ceil(args[0].as_double()));
}

Value Floor(CallContext&, Args args) noexcept {
  return Value::Double(std::floor(args[0].as_double()));
}

Value Round(CallContext&, Args args) noexcept {
  return Value::Double(std::round(args[0].as_double()));
}

Value Trunc(CallContext&, Args args) noexcept {
  return Value::Double(std::trunc(args[0].as_double()));
}

Value IsInf(CallContext&, Args args) noexcept {
  return Value::Bool(std::isinf(args[0].as_double()));
}

Value IsNaN(CallContext&, Args args) noexcept {
  return Value::Bool(std::isnan(args[0].as_double()));
}

Value IsFinite(CallContext&, Args args) noexcept {
  return Value::Bool(std::isfinite(args[0].as_double()));
}

Value Abs(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  if (value.tag() == Tag::kDouble) return Value::Double(std::fabs(value.as_double()));
  if (!value.is_int() || value.as_int() >= 0) return value;
  if (value.as_int() == std::numeric_limits<std::int64_t>::min()) {
    return context.Error("integer overflow");
  }
  return Value::Int(-value.as_int());
}

Value Sign(CallContext&, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kInt:
      return Value::Int((value.as_int() > 0) - (value.as_int() < 0));
    case Tag::kUint:
      return Value::Uint(value.as_uint() != 0 ? 1 : 0);
    default: {
      const double d = value.as_double();
      if (std::isnan(d)) return value;
      return Value::Double(static_cast<double>((d > 0) - (d < 0)));
    }
  }
}

Value Sqrt(CallContext&, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kInt:
      return Value::Double(std::sqrt(static_cast<double>(value.as_int())));
    case Tag::kUint:
      return Value::Double(std::sqrt(static_cast<double>(value.as_uint())));
    default:
      return Value::Double(std::sqrt(value.as_double()));
  }
}

Value RoundToDigits(CallContext&, Args args) noexcept {
  const double shift = std::pow(10.0, static_cast<double>(args[1].as_int()));
  return Value::Double(std::round(args[0].as_double() * shift) / shift);
}

}  // namespace portcullis::cel::math
