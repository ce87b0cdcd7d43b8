#ifndef PORTCULLIS_BASE_URL_ESCAPE_H_
#define PORTCULLIS_BASE_URL_ESCAPE_H_

// Percent-encoding by part of a URL, as net/url does it. Internal to base/url. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace portcullis::base {

enum class UrlPart : std::uint8_t {
  kPath,
  kPathSegment,
  kHost,
  kZone,
  kUserPassword,
  kQueryComponent,
  kFragment,
};

bool UrlMustEscape(char c, UrlPart part);
std::string UrlEscape(std::string_view text, UrlPart part);
Result<std::string> UrlUnescape(std::string_view text, UrlPart part);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_URL_ESCAPE_H_
