#ifndef PORTCULLIS_CEL_SYNTAX_UTF8_H_
#define PORTCULLIS_CEL_SYNTAX_UTF8_H_

// Code points of source text. Stateless.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace portcullis::cel {

// Length of the sequence at text[i], 0 if it is not valid UTF-8. Requires i < text.size().
std::size_t Utf8SequenceLength(std::string_view text, std::size_t i);

// Code points of valid UTF-8.
std::size_t CountCodePoints(std::string_view text);

// True if every byte is ASCII.
bool IsAscii(std::string_view text);

// `text` with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string ReplaceInvalidUtf8(std::string_view text);

void AppendUtf8(std::uint32_t code_point, std::string& out);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_UTF8_H_
