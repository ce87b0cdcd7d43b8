#include "cel/syntax/literal.h"

#include <charconv>
#include <system_error>

#include "base/utf8.h"

namespace portcullis::cel {

namespace {

constexpr std::string_view kBadQuoting = "unable to unescape string";
constexpr std::string_view kBadCodePoint = "invalid unicode code point";

bool ParseMagnitude(std::string_view text, std::uint64_t& out) {
  int base = 10;
  if (text.substr(0, 2) == "0x") {
    base = 16;
    text.remove_prefix(2);
  }
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, out, base);
  return error == std::errc() && at == end && !text.empty();
}

// Whether a decimal that does not fit a double is too large rather than too small.
bool IsHuge(std::string_view text) {
  long exponent = 0;
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    const bool negative = digits.substr(0, 1) == "-";
    if (negative || digits.substr(0, 1) == "+") digits.remove_prefix(1);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc() ||
        exponent > 1'000'000'000L) {
      exponent = 1'000'000'000L;
    }
    if (negative) exponent = -exponent;
    text = text.substr(0, e);
  }
  const std::size_t dot = text.find('.') == std::string_view::npos ? text.size() : text.find('.');
  const std::size_t first = text.find_first_not_of("0.");
  if (first == std::string_view::npos) return false;
  return static_cast<long>(dot) - static_cast<long>(first) + exponent > 0;
}

std::string NormalizeNewlines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
      continue;
    }
    out += '\n';
    if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return out;
}

bool TakeDigits(std::string_view text, std::size_t at, std::size_t count, int base,
                std::uint32_t& out) {
  if (at + count > text.size()) return false;
  const char* begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + count, out, base);
  return error == std::errc() && end == begin + count;
}

// Appends what the escape sequence at text[i] denotes and moves i behind it.
std::string_view AppendEscape(std::string_view text, bool is_bytes, std::size_t& i,
                              std::string& out) {
  if (i + 1 >= text.size()) return kBadQuoting;
  const char c = text[i + 1];
  std::uint32_t code = 0;
  std::size_t length = 2;
  switch (c) {
    case 'a':
      code = 7;
      break;
    case 'b':
      code = 8;
      break;
    case 'f':
      code = 12;
      break;
    case 'n':
      code = 10;
      break;
    case 'r':
      code = 13;
      break;
    case 't':
      code = 9;
      break;
    case 'v':
      code = 11;
      break;
    case '\\':
    case '\'':
    case '"':
    case '`':
    case '?':
      code = static_cast<unsigned char>(c);
      break;
    case 'x':
    case 'X':
      length = 4;
      if (!TakeDigits(text, i + 2, 2, 16, code)) return kBadQuoting;
      break;
    case 'u':
    case 'U':
      length = c == 'u' ? 6 : 10;
      if (is_bytes || !TakeDigits(text, i + 2, length - 2, 16, code)) return kBadQuoting;
      break;
    case '0':
    case '1':
    case '2':
    case '3':
      length = 4;
      if (!TakeDigits(text, i + 1, 3, 8, code)) return kBadQuoting;
      break;
    default:
      return kBadQuoting;
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return kBadCodePoint;
  if (is_bytes) {
    out += static_cast<char>(code);
  } else {
    base::AppendUtf8(out, code);
  }
  i += length;
  return {};
}

}  // namespace

bool ParseIntLiteral(std::string_view text, bool negative, std::int64_t& out) {
  std::uint64_t magnitude = 0;
  if (!ParseMagnitude(text, magnitude)) return false;
  const std::uint64_t limit = std::uint64_t{1} << 63;
  if (magnitude > limit || (magnitude == limit && !negative)) return false;
  out = static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
  return true;
}

bool ParseUintLiteral(std::string_view text, std::uint64_t& out) {
  if (text.empty()) return false;
  text.remove_suffix(1);
  return ParseMagnitude(text, out);
}

bool ParseDoubleLiteral(std::string_view text, bool negative, double& out) {
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    if (IsHuge(text)) return false;
    value = 0;
  } else if (error != std::errc() || at != end) {
    return false;
  }
  out = negative ? -value : value;
  return true;
}

std::string_view UnescapeLiteral(std::string_view text, bool is_bytes, std::string& scratch,
                                 std::string_view& out) {
  std::string normalized;
  const bool has_return = text.find('\r') != std::string_view::npos;
  if (has_return) {
    normalized = NormalizeNewlines(text);
    text = normalized;
  }
  if (text.size() < 2) return kBadQuoting;
  const bool raw = text[0] == 'r' || text[0] == 'R';
  if (raw) text.remove_prefix(1);
  const char quote = text.front();
  if (text.size() < 2 || quote != text.back() || (quote != '"' && quote != '\'')) {
    return kBadQuoting;
  }
  const std::size_t trim =
      text.size() >= 6 && text[1] == quote && text[2] == quote ? std::size_t{3} : std::size_t{1};
  text = text.substr(trim, text.size() - 2 * trim);
  if (raw || text.find('\\') == std::string_view::npos) {
    if (has_return) {
      scratch.assign(text);
      text = scratch;
    }
    out = text;
    return {};
  }
  scratch.clear();
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      scratch += text[i++];
      continue;
    }
    const std::string_view error = AppendEscape(text, is_bytes, i, scratch);
    if (!error.empty()) return error;
  }
  out = scratch;
  return {};
}

}  // namespace portcullis::cel
