#include "base/wildcard.h"

#include <cstddef>

#include "base/utf8.h"

namespace portcullis::base {

// On a mismatch only the latest `*` takes one more character: earlier stars never need to move.
bool WildcardMatch(std::string_view pattern, std::string_view text) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = kNone;
  std::size_t retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      if (p == pattern.size()) return true;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t += DecodeRune(text, t).size;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != kNone) {
      p = star;
      retry += DecodeRune(text, retry).size;
      t = retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace portcullis::base
