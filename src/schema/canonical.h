#ifndef PORTCULLIS_SCHEMA_CANONICAL_H_
#define PORTCULLIS_SCHEMA_CANONICAL_H_

// The one spelling in which the API server writes back scalars that have several: quantities,
// times, durations, base64. Text that is not valid stays as it is (refusing it is validation).
// Pure functions; new text lives in `arena`.

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::schema {

// "1024Mi" -> "1Gi", 2 -> "2". With `whole_milli` rounded up to thousandths as resource lists are.
doc::Value CanonicalQuantity(const doc::Value& value, bool whole_milli, base::Arena& arena);
// RFC 3339 in UTC with seconds, or with six fraction digits.
doc::Value CanonicalTime(const doc::Value& value, bool micro, base::Arena& arena);
// "90m" -> "1h30m0s".
doc::Value CanonicalDuration(const doc::Value& value, base::Arena& arena);
// Without line breaks.
doc::Value CanonicalBytes(const doc::Value& value, base::Arena& arena);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_CANONICAL_H_
