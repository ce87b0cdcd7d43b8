#ifndef PORTCULLIS_BASE_ESCAPE_H_
#define PORTCULLIS_BASE_ESCAPE_H_

// Escapes of one letter, for the quoting functions of CEL, which differ in the characters they
// escape. Pure functions, thread-safe.

#include <cstddef>
#include <string>
#include <string_view>

namespace portcullis::base {

// Appends the escape of `c` (`\n`, `\"`) if its letter is among `letters`, of "abfnrtv\\\"";
// false, with nothing appended, if not.
inline bool AppendEscape(char32_t c, std::string_view letters, std::string& out) {
  constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  if (c >= 0x80) return false;
  const std::size_t at = kCharacters.find(static_cast<char>(c));
  if (at == std::string_view::npos || letters.find(kLetters[at]) == std::string_view::npos) {
    return false;
  }
  out += '\\';
  out += kLetters[at];
  return true;
}

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_ESCAPE_H_
