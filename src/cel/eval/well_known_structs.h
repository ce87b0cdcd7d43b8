#ifndef PORTCULLIS_CEL_EVAL_WELL_KNOWN_STRUCTS_H_
#define PORTCULLIS_CEL_EVAL_WELL_KNOWN_STRUCTS_H_

// Construction of struct literals: protobuf's well-known messages become plain values, JSONPatch is
// checked field by field, Object.* keep their fields (spec/cel.md 1.2, 16.8).

#include <string_view>

#include "cel/check/library.h"
#include "cel/check/type.h"
#include "doc/value.h"

namespace portcullis::cel {

// The value of `type_name{fields}`, or an error value. `fields` is a map; `type_name` and `type`
// must outlive the value.
doc::Value BuildStruct(CallContext& context, const Type* type, std::string_view type_name,
                       const doc::Value& fields);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_WELL_KNOWN_STRUCTS_H_
