#ifndef PORTCULLIS_JSON_WRITER_H_
#define PORTCULLIS_JSON_WRITER_H_

// doc::Value -> JSON text as Go's encoding/json writes it (spec/engineering.md 3.4, 4.2): shortest
// floats, lower-case escapes, U+FFFD for bad UTF-8. Appends to one string, no recursion.
// Unsigned integers write as numbers and bytes as base64; what has no JSON form (non-finite
// doubles, durations, host objects ...) writes as null: callers that must refuse those look first.
// Pure functions, thread-safe.

#include <string>

#include "doc/value.h"

namespace portcullis::json {

struct WriteOptions {
  int indent = 0;            // 0 = compact; else blanks per level, `[]` and `{}` stay closed
  bool escape_html = false;  // Go's default for Marshal: < > & as six-character escapes
  bool sort_keys = false;    // by bytes, as Go writes maps; else insertion order
};

void Write(const doc::Value& value, std::string* out, const WriteOptions& options = {});

std::string ToString(const doc::Value& value, const WriteOptions& options = {});

}  // namespace portcullis::json

#endif  // PORTCULLIS_JSON_WRITER_H_
