#ifndef PORTCULLIS_CEL_LIB_VALUE_TEXT_H_
#define PORTCULLIS_CEL_LIB_VALUE_TEXT_H_

// Names of run-time types and plain texts of values, as error messages print them
// (spec/cel.md 9.1, 9.4, 9.5, 10.6). The formatters of string.format are in format_*.h.
// All functions are pure and thread-safe; views point at constants or at the value's host type.

#include <span>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace portcullis::cel {

// CEL's name of the value's type: "int", "null_type", "google.protobuf.Duration", "list",
// "optional_type", "type", or a host type's name. An error is "error".
std::string_view RuntimeTypeName(const doc::Value& value);

// The Go type that cel-go uses for the value, which some messages show: "types.Int",
// "*types.baseList", "*types.Optional". Host objects print a pointer to their type name.
std::string_view GoTypeName(const doc::Value& value);

// The text of a value where cel-go prints it with `%v`: strings raw, numbers decimal, lists in
// brackets. For messages such as `no such key: KEY`. Bounded: long values are cut off.
std::string ValueText(const doc::Value& value);

// `no such overload: FUNC(t1, t2)` with run-time type names.
std::string NoSuchOverloadText(std::string_view function, std::span<const doc::Value> args);

// CEL's string() of the scalar kinds (spec/cel.md 11).
std::string DoubleText(double value);                   // %g: `1e+06`, `0.5`, `+Inf`, `NaN`
std::string DurationText(std::int64_t nanoseconds);     // `6347s`, `0.000000002s`
std::string TimestampText(const doc::Value& timestamp); // RFC 3339 in the value's own zone
std::string TimestampUtcText(const doc::Value& timestamp);

// Shortest decimal digits without exponent: `1000000`, `0.000000002`. Value must be finite.
std::string ShortestFixed(double value);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_LIB_VALUE_TEXT_H_
