#ifndef PORTCULLIS_CEL_CHECK_WELL_KNOWN_H_
#define PORTCULLIS_CEL_CHECK_WELL_KNOWN_H_

// The well-known protobuf messages that every environment knows (spec/cel.md 1.2): their types,
// their fields and the one enum constant. Constant tables, thread-safe.

#include <string_view>

#include "cel/check/type.h"
#include "doc/value.h"

namespace portcullis::cel {

// The type that a message name stands for: `google.protobuf.Int32Value` -> wrapper(int),
// `google.protobuf.Struct` -> map(string, dyn). Null if the name is no well-known message.
const Type* WellKnownMessage(std::string_view name);

// The declared type of a field of a well-known message, null if it has no such field.
const Type* WellKnownField(std::string_view message, std::string_view field);

// The message whose fields a literal of this type has, empty if it is no well-known type:
// wrapper(int) -> `google.protobuf.Int64Value`.
std::string_view WellKnownMessageOf(const Type& type);

// Enum constants by full name; false if there is none of this name.
bool WellKnownConstant(std::string_view name, doc::Value& value);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_WELL_KNOWN_H_
