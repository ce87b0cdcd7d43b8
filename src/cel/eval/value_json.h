#ifndef PORTCULLIS_CEL_EVAL_VALUE_JSON_H_
#define PORTCULLIS_CEL_EVAL_VALUE_JSON_H_

// The JSON form of cel.expr.Value, as `cel eval` prints results and as the conformance data write
// values: {"int64Value": "1"}, {"listValue": {"values": [...]}}, ... beyond protobuf's own form
// there are optionalValue (null = none), opaqueValue {type, text}, jsonPatchValue and
// mutationObject (spec/cel.md 16.8).

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cel {

// A document in `arena`; map entries are sorted by key. Errors must not be passed.
doc::Value ToExprValue(base::Arena& arena, const doc::Value& value);

// The value that such a document describes; false when it is of no known form.
bool FromExprValue(base::Arena& arena, const doc::Value& document, doc::Value& out);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_VALUE_JSON_H_
