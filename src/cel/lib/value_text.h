#ifndef PORTCULLIS_CEL_LIB_VALUE_TEXT_H_
#define PORTCULLIS_CEL_LIB_VALUE_TEXT_H_

// Names of run-time types and plain texts of values, as error messages print them
// (spec/cel.md 9.1, 9.4, 9.5, 10.6). The formatters of string.format are in format_*.h.
// All functions are pure and thread-safe; views point at constants or at the value's host type.

#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "doc/value.h"

namespace portcullis::cel {

// The Go type of a number: "int64", "uint64", "float64"; empty for other values.
std::string_view GoNumberName(const doc::Value& value);

// CEL's name of the value's type: "int", "null_type", "google.protobuf.Duration", "list",
// "optional_type", "type", or a host type's name. An error is "error".
std::string_view RuntimeTypeName(const doc::Value& value);

// The Go type that cel-go uses for the value, which some messages show: "types.Int",
// "*types.baseList", "*types.Optional". Host objects give their type name.
std::string_view GoTypeName(const doc::Value& value);

// The text of a value where cel-go prints it with `%v`: strings raw, numbers decimal, lists in
// brackets. For messages such as `no such key: KEY`. Bounded: long values are cut off.
std::string ValueText(const doc::Value& value);

// `no such overload: FUNC(t1, t2)` with run-time type names.
std::string NoSuchOverloadText(std::string_view function, std::span<const doc::Value> args);

// The instant of a kTimestamp value, and back.
base::Instant InstantOf(const doc::Value& timestamp);
doc::Value TimestampValue(const base::Instant& instant);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_LIB_VALUE_TEXT_H_
