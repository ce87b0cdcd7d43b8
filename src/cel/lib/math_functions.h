#ifndef PORTCULLIS_CEL_LIB_MATH_FUNCTIONS_H_
#define PORTCULLIS_CEL_LIB_MATH_FUNCTIONS_H_

// Implementations behind MathLibrary() (spec/cel.md 14.2). Internal to cel/lib.

#include "cel/lib/call_support.h"

namespace portcullis::cel::math {

// math_minmax.cc: the helpers that the macros math.least and math.greatest become.
doc::Value Min(CallContext& context, Args args) noexcept;
doc::Value Max(CallContext& context, Args args) noexcept;
doc::Value MinOfList(CallContext& context, Args args) noexcept;
doc::Value MaxOfList(CallContext& context, Args args) noexcept;

// math_functions.cc
doc::Value Ceil(CallContext& context, Args args) noexcept;
doc::Value Floor(CallContext& context, Args args) noexcept;
doc::Value Round(CallContext& context, Args args) noexcept;
doc::Value Trunc(CallContext& context, Args args) noexcept;
doc::Value IsInf(CallContext& context, Args args) noexcept;
doc::Value IsNaN(CallContext& context, Args args) noexcept;
doc::Value IsFinite(CallContext& context, Args args) noexcept;
doc::Value Abs(CallContext& context, Args args) noexcept;
doc::Value Sign(CallContext& context, Args args) noexcept;
doc::Value Sqrt(CallContext& context, Args args) noexcept;
doc::Value RoundToDigits(CallContext& context, Args args) noexcept;  // Kyverno's

// math_bits.cc
doc::Value BitAnd(CallContext& context, Args args) noexcept;
doc::Value BitOr(CallContext& context, Args args) noexcept;
doc::Value BitXor(CallContext& context, Args args) noexcept;
doc::Value BitNot(CallContext& context, Args args) noexcept;
doc::Value BitShiftLeft(CallContext& context, Args args) noexcept;
doc::Value BitShiftRight(CallContext& context, Args args) noexcept;

}  // namespace portcullis::cel::math

#endif  // PORTCULLIS_CEL_LIB_MATH_FUNCTIONS_H_
