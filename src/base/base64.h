#ifndef PORTCULLIS_BASE_BASE64_H_
#define PORTCULLIS_BASE_BASE64_H_

// Base64 as Go's encoding/base64: standard and URL alphabets, padded and raw; CR and LF are
// skipped when decoding, and non-zero trailing bits are accepted. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace portcullis::base {

enum class Base64 : std::uint8_t { kStd, kRawStd, kUrl, kRawUrl };

std::string Base64Encode(std::string_view bytes, Base64 kind = Base64::kStd);
// Error: `illegal base64 data at input byte N`.
Result<std::string> Base64Decode(std::string_view text, Base64 kind = Base64::kStd);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_BASE64_H_
