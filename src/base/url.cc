#include "base/url.h"

#include <algorithm>

#include "base/gotext.h"
#include "base/netip.h"
#include "base/url_escape.h"

namespace portcullis::base {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

Error Fail(std::string message) { return Error(ErrorCode::kInvalid, std::move(message)); }

bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

bool IsOptionalPort(std::string_view port) {
  return port.empty() || (port[0] == ':' && std::all_of(port.begin() + 1, port.end(), IsDigit));
}

// Splits "scheme:rest"; an empty scheme when there is none.
Result<void> TakeScheme(std::string_view& rest, std::string& scheme) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (IsAlpha(c)) continue;
    if (IsDigit(c) || c == '+' || c == '-' || c == '.') {
      if (i == 0) return {};
      continue;
    }
    if (c != ':') return {};
    if (i == 0) return Fail("missing protocol scheme");
    scheme = Lower(rest.substr(0, i));
    rest.remove_prefix(i + 1);
    return {};
  }
  return {};
}

Result<std::string> ParseBracketHost(std::string_view host) {
  const std::size_t close = host.rfind(']');
  if (close == kNone) return Fail("missing ']' in host");
  const std::string_view port = host.substr(close + 1);
  if (!IsOptionalPort(port)) return Fail("invalid port " + GoQuote(port) + " after host");
  const std::string_view inner = host.substr(1, close - 1);
  const std::size_t zone = inner.find("%25");
  PC_ASSIGN(std::string name, UrlUnescape(inner.substr(0, zone), UrlPart::kHost));
  if (zone != kNone) {
    PC_ASSIGN(const std::string rest, UrlUnescape(inner.substr(zone), UrlPart::kZone));
    name += rest;
  }
  const Result<IpAddress> address = ParseIpAddress(name);
  if (!address.ok()) return Fail("invalid host: " + address.error().message);
  if (!address->v6) return Fail("invalid IP-literal");
  return "[" + name + "]" + std::string(port);
}

Result<std::string> ParseHost(std::string_view scheme, std::string_view host) {
  const std::size_t bracket = host.rfind('[');
  if (bracket == 0) return ParseBracketHost(host);
  if (bracket != kNone) return Fail("invalid IP-literal");
  // Other schemes than HTTP have always been allowed several colons.
  const bool strict = scheme == "http" || scheme == "https";
  const std::size_t colon = strict ? host.find(':') : host.rfind(':');
  if (colon != kNone && !IsOptionalPort(host.substr(colon))) {
    return Fail("invalid port " + GoQuote(host.substr(colon)) + " after host");
  }
  return UrlUnescape(host, UrlPart::kHost);
}

bool IsUserinfo(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsAlpha(c) || IsDigit(c) || std::string_view("-._:~!$&'()*+,;=%@").find(c) != kNone;
  });
}

Result<void> ParseAuthority(std::string_view authority, Url& url) {
  const std::size_t at = authority.rfind('@');
  PC_ASSIGN(url.host, ParseHost(url.scheme, at == kNone ? authority : authority.substr(at + 1)));
  if (at == kNone) return {};
  const std::string_view user = authority.substr(0, at);
  if (!IsUserinfo(user)) return Fail("net/url: invalid userinfo");
  const std::size_t colon = user.find(':');
  url.has_user = true;
  PC_ASSIGN(url.username, UrlUnescape(user.substr(0, colon), UrlPart::kUserPassword));
  if (colon == kNone) return {};
  url.has_password = true;
  PC_ASSIGN(url.password, UrlUnescape(user.substr(colon + 1), UrlPart::kUserPassword));
  return {};
}

// The part before '#'.
Result<void> ParseInto(std::string_view text, bool request, Url& url) {
  const bool control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (control) return Fail("net/url: invalid control character in URL");
  if (text.empty() && request) return Fail("empty url");
  if (text == "*") {
    url.path = "*";
    return {};
  }
  std::string_view rest = text;
  PC_TRY(TakeScheme(rest, url.scheme));
  const std::size_t question = rest.find('?');
  if (question != kNone) {
    url.raw_query = rest.substr(question + 1);
    url.force_query = url.raw_query.empty();
    rest = rest.substr(0, question);
  }
  if (!rest.starts_with('/')) {
    if (!url.scheme.empty()) {
      url.opaque = rest;
      return {};
    }
    if (request) return Fail("invalid URI for request");
    if (rest.substr(0, rest.find('/')).find(':') != kNone) {
      return Fail("first path segment in URL cannot contain colon");
    }
  }
  const bool may_have_authority = !url.scheme.empty() || (!request && !rest.starts_with("///"));
  if (may_have_authority && rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    PC_TRY(ParseAuthority(rest.substr(0, slash), url));
    rest = rest.substr(slash);
  } else if (!url.scheme.empty() && rest.starts_with('/')) {
    url.omit_host = true;
  }
  PC_ASSIGN(url.path, UrlUnescape(rest, UrlPart::kPath));
  if (UrlEscape(url.path, UrlPart::kPath) != rest) url.raw_path = rest;
  return {};
}

Error Wrap(std::string_view text, const Error& error) {
  return Fail("parse " + GoQuote(text) + ": " + error.message);
}

// A given encoding counts when it is valid for its part and still decodes to the decoded form.
bool KeepsEncoding(std::string_view raw, std::string_view decoded, UrlPart part) {
  if (raw.empty()) return false;
  const bool valid = std::all_of(raw.begin(), raw.end(), [part](char c) {
    return std::string_view("!$&'()*+,;=:@[]%").find(c) != kNone || !UrlMustEscape(c, part);
  });
  if (!valid) return false;
  const Result<std::string> again = UrlUnescape(raw, part);
  return again.ok() && *again == decoded;
}

// Splits a trailing valid port off.
std::pair<std::string_view, std::string_view> SplitPort(std::string_view host) {
  std::string_view port;
  const std::size_t colon = host.rfind(':');
  if (colon != kNone && IsOptionalPort(host.substr(colon))) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, port};
}

}  // namespace

Result<Url> ParseUrl(std::string_view text) {
  const std::size_t hash = text.find('#');
  const std::string_view main = text.substr(0, hash);
  Url url;
  if (auto result = ParseInto(main, false, url); !result.ok()) return Wrap(main, result.error());
  if (hash == kNone || hash + 1 == text.size()) return url;
  const std::string_view fragment = text.substr(hash + 1);
  Result<std::string> decoded = UrlUnescape(fragment, UrlPart::kFragment);
  if (!decoded.ok()) return Wrap(text, decoded.error());
  url.fragment = std::move(*decoded);
  if (UrlEscape(url.fragment, UrlPart::kFragment) != fragment) url.raw_fragment = fragment;
  return url;
}

Result<Url> ParseRequestUri(std::string_view text) {
  Url url;
  if (auto result = ParseInto(text, true, url); !result.ok()) return Wrap(text, result.error());
  return url;
}

std::string Url::Hostname() const { return std::string(SplitPort(host).first); }
std::string Url::Port() const { return std::string(SplitPort(host).second); }

std::string Url::EscapedPath() const {
  if (KeepsEncoding(raw_path, path, UrlPart::kPath)) return raw_path;
  return path == "*" ? path : UrlEscape(path, UrlPart::kPath);
}

std::string Url::EscapedFragment() const {
  if (KeepsEncoding(raw_fragment, fragment, UrlPart::kFragment)) return raw_fragment;
  return UrlEscape(fragment, UrlPart::kFragment);
}

std::string Url::ToString() const {
  std::string out;
  if (!scheme.empty()) out += scheme + ":";
  if (!opaque.empty()) {
    out += opaque;
  } else {
    const bool authority = !host.empty() || has_user;
    if (authority || (!scheme.empty() && !omit_host)) {
      if (authority || !path.empty()) out += "//";
      if (has_user) {
        out += UrlEscape(username, UrlPart::kUserPassword);
        if (has_password) out += ":" + UrlEscape(password, UrlPart::kUserPassword);
        out += '@';
      }
      out += UrlEscape(host, UrlPart::kHost);
    }
    const std::string escaped = EscapedPath();
    if (!escaped.empty() && escaped[0] != '/' && !host.empty()) out += '/';
    if (out.empty() && escaped.substr(0, escaped.find('/')).find(':') != kNone) out += "./";
    out += escaped;
  }
  if (force_query || !raw_query.empty()) out += "?" + raw_query;
  if (!fragment.empty()) out += "#" + EscapedFragment();
  return out;
}

}  // namespace portcullis::base
