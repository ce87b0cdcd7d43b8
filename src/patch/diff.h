#ifndef PORTCULLIS_PATCH_DIFF_H_
#define PORTCULLIS_PATCH_DIFF_H_

// The JSON Patch that turns one document into another: for admission answers and shown results.
// Keys go in alphabetical order; list items are compared by position, surplus ones are appended,
// and a list that became shorter is replaced. ApplyJsonPatch(a, Diff(a, b)) equals b.
// Values of the operations are shared with `after`; paths live in the arena.
// Pure functions: thread-safe with an arena per thread.

#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "patch/json_patch.h"

namespace portcullis::patch {

std::vector<Operation> Diff(base::Arena& arena, const doc::Value& before, const doc::Value& after);

// The operations as a JSON document: a list of {op, path, value}.
doc::Value ToDocument(base::Arena& arena, std::span<const Operation> operations);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_DIFF_H_
