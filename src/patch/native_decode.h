#ifndef PORTCULLIS_PATCH_NATIVE_DECODE_H_
#define PORTCULLIS_PATCH_NATIVE_DECODE_H_

// Does a document decode into the Go type of a built-in kind? Asked of patched objects, with the
// texts of Go's JSON decoder (spec/kubernetes-admission.md 3.5, 4.4). What follows ` into Go ` in a
// type error is close to the server's text but not exact.
// Pure functions, thread-safe.

#include <cstdint>
#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "schema/schema.h"

namespace portcullis::patch {

struct DecodeCheck {
  std::string error;                        // the first value that does not fit; empty if none
  std::vector<std::string> unknown_fields;  // `unknown field "spec.foo"`, sorted as Go writes keys
};

// In which order members are looked at: as Go writes them, or as the document has them.
enum class MemberOrder : std::uint8_t { kSorted, kAsWritten };

// `schema` is the root of a built-in kind.
DecodeCheck CheckDecode(const schema::Schema& schema, const doc::Value& document,
                        MemberOrder order = MemberOrder::kSorted);

// As a strict decoder reports it: the type error, else `strict decoding error: ` and the unknown
// fields; empty when the document decodes.
std::string StrictDecodeError(const schema::Schema& schema, const doc::Value& document);

// Brings the numbers of a merged document to the Go types of the kind, as conversion from
// unstructured content does: whole floats become integers, integers are cut to 32 bits where the
// field has no more. On failure `error` is set (`cannot convert float64 to int32`). Unchanged parts
// are shared.
doc::Value CoerceNumbers(base::Arena& arena, const schema::Schema& schema,
                         const doc::Value& document, std::string& error);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_NATIVE_DECODE_H_
