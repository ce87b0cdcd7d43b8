#include "cel/syntax/utf8.h"

#include <cstring>

namespace portcullis::cel {

std::size_t Utf8SequenceLength(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) -> unsigned {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const auto continues = [&](std::size_t k) { return (at(k) & 0xC0U) == 0x80U; };
  const unsigned c = at(i);
  if (c < 0x80) return 1;
  if (c < 0xC2) return 0;
  if (c < 0xE0) return continues(i + 1) ? 2 : 0;
  const unsigned d = at(i + 1);
  if (c < 0xF0) {
    if (!continues(i + 1) || !continues(i + 2)) return 0;
    if (c == 0xE0 && d < 0xA0) return 0;
    if (c == 0xED && d > 0x9F) return 0;
    return 3;
  }
  if (c > 0xF4 || !continues(i + 1) || !continues(i + 2) || !continues(i + 3)) return 0;
  if (c == 0xF0 && d < 0x90) return 0;
  if (c == 0xF4 && d > 0x8F) return 0;
  return 4;
}

std::size_t CountCodePoints(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1U : 0U;
  return count;
}

bool IsAscii(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & 0x8080808080808080ULL) != 0) return false;
  }
  for (; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0x80) return false;
  }
  return true;
}

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = Utf8SequenceLength(text, i);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
    } else {
      out.append(text, i, length);
      i += length;
    }
  }
  return out;
}

void AppendUtf8(std::uint32_t code_point, std::string& out) {
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte & 0xFFU); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0U | (code_point >> 6));
    add(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    add(0xE0U | (code_point >> 12));
    add(0x80U | ((code_point >> 6) & 0x3FU));
    add(0x80U | (code_point & 0x3FU));
  } else {
    add(0xF0U | (code_point >> 18));
    add(0x80U | ((code_point >> 12) & 0x3FU));
    add(0x80U | ((code_point >> 6) & 0x3FU));
    add(0x80U | (code_point & 0x3FU));
  }
}

}  // namespace portcullis::cel
