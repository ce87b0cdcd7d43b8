#ifndef PORTCULLIS_PATCH_TYPED_CHECK_H_
#define PORTCULLIS_PATCH_TYPED_CHECK_H_

// Is a document a value of a schema in the sense of server-side apply, and does it touch anything
// atomic (spec/kubernetes-admission.md 3.4)? Used before a structured merge.
// Pure functions: thread-safe with an arena per thread.

#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "patch/merge_types.h"

namespace portcullis::patch {

// Nesting that typed documents may have; deeper ones are errors.
inline constexpr int kMaxTypedDepth = 1000;

struct TypedCheckOptions {
  bool allow_duplicates = false;  // items of equal keys: tolerated in live objects
  bool null_is_absent = true;     // JSON null fits everything; CEL's null fits nothing
};

// All errors as one text, `PATH: REASON` or `errors:` and a line for each; empty if there are none.
std::string CheckTyped(base::Arena& arena, const TypeRef& type, const doc::Value& value,
                       const TypedCheckOptions& options);

// The paths of all atomic lists, maps and objects in `value`, which must have passed CheckTyped.
std::vector<std::string> FindAtomics(const TypeRef& type, const doc::Value& value);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_TYPED_CHECK_H_
