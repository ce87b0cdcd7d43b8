#include "cel/kyverno/der.h"

namespace portcullis::cel::der {
namespace {

std::uint8_t Byte(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

bool MinimalInteger(std::string_view bytes) {
  if (bytes.empty()) return false;
  if (bytes.size() == 1) return true;
  const std::uint8_t first = Byte(bytes, 0);
  const bool high = (Byte(bytes, 1) & 0x80) != 0;
  return !((first == 0 && !high) || (first == 0xff && high));
}

}  // namespace

bool Reader::NextIs(std::uint8_t tag) const { return !rest_.empty() && Byte(rest_, 0) == tag; }

bool Reader::ReadAny(std::uint8_t& tag, std::string_view& contents, std::string_view& whole) {
  constexpr std::uint8_t kHighTag = 0x1f;
  constexpr std::uint8_t kLongLength = 0x80;
  constexpr std::size_t kMaxLengthBytes = 4;
  if (rest_.size() < 2 || (Byte(rest_, 0) & kHighTag) == kHighTag) return false;
  std::size_t header = 2;
  std::size_t length = Byte(rest_, 1);
  if ((length & kLongLength) != 0) {
    const std::size_t count = length & 0x7f;
    if (count == 0 || count > kMaxLengthBytes || rest_.size() < header + count) return false;
    length = 0;
    for (std::size_t i = 0; i < count; ++i) length = length << 8 | Byte(rest_, header + i);
    if (length < kLongLength || length >> ((count - 1) * 8) == 0) return false;
    header += count;
  }
  if (rest_.size() - header < length) return false;
  tag = Byte(rest_, 0);
  whole = rest_.substr(0, header + length);
  contents = whole.substr(header);
  rest_.remove_prefix(header + length);
  return true;
}

bool Reader::Read(std::uint8_t tag, std::string_view& contents) {
  std::uint8_t found = 0;
  std::string_view whole;
  return NextIs(tag) && ReadAny(found, contents, whole);
}

bool Reader::Read(std::uint8_t tag, Reader& contents) {
  std::string_view text;
  if (!Read(tag, text)) return false;
  contents = Reader(text);
  return true;
}

bool Reader::ReadWhole(std::uint8_t tag, std::string_view& whole) {
  std::uint8_t found = 0;
  std::string_view contents;
  return NextIs(tag) && ReadAny(found, contents, whole);
}

bool Reader::ReadInteger(std::string_view& bytes) {
  Reader ahead = *this;
  if (!ahead.Read(kInteger, bytes) || !MinimalInteger(bytes)) return false;
  *this = ahead;
  return true;
}

bool Reader::ReadSmallInteger(std::int64_t& value) {
  Reader ahead = *this;
  std::string_view bytes;
  if (!ahead.ReadInteger(bytes) || bytes.size() > sizeof value) return false;
  std::uint64_t bits = (Byte(bytes, 0) & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) bits = bits << 8 | Byte(bytes, i);
  value = static_cast<std::int64_t>(bits);
  *this = ahead;
  return true;
}

bool Reader::ReadBool(bool& value) {
  Reader ahead = *this;
  std::string_view bytes;
  if (!ahead.Read(kBoolean, bytes) || bytes.size() != 1) return false;
  if (Byte(bytes, 0) != 0 && Byte(bytes, 0) != 0xff) return false;
  value = Byte(bytes, 0) != 0;
  *this = ahead;
  return true;
}

bool Reader::ReadOid(Oid& oid) {
  constexpr std::uint64_t kMax = 0x7fffffff;
  constexpr std::uint64_t kSecondLimit = 40;
  Reader ahead = *this;
  std::string_view bytes;
  if (!ahead.Read(kOid, bytes) || bytes.empty()) return false;
  oid.clear();
  std::uint64_t part = 0;
  bool fresh = true;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint8_t byte = Byte(bytes, i);
    if (fresh && byte == 0x80) return false;
    part = part << 7 | (byte & 0x7f);
    if (part > kMax) return false;
    fresh = (byte & 0x80) == 0;
    if (!fresh) continue;
    if (oid.empty()) {
      const std::uint64_t first = part < 2 * kSecondLimit ? part / kSecondLimit : 2;
      oid.push_back(first);
      part -= first * kSecondLimit;
    }
    oid.push_back(part);
    part = 0;
  }
  if (!fresh) return false;
  *this = ahead;
  return true;
}

bool Reader::ReadBits(std::string_view& bytes, int& unused) {
  constexpr int kMaxUnused = 7;
  Reader ahead = *this;
  std::string_view text;
  if (!ahead.Read(kBitString, text) || text.empty()) return false;
  unused = Byte(text, 0);
  bytes = text.substr(1);
  if (unused > kMaxUnused || (bytes.empty() && unused != 0)) return false;
  if (unused != 0 && (Byte(bytes, bytes.size() - 1) & ((1 << unused) - 1)) != 0) return false;
  *this = ahead;
  return true;
}

std::string DecimalText(std::string_view big_endian) {
  constexpr std::uint64_t kBase = 1'000'000'000;
  constexpr std::size_t kDigits = 9;
  std::vector<std::uint64_t> limbs;  // little-endian, base 10^9
  for (const char c : big_endian) {
    std::uint64_t carry = static_cast<std::uint8_t>(c);
    for (std::uint64_t& limb : limbs) {
      const std::uint64_t next = limb * 256 + carry;
      limb = next % kBase;
      carry = next / kBase;
    }
    if (carry != 0) limbs.push_back(carry);
  }
  if (limbs.empty()) return "0";
  std::string text = std::to_string(limbs.back());
  for (std::size_t i = limbs.size() - 1; i-- > 0;) {
    const std::string part = std::to_string(limbs[i]);
    text.append(kDigits - part.size(), '0').append(part);
  }
  return text;
}

}  // namespace portcullis::cel::der
