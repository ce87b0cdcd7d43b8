#ifndef PORTCULLIS_INPUT_CHECK_H_
#define PORTCULLIS_INPUT_CHECK_H_

// Whether the type that a document names exists, and which one was likely meant: `kind: pod`,
// `apiVersion: v1` with `kind: Deployment`. Kinds of groups that are neither built in nor defined
// by a CustomResourceDefinition among the inputs cannot be judged and pass.
// Pure function, thread-safe.

#include <optional>

#include "input/diagnostic.h"
#include "input/document.h"
#include "schema/type_table.h"

namespace portcullis::input {

// Call it when all CRDs are in `types`.
std::optional<Diagnostic> CheckType(const Document& document, const schema::TypeTable& types);

}  // namespace portcullis::input

#endif  // PORTCULLIS_INPUT_CHECK_H_
