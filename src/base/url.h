#ifndef PORTCULLIS_BASE_URL_H_
#define PORTCULLIS_BASE_URL_H_

// URLs as Go's net/url reads them, with its error texts (spec/cel.md 16.2). Value type.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace portcullis::base {

struct Url {
  std::string scheme;  // lower case
  std::string opaque;  // `mailto:x` -> "x"
  bool has_user = false;
  std::string username;  // decoded
  bool has_password = false;
  std::string password;
  std::string host;        // host or host:port, brackets kept, decoded
  std::string path;        // decoded
  std::string raw_path;    // as written, when it differs from the default encoding of `path`
  bool omit_host = false;  // `x:///p` written without authority
  bool force_query = false;
  std::string raw_query;  // without '?'
  std::string fragment;   // decoded
  std::string raw_fragment;

  std::string Hostname() const;  // no port, no brackets
  std::string Port() const;      // "" when none
  std::string EscapedPath() const;
  std::string EscapedFragment() const;
  std::string ToString() const;
  bool IsAbsolute() const { return !scheme.empty(); }
};

// url.Parse and url.ParseRequestURI. Errors: `parse "x": invalid URI for request`.
Result<Url> ParseUrl(std::string_view text);
Result<Url> ParseRequestUri(std::string_view text);

// url.ParseQuery, keeping pairs in order of appearance; malformed pairs are dropped.
std::vector<std::pair<std::string, std::string>> ParseQuery(std::string_view query);

// url.PathEscape, url.QueryEscape and their inverses. Errors: `invalid URL escape "%zz"`.
std::string PathEscape(std::string_view text);
std::string QueryEscape(std::string_view text);
Result<std::string> PathUnescape(std::string_view text);
Result<std::string> QueryUnescape(std::string_view text);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_URL_H_
