#ifndef PORTCULLIS_JSON_READER_H_
#define PORTCULLIS_JSON_READER_H_

// JSON text -> doc::Value with the rules and error texts of Go's decoder as the Kubernetes API
// server uses it (spec/engineering.md 4.2): integers that fit int64 stay integers, other numbers
// are doubles, the last duplicate key wins, bad UTF-8 and lone surrogates become U+FFFD.
//
// One pass, no recursion, linear time. Values live in the caller's arena. Thread-safe (scratch
// memory is per thread); a warm thread allocates nothing from the heap.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"

namespace portcullis::json {

struct ReadOptions {
  // The text outlives the arena's contents: strings without escapes view into it.
  bool input_outlives = false;
  // A duplicate key is an error that names both places.
  bool strict = false;
  // Nesting of lists and maps that is accepted.
  std::uint32_t max_depth = 10000;
};

// The one value that `text` holds. Errors carry Go's message and line and column in `span`.
base::Result<doc::Value> Parse(std::string_view text, base::Arena& arena,
                               const ReadOptions& options = {});

// The value at the front of `text`; `*consumed` becomes the offset behind it and the blanks that
// follow. For JSON lines and concatenated documents.
base::Result<doc::Value> ParsePrefix(std::string_view text, base::Arena& arena,
                                     std::size_t* consumed, const ReadOptions& options = {});

}  // namespace portcullis::json

#endif  // PORTCULLIS_JSON_READER_H_
