#ifndef PORTCULLIS_PATCH_POINTER_H_
#define PORTCULLIS_PATCH_POINTER_H_

// JSON pointers (RFC 6901) as JSON Patch uses them, and the place they address in a document.
// Pure functions: thread-safe as long as each thread has its own arena.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "patch/overlay.h"

namespace portcullis::patch {

struct Location {
  Overlay::Ref container = Overlay::kNone;  // a map or list that holds, or will hold, `key`
  std::string_view key;                     // last token, unescaped
};

// Follows all tokens but the last. False when the path has no slash or a container is missing. What
// precedes the first slash is ignored, as in the API server. Unescaped tokens live in `arena`.
bool Locate(base::Arena& arena, Overlay& document, std::string_view path, Location& out);

// Go's strconv.Atoi: an optional sign and decimal digits that fit 64 bits. On failure `error` has
// Go's text.
bool ParseIndex(std::string_view token, std::int64_t& index, std::string& error);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_POINTER_H_
