#include "base/url_escape.h"

#include "base/gotext.h"
#include "base/url.h"

namespace portcullis::base {
namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool Contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

Error EscapeError(std::string_view escape) {
  return Error(ErrorCode::kInvalid, "invalid URL escape " + GoQuote(escape));
}

// May this well-formed escape stand in `part`? Hosts encode only bytes outside of ASCII and '%'.
bool EscapeFits(std::string_view escape, UrlPart part) {
  if (escape == "%25") return true;
  if (part == UrlPart::kHost) return HexValue(escape[1]) >= 8;
  if (part != UrlPart::kZone) return true;
  const char value = static_cast<char>(HexValue(escape[1]) << 4 | HexValue(escape[2]));
  return value == ' ' || !UrlMustEscape(value, UrlPart::kHost);
}

}  // namespace

bool UrlMustEscape(char c, UrlPart part) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return false;
  const bool host = part == UrlPart::kHost || part == UrlPart::kZone;
  if (host && Contains("!$&'()*+,;=:[]<>\"", c)) return false;
  if (Contains("-_.~", c)) return false;
  if (Contains("$&+,/:;=?@", c)) {
    switch (part) {
      case UrlPart::kPath:
        return c == '?';
      case UrlPart::kPathSegment:
        return Contains("/;,?", c);
      case UrlPart::kUserPassword:
        return Contains("@/?:", c);
      case UrlPart::kFragment:
        return false;
      default:
        return true;
    }
  }
  return part != UrlPart::kFragment || !Contains("!()*", c);
}

std::string UrlEscape(std::string_view text, UrlPart part) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == ' ' && part == UrlPart::kQueryComponent) {
      out += '+';
    } else if (UrlMustEscape(c, part)) {
      out += '%';
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 0xF];
    } else {
      out += c;
    }
  }
  return out;
}

Result<std::string> UrlUnescape(std::string_view text, UrlPart part) {
  const bool host = part == UrlPart::kHost || part == UrlPart::kZone;
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '%') {
      const std::string_view escape = text.substr(i, 3);
      if (escape.size() < 3 || HexValue(escape[1]) < 0 || HexValue(escape[2]) < 0 ||
          !EscapeFits(escape, part)) {
        return EscapeError(escape);
      }
      out += static_cast<char>(HexValue(escape[1]) << 4 | HexValue(escape[2]));
      i += 3;
      continue;
    }
    if (host && static_cast<unsigned char>(c) < 0x80 && UrlMustEscape(c, part)) {
      return Error(ErrorCode::kInvalid,
                   "invalid character " + GoQuote(text.substr(i, 1)) + " in host name");
    }
    out += c == '+' && part == UrlPart::kQueryComponent ? ' ' : c;
    ++i;
  }
  return out;
}

std::string PathEscape(std::string_view text) { return UrlEscape(text, UrlPart::kPathSegment); }
std::string QueryEscape(std::string_view text) { return UrlEscape(text, UrlPart::kQueryComponent); }
Result<std::string> PathUnescape(std::string_view text) {
  return UrlUnescape(text, UrlPart::kPathSegment);
}
Result<std::string> QueryUnescape(std::string_view text) {
  return UrlUnescape(text, UrlPart::kQueryComponent);
}

std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> out;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view{} : query.substr(end + 1);
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const std::size_t equals = pair.find('=');
    Result<std::string> key = QueryUnescape(pair.substr(0, equals));
    Result<std::string> value = QueryUnescape(
        equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1));
    if (key.ok() && value.ok()) out.emplace_back(std::move(*key), std::move(*value));
  }
  return out;
}

}  // namespace portcullis::base
