#include "base/base64.h"

#include <array>

namespace portcullis::base {
namespace {

constexpr char kStdAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrlAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

using Table = std::array<std::int8_t, 256>;

constexpr Table MakeTable(const char* alphabet) {
  Table table{};
  for (auto& entry : table) entry = -1;
  for (int i = 0; i < 64; ++i) {
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  }
  return table;
}

constexpr Table kStdTable = MakeTable(kStdAlphabet);
constexpr Table kUrlTable = MakeTable(kUrlAlphabet);

bool IsUrl(Base64 kind) { return kind == Base64::kUrl || kind == Base64::kRawUrl; }
bool IsPadded(Base64 kind) { return kind == Base64::kStd || kind == Base64::kUrl; }

std::uint32_t Byte(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

Error Illegal(std::size_t at) {
  return Error(ErrorCode::kInvalid, "illegal base64 data at input byte " + std::to_string(at));
}

void SkipNewlines(std::string_view text, std::size_t& i) {
  while (i < text.size() && (text[i] == '\n' || text[i] == '\r')) ++i;
}

// Checks the padding that starts at text[i - 1] after `have` digits of a quantum; 0 = fine, else
// the position of the fault + 1.
std::size_t PaddingFault(std::string_view text, std::size_t i, int have) {
  if (have < 2) return i;
  if (have == 2) {
    SkipNewlines(text, i);
    if (i == text.size()) return text.size() + 1;
    if (text[i] != '=') return i;
    ++i;
  }
  SkipNewlines(text, i);
  return i < text.size() ? i + 1 : 0;
}

}  // namespace

std::string Base64Encode(std::string_view bytes, Base64 kind) {
  const char* alphabet = IsUrl(kind) ? kUrlAlphabet : kStdAlphabet;
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const std::uint32_t v = Byte(bytes, i) << 16 | Byte(bytes, i + 1) << 8 | Byte(bytes, i + 2);
    out += alphabet[v >> 18];
    out += alphabet[(v >> 12) & 63];
    out += alphabet[(v >> 6) & 63];
    out += alphabet[v & 63];
  }
  const std::size_t left = bytes.size() - i;
  if (left == 0) return out;
  const std::uint32_t v = Byte(bytes, i) << 16 | (left == 2 ? Byte(bytes, i + 1) << 8 : 0);
  out += alphabet[v >> 18];
  out += alphabet[(v >> 12) & 63];
  if (left == 2) out += alphabet[(v >> 6) & 63];
  if (IsPadded(kind)) out.append(3 - left, '=');
  return out;
}

Result<std::string> Base64Decode(std::string_view text, Base64 kind) {
  const Table& table = IsUrl(kind) ? kUrlTable : kStdTable;
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int have = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i++];
    const int digit = table[static_cast<unsigned char>(c)];
    if (digit >= 0) {
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
      if (++have == 4) {
        out += static_cast<char>(bits >> 16);
        out += static_cast<char>(bits >> 8);
        out += static_cast<char>(bits);
        bits = 0;
        have = 0;
      }
      continue;
    }
    if (c == '\n' || c == '\r') continue;
    if (c != '=' || !IsPadded(kind)) return Illegal(i - 1);
    const std::size_t fault = PaddingFault(text, i, have);
    if (fault != 0) return Illegal(fault - 1);
    bits <<= 6 * (4 - have);
    out += static_cast<char>(bits >> 16);
    if (have == 3) out += static_cast<char>(bits >> 8);
    return out;
  }
  if (have == 0) return out;
  if (have == 1 || IsPadded(kind)) {
    return Illegal(text.size() - static_cast<std::size_t>(have));
  }
  bits <<= 6 * (4 - have);
  out += static_cast<char>(bits >> 16);
  if (have == 3) out += static_cast<char>(bits >> 8);
  return out;
}

}  // namespace portcullis::base
