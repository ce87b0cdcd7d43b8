#ifndef PORTCULLIS_CEL_LIB_STANDARD_FUNCTIONS_H_
#define PORTCULLIS_CEL_LIB_STANDARD_FUNCTIONS_H_

// Implementations behind the rows of StandardLibrary() (spec/cel.md 9-12). Internal to cel/lib.
// All follow the contract of NativeFunction; those whose rows are kUnguarded check their argument
// types themselves.

#include "cel/lib/call_support.h"

namespace portcullis::cel {

// operators.cc
namespace ops {
doc::Value CallNot(CallContext& context, Args args) noexcept;
doc::Value CallNegate(CallContext& context, Args args) noexcept;
doc::Value CallNotStrictlyFalse(CallContext& context, Args args) noexcept;
doc::Value CallEquals(CallContext& context, Args args) noexcept;
doc::Value CallNotEquals(CallContext& context, Args args) noexcept;
doc::Value CallLess(CallContext& context, Args args) noexcept;
doc::Value CallLessEquals(CallContext& context, Args args) noexcept;
doc::Value CallGreater(CallContext& context, Args args) noexcept;
doc::Value CallGreaterEquals(CallContext& context, Args args) noexcept;
doc::Value CallAdd(CallContext& context, Args args) noexcept;
doc::Value CallSubtract(CallContext& context, Args args) noexcept;
doc::Value CallMultiply(CallContext& context, Args args) noexcept;
doc::Value CallDivide(CallContext& context, Args args) noexcept;
doc::Value CallModulo(CallContext& context, Args args) noexcept;
doc::Value CallIn(CallContext& context, Args args) noexcept;
doc::Value CallIndex(CallContext& context, Args args) noexcept;
}  // namespace ops

// text_predicates.cc
namespace text {
doc::Value Size(CallContext& context, Args args) noexcept;
doc::Value Contains(CallContext& context, Args args) noexcept;
doc::Value StartsWith(CallContext& context, Args args) noexcept;
doc::Value EndsWith(CallContext& context, Args args) noexcept;
doc::Value Matches(CallContext& context, Args args) noexcept;
}  // namespace text

// conversions.cc
namespace convert {
doc::Value Identity(CallContext& context, Args args) noexcept;
doc::Value ToInt(CallContext& context, Args args) noexcept;
doc::Value ToUint(CallContext& context, Args args) noexcept;
doc::Value ToDouble(CallContext& context, Args args) noexcept;
doc::Value ToBool(CallContext& context, Args args) noexcept;
doc::Value ToText(CallContext& context, Args args) noexcept;
doc::Value ToBytes(CallContext& context, Args args) noexcept;
doc::Value ToDuration(CallContext& context, Args args) noexcept;
doc::Value ToTimestamp(CallContext& context, Args args) noexcept;
doc::Value ToType(CallContext& context, Args args) noexcept;
}  // namespace convert

// time_getters.cc: the first argument is a timestamp, the optional second one a time zone.
namespace getters {
doc::Value FullYear(CallContext& context, Args args) noexcept;
doc::Value Month(CallContext& context, Args args) noexcept;
doc::Value DayOfYear(CallContext& context, Args args) noexcept;
doc::Value DayOfMonth(CallContext& context, Args args) noexcept;
doc::Value Date(CallContext& context, Args args) noexcept;
doc::Value DayOfWeek(CallContext& context, Args args) noexcept;
doc::Value Hours(CallContext& context, Args args) noexcept;
doc::Value Minutes(CallContext& context, Args args) noexcept;
doc::Value Seconds(CallContext& context, Args args) noexcept;
doc::Value Milliseconds(CallContext& context, Args args) noexcept;
doc::Value DurationHours(CallContext& context, Args args) noexcept;
doc::Value DurationMinutes(CallContext& context, Args args) noexcept;
doc::Value DurationSeconds(CallContext& context, Args args) noexcept;
doc::Value DurationMilliseconds(CallContext& context, Args args) noexcept;
}  // namespace getters

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_LIB_STANDARD_FUNCTIONS_H_
