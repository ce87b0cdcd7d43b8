#ifndef PORTCULLIS_BASE_UTF8_H_
#define PORTCULLIS_BASE_UTF8_H_

// UTF-8 as Go sees it: each byte that starts no valid sequence is one U+FFFD of size 1; surrogates
// and over-long forms are invalid. CEL counts and indexes code points (spec/cel.md 10.5).
// Pure functions; O(n) with a fast path for ASCII.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace portcullis::base {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Rune {
  char32_t code = kReplacement;
  std::uint32_t size = 0;  // bytes; 0 only at the end of the text
  bool valid = false;      // false: an invalid byte (code is U+FFFD, size 1)
};

// The code point at `offset`; size 0 at the end.
Rune DecodeRune(std::string_view text, std::size_t offset = 0);
// The last code point of `text`.
Rune DecodeLastRune(std::string_view text);

bool IsAscii(std::string_view text);
bool IsValidUtf8(std::string_view text);

// utf8.RuneCountInString: invalid bytes count one each.
std::size_t CountCodePoints(std::string_view text);

// Byte offset of the code point number `index`; text.size() when index equals the count, npos
// beyond.
std::size_t CodePointOffset(std::string_view text, std::size_t index);

// Appends `code`; surrogates and values above 0x10FFFF become U+FFFD.
void AppendUtf8(std::string& out, char32_t code);
// Same into `out` (at least 4 bytes); returns the length.
std::size_t EncodeUtf8(char32_t code, char* out);

// Every invalid byte replaced by U+FFFD.
std::string ToValidUtf8(std::string_view text);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_UTF8_H_
