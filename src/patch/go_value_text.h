#ifndef PORTCULLIS_PATCH_GO_VALUE_TEXT_H_
#define PORTCULLIS_PATCH_GO_VALUE_TEXT_H_

// How Go prints the native values that a mutation expression evaluated to, inside the API server's
// error messages (spec/kubernetes-admission.md 3.4). CEL's null prints as structpb.NullValue; an
// optional holds a map that is still in CEL's own form (policy/admission/mutation_values.h).
// Pure functions, thread-safe.

#include <string>

#include "doc/value.h"

namespace portcullis::patch {

std::string GoPlainText(const doc::Value& value);   // %v
std::string GoSyntaxText(const doc::Value& value);  // %#v
std::string GoTypeName(const doc::Value& value);    // %T

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_GO_VALUE_TEXT_H_
