#ifndef PORTCULLIS_CEL_EVAL_NATIVE_H_
#define PORTCULLIS_CEL_EVAL_NATIVE_H_

// From CEL results back to documents, for mutations (spec/cel.md 16.8, 17.3).

#include <string>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cel {

// The document that a CEL value stands for: structs become objects, uint stays a number. False with
// `error` set when there is none (`map key 1 is of type int64, not string`). A null inside an
// Object{} becomes the number 0, as the API server's conversion makes it.
bool ToNative(base::Arena& arena, const doc::Value& value, doc::Value& out, std::string& error);

// Object{...} types whose names are not the path at which they stand, one line each; empty if all
// are right. `value` is the outermost object.
std::string ObjectTypeNameErrors(const doc::Value& value);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_NATIVE_H_
