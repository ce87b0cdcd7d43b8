#ifndef PORTCULLIS_PATCH_POINTER_H_
#define PORTCULLIS_PATCH_POINTER_H_

// JSON pointers (RFC 6901) as JSON Patch uses them, and the place they address in a document.
// Pure functions: thread-safe as long as each thread has its own arena.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::patch {

// A container and the way to it. Built by Locate for one operation.
struct Location {
  struct Step {
    doc::Value container;
    std::string_view key;   // of a map
    std::size_t index = 0;  // of a list
  };
  std::vector<Step> parents;  // outermost first
  doc::Value container;       // holds, or will hold, `key`
  std::string_view key;       // last token, unescaped
};

// Follows all tokens but the last. False when the path has no slash or a container is missing. What
// precedes the first slash is ignored, as in the API server.
bool Locate(base::Arena& arena, const doc::Value& document, std::string_view path, Location& out);

// The document with `location`'s container replaced by `container`.
doc::Value Rebuild(base::Arena& arena, const Location& location, const doc::Value& container);

// Go's strconv.Atoi: an optional sign and decimal digits that fit 64 bits. On failure `error` has
// Go's text.
bool ParseIndex(std::string_view token, std::int64_t& index, std::string& error);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_POINTER_H_
