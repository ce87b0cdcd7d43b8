#ifndef PORTCULLIS_PATCH_JSON_MERGE_H_
#define PORTCULLIS_PATCH_JSON_MERGE_H_

// JSON Merge Patch (RFC 7386). The result shares unchanged parts with both arguments and lives in
// the arena. Recursion is as deep as `patch`. Pure function: thread-safe with an arena per thread.

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::patch {

// `target` changed by `patch`: maps are merged, null removes a key, all else replaces.
doc::Value ApplyMergePatch(base::Arena& arena, const doc::Value& target, const doc::Value& patch);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_JSON_MERGE_H_
