#ifndef PORTCULLIS_BASE_WILDCARD_H_
#define PORTCULLIS_BASE_WILDCARD_H_

// Globs of policies: `*` any run, `?` exactly one character; no escapes, no classes.
// Pure, allocation-free, O(n * m) worst case, linear for the usual patterns.

#include <string_view>

namespace portcullis::base {

// True if `text` matches the whole of `pattern`. `?` matches one code point.
bool WildcardMatch(std::string_view pattern, std::string_view text);

// True if `text` has a wildcard character.
inline bool HasWildcard(std::string_view text) {
  return text.find_first_of("*?") != std::string_view::npos;
}

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_WILDCARD_H_
