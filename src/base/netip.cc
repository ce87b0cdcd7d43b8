#include "base/netip.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/gotext.h"

namespace portcullis::base {
namespace {

// What is wrong and, if known, where.
struct Fault {
  std::string_view message;
  std::string_view at;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<Fault> ParseV4(std::string_view s, std::uint8_t* fields) {
  int value = 0;
  int digits = 0;
  int field = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (IsDigit(s[i])) {
      if (digits == 1 && value == 0) return Fault{"IPv4 field has octet with leading zero", {}};
      value = value * 10 + (s[i] - '0');
      ++digits;
      if (value > 255) return Fault{"IPv4 field has value >255", {}};
    } else if (s[i] == '.') {
      if (i == 0 || i + 1 == s.size() || s[i - 1] == '.') {
        return Fault{"IPv4 field must have at least one digit", s.substr(i)};
      }
      if (field == 3) return Fault{"IPv4 address too long", {}};
      fields[field++] = static_cast<std::uint8_t>(value);
      value = 0;
      digits = 0;
    } else {
      return Fault{"unexpected character", s.substr(i)};
    }
  }
  if (field < 3) return Fault{"IPv4 address too short", {}};
  fields[3] = static_cast<std::uint8_t>(value);
  return std::nullopt;
}

// State of an IPv6 parse: `s` is what is left, `used` the bytes of the address so far.
struct V6Parser {
  std::string_view s;
  std::array<std::uint8_t, 16> bytes{};
  int used = 0;
  int ellipsis = -1;

  std::optional<Fault> Group(std::size_t& length) {
    std::uint32_t value = 0;
    for (length = 0; length < s.size(); ++length) {
      const int digit = HexValue(s[length]);
      if (digit < 0) break;
      value = value << 4 | static_cast<std::uint32_t>(digit);
      if (length > 3) return Fault{"each group must have 4 or less digits", s};
    }
    if (length == 0) return Fault{"each colon-separated field must have at least one digit", s};
    if (length < s.size() && s[length] == '.') return EmbeddedV4();
    bytes[static_cast<std::size_t>(used)] = static_cast<std::uint8_t>(value >> 8);
    bytes[static_cast<std::size_t>(used) + 1] = static_cast<std::uint8_t>(value);
    used += 2;
    s.remove_prefix(length);
    return std::nullopt;
  }

  std::optional<Fault> EmbeddedV4() {
    if (ellipsis < 0 && used != 12) {
      return Fault{"embedded IPv4 address must replace the final 2 fields of the address", s};
    }
    if (used + 4 > 16) {
      return Fault{"too many hex fields to fit an embedded IPv4 at the end of the address", s};
    }
    if (auto fault = ParseV4(s, bytes.data() + used)) return fault;
    s = {};
    used += 4;
    return std::nullopt;
  }

  std::optional<Fault> Run() {
    if (s.starts_with("::")) {
      ellipsis = 0;
      s.remove_prefix(2);
      if (s.empty()) return std::nullopt;
    }
    while (used < 16) {
      std::size_t length = 0;
      if (auto fault = Group(length)) return fault;
      if (s.empty()) break;
      if (s[0] != ':') return Fault{"unexpected character, want colon", s};
      if (s.size() == 1) return Fault{"colon must be followed by more characters", s};
      s.remove_prefix(1);
      if (s[0] == ':') {
        if (ellipsis >= 0) return Fault{"multiple :: in address", s};
        ellipsis = used;
        s.remove_prefix(1);
        if (s.empty()) break;
      }
    }
    return Finish();
  }

  std::optional<Fault> Finish() {
    if (!s.empty()) return Fault{"trailing garbage after address", s};
    if (used < 16) {
      if (ellipsis < 0) return Fault{"address string too short", {}};
      std::uint8_t* gap = bytes.data() + ellipsis;
      const auto tail = static_cast<std::size_t>(used - ellipsis);
      std::memmove(bytes.data() + 16 - tail, gap, tail);
      std::memset(gap, 0, static_cast<std::size_t>(16 - used));
    } else if (ellipsis >= 0) {
      return Fault{"the :: must expand to at least one field of zeros", {}};
    }
    return std::nullopt;
  }
};

std::optional<Fault> ParseV6(std::string_view text, IpAddress& out) {
  out.v6 = true;
  V6Parser parser;
  const std::size_t percent = text.find('%');
  parser.s = text.substr(0, percent);
  if (percent != std::string_view::npos) {
    out.zone = text.substr(percent + 1);
    if (out.zone.empty()) return Fault{"zone must be a non-empty string", {}};
  }
  auto fault = parser.Run();
  out.bytes = parser.bytes;
  return fault;
}

std::optional<Fault> ParseAny(std::string_view text, IpAddress& out) {
  const std::size_t mark = text.find_first_of(".:%");
  if (mark == std::string_view::npos) return Fault{"unable to parse IP", {}};
  if (text[mark] == '.') return ParseV4(text, out.bytes.data());
  if (text[mark] == ':') return ParseV6(text, out);
  return Fault{"missing IPv6 address", {}};
}

bool HasPrefixBits(const IpAddress& a, const IpAddress& b, int bits) {
  for (std::size_t i = 0; bits > 0; ++i, bits -= 8) {
    const int keep = std::min(bits, 8);
    const int mask = 0xFF << (8 - keep);
    if (((a.bytes[i] ^ b.bytes[i]) & mask) != 0) return false;
  }
  return true;
}

void AppendHex(std::string& out, unsigned value) {
  constexpr char kHex[] = "0123456789abcdef";
  bool started = false;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const unsigned digit = (value >> shift) & 0xF;
    if (digit != 0 || started || shift == 0) out += kHex[digit];
    started = started || digit != 0;
  }
}

void AppendV4(std::string& out, const std::uint8_t* bytes) {
  for (int i = 0; i < 4; ++i) {
    if (i > 0) out += '.';
    out += std::to_string(bytes[i]);
  }
}

void AppendV6(std::string& out, const IpAddress& ip) {
  const auto group = [&ip](std::size_t i) {
    return static_cast<unsigned>(ip.bytes[i * 2] << 8 | ip.bytes[i * 2 + 1]);
  };
  std::size_t zero_start = 8;
  std::size_t zero_end = 8;
  for (std::size_t i = 0; i < 8;) {
    std::size_t j = i;
    while (j < 8 && group(j) == 0) ++j;
    if (j - i >= 2 && j - i > zero_end - zero_start) {
      zero_start = i;
      zero_end = j;
    }
    i = std::max(j, i + 1);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == zero_start) {
      out += "::";
      i = zero_end;
      if (i >= 8) break;
    } else if (i > 0) {
      out += ':';
    }
    AppendHex(out, group(i));
  }
}

}  // namespace

bool IpAddress::Is4In6() const {
  return v6 && std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; }) &&
         bytes[10] == 0xFF && bytes[11] == 0xFF;
}

bool IpAddress::IsUnspecified() const {
  return zone.empty() && std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == 0; });
}

bool IpAddress::IsLoopback() const {
  if (!v6) return bytes[0] == 127;
  return std::all_of(bytes.begin(), bytes.begin() + 15, [](auto b) { return b == 0; }) &&
         bytes[15] == 1;
}

bool IpAddress::IsMulticast() const { return v6 ? bytes[0] == 0xFF : (bytes[0] & 0xF0) == 0xE0; }

bool IpAddress::IsLinkLocalMulticast() const {
  if (v6) return bytes[0] == 0xFF && (bytes[1] & 0x0F) == 0x02;
  return bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0;
}

bool IpAddress::IsInterfaceLocalMulticast() const {
  return v6 && bytes[0] == 0xFF && (bytes[1] & 0x0F) == 0x01;
}

bool IpAddress::IsLinkLocalUnicast() const {
  if (v6) return bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80;
  return bytes[0] == 169 && bytes[1] == 254;
}

bool IpAddress::IsGlobalUnicast() const {
  const bool broadcast =
      !v6 && std::all_of(bytes.begin(), bytes.begin() + 4, [](auto b) { return b == 0xFF; });
  return !broadcast && !IsUnspecified() && !IsLoopback() && !IsMulticast() && !IsLinkLocalUnicast();
}

bool IpAddress::IsPrivate() const {
  if (v6) return (bytes[0] & 0xFE) == 0xFC;
  return bytes[0] == 10 || (bytes[0] == 172 && (bytes[1] & 0xF0) == 16) ||
         (bytes[0] == 192 && bytes[1] == 168);
}

std::string IpAddress::ToString() const {
  std::string out;
  if (!v6) {
    AppendV4(out, bytes.data());
    return out;
  }
  if (Is4In6()) {
    out += "::ffff:";
    AppendV4(out, bytes.data() + 12);
  } else {
    AppendV6(out, *this);
  }
  if (!zone.empty()) {
    out += '%';
    out += zone;
  }
  return out;
}

IpPrefix IpPrefix::Masked() const {
  IpPrefix out = *this;
  out.address.zone = {};
  const auto size = static_cast<std::size_t>(address.bit_length() / 8);
  for (std::size_t i = 0; i < size; ++i) {
    const int keep = std::clamp(bits - static_cast<int>(i) * 8, 0, 8);
    out.address.bytes[i] = static_cast<std::uint8_t>(out.address.bytes[i] & (0xFF << (8 - keep)));
  }
  return out;
}

bool IpPrefix::Contains(const IpAddress& ip) const {
  return ip.v6 == address.v6 && ip.zone.empty() && HasPrefixBits(address, ip, bits);
}

bool IpPrefix::Overlaps(const IpPrefix& other) const {
  return address.v6 == other.address.v6 &&
         HasPrefixBits(address, other.address, std::min(bits, other.bits));
}

std::string IpPrefix::ToString() const { return address.ToString() + "/" + std::to_string(bits); }

Result<IpAddress> ParseIpAddress(std::string_view text) {
  IpAddress out;
  const std::optional<Fault> fault = ParseAny(text, out);
  if (!fault) return out;
  std::string message = "ParseAddr(" + GoQuote(text) + "): ";
  message += fault->message;
  if (!fault->at.empty()) message += " (at " + GoQuote(fault->at) + ")";
  return Error(ErrorCode::kInvalid, std::move(message));
}

Result<IpPrefix> ParseIpPrefix(std::string_view text) {
  const auto fail = [text](std::string_view reason) {
    return Error(ErrorCode::kInvalid,
                 "netip.ParsePrefix(" + GoQuote(text) + "): " + std::string(reason));
  };
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  const Result<IpAddress> address = ParseIpAddress(text.substr(0, slash));
  if (!address.ok()) return fail(address.error().message);
  if (!address->zone.empty()) return fail("IPv6 zones cannot be present in a prefix");
  const std::string_view digits = text.substr(slash + 1);
  std::int64_t bits = 0;
  if ((digits.size() > 1 && (digits[0] < '1' || digits[0] > '9')) ||
      ParseInt(digits, bits) != NumberStatus::kOk) {
    return fail("bad bits after slash: " + GoQuote(digits));
  }
  if (bits < 0 || bits > address->bit_length()) return fail("prefix length out of range");
  return IpPrefix{*address, static_cast<int>(bits)};
}

}  // namespace portcullis::base
