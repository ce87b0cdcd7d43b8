#ifndef PORTCULLIS_PATCH_STRUCTURED_MERGE_H_
#define PORTCULLIS_PATCH_STRUCTURED_MERGE_H_

// Structured merge of a partial object into a live one by the kind's schema, as mutating admission
// policies do with ApplyConfiguration (spec/kubernetes-admission.md 3.4): maps and objects are
// merged, lists of type map by their keys, lists of type set united, scalars replaced; a patch that
// mentions anything atomic is refused unless told otherwise. Nothing can be removed.
//
// The patch may hold CEL values that have no JSON form (bytes, durations ...): those are type
// errors, as is CEL's null. The result shares unchanged parts with both arguments and lives in the
// arena. Pure functions: thread-safe with an arena per thread.

#include <string>

#include "base/arena.h"
#include "doc/value.h"
#include "schema/schema.h"

namespace portcullis::patch {

struct MergeResult {
  doc::Value value;   // meaningful when ok()
  std::string error;  // the API server's text, e.g. `invalid ApplyConfiguration: may not ...`
  bool ok() const { return error.empty(); }
};

struct MergeOptions {
  bool replace_atomics = false;  // as server-side apply: atomic parts are replaced, not refused
  // Lists without items stay lists; in the API server they are nil slices, which become null.
  bool keep_empty_lists = false;
};

// Both documents must be maps. `patch` carries apiVersion and kind of `live`.
MergeResult ApplyConfiguration(base::Arena& arena, const schema::Schema& schema,
                               const doc::Value& live, const doc::Value& patch,
                               const MergeOptions& options = {});

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_STRUCTURED_MERGE_H_
