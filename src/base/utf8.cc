#include "base/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cstring>

namespace portcullis::base {
namespace {

unsigned char Byte(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool IsContinuation(unsigned char c) { return (c & 0xC0) == 0x80; }

// Length of the leading run of ASCII bytes, at least up to the last full block.
std::size_t AsciiPrefix(std::string_view text) {
  std::size_t i = 0;
#if defined(__SSE2__)
  for (; i + 16 <= text.size(); i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
    const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(block));
    if (mask != 0) return i + static_cast<std::size_t>(std::countr_zero(mask));
  }
#else
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t block = 0;
    std::memcpy(&block, text.data() + i, 8);
    if ((block & 0x8080808080808080ULL) != 0) break;
  }
#endif
  while (i < text.size() && Byte(text, i) < 0x80) ++i;
  return i;
}

Rune DecodeMultibyte(std::string_view text, std::size_t offset) {
  constexpr Rune kInvalid{kReplacement, 1, false};
  const unsigned char c = Byte(text, offset);
  const std::size_t left = text.size() - offset;
  std::uint32_t size = 0;
  std::uint32_t code = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (c >= 0xC2 && c <= 0xDF) {
    size = 2;
    code = c & 0x1FU;
  } else if (c >= 0xE0 && c <= 0xEF) {
    size = 3;
    code = c & 0x0FU;
    if (c == 0xE0) low = 0xA0;
    if (c == 0xED) high = 0x9F;
  } else if (c >= 0xF0 && c <= 0xF4) {
    size = 4;
    code = c & 0x07U;
    if (c == 0xF0) low = 0x90;
    if (c == 0xF4) high = 0x8F;
  } else {
    return kInvalid;
  }
  if (left < size) return kInvalid;
  for (std::uint32_t i = 1; i < size; ++i) {
    const unsigned char next = Byte(text, offset + i);
    if (next < low || next > high) return kInvalid;
    low = 0x80;
    high = 0xBF;
    code = (code << 6) | (next & 0x3FU);
  }
  return {code, size, true};
}

}  // namespace

Rune DecodeRune(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return {};
  const unsigned char c = Byte(text, offset);
  if (c < 0x80) return {c, 1, true};
  return DecodeMultibyte(text, offset);
}

Rune DecodeLastRune(std::string_view text) {
  if (text.empty()) return {};
  std::size_t start = text.size() - 1;
  const std::size_t limit = text.size() > 4 ? text.size() - 4 : 0;
  while (start > limit && IsContinuation(Byte(text, start))) --start;
  const Rune rune = DecodeRune(text, start);
  if (start + rune.size == text.size()) return rune;
  return {kReplacement, 1, false};
}

bool IsAscii(std::string_view text) { return AsciiPrefix(text) == text.size(); }

bool IsValidUtf8(std::string_view text) {
  std::size_t i = AsciiPrefix(text);
  while (i < text.size()) {
    const Rune rune = DecodeRune(text, i);
    if (!rune.valid) return false;
    i += rune.size;
    if (rune.size == 1) i += AsciiPrefix(text.substr(i));
  }
  return true;
}

std::size_t CountCodePoints(std::string_view text) {
  std::size_t i = AsciiPrefix(text);
  std::size_t count = i;
  while (i < text.size()) {
    if (Byte(text, i) < 0x80) {
      const std::size_t run = AsciiPrefix(text.substr(i));
      i += run;
      count += run;
    } else {
      i += DecodeMultibyte(text, i).size;
      ++count;
    }
  }
  return count;
}

std::size_t CodePointOffset(std::string_view text, std::size_t index) {
  const std::size_t ascii = AsciiPrefix(text);
  if (index <= ascii) return index;
  std::size_t i = ascii;
  for (std::size_t left = index - ascii; left > 0; --left) {
    if (i >= text.size()) return std::string_view::npos;
    i += DecodeRune(text, i).size;
  }
  return i;
}

std::size_t EncodeUtf8(char32_t code, char* out) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = kReplacement;
  const auto byte = [](char32_t value) {
    return static_cast<char>(static_cast<unsigned char>(value));
  };
  if (code < 0x80) {
    out[0] = byte(code);
    return 1;
  }
  if (code < 0x800) {
    out[0] = byte(0xC0 | (code >> 6));
    out[1] = byte(0x80 | (code & 0x3F));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = byte(0xE0 | (code >> 12));
    out[1] = byte(0x80 | ((code >> 6) & 0x3F));
    out[2] = byte(0x80 | (code & 0x3F));
    return 3;
  }
  out[0] = byte(0xF0 | (code >> 18));
  out[1] = byte(0x80 | ((code >> 12) & 0x3F));
  out[2] = byte(0x80 | ((code >> 6) & 0x3F));
  out[3] = byte(0x80 | (code & 0x3F));
  return 4;
}

void AppendUtf8(std::string& out, char32_t code) {
  char buffer[4];
  out.append(buffer, EncodeUtf8(code, buffer));
}

std::string ToValidUtf8(std::string_view text) {
  if (IsValidUtf8(text)) return std::string(text);
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t i = 0; i < text.size();) {
    const Rune rune = DecodeRune(text, i);
    if (rune.valid) {
      out += text.substr(i, rune.size);
    } else {
      AppendUtf8(out, kReplacement);
    }
    i += rune.size;
  }
  return out;
}

}  // namespace portcullis::base
