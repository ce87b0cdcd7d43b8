#ifndef PORTCULLIS_BASE_COMPRESS_H_
#define PORTCULLIS_BASE_COMPRESS_H_

// gzip streams as Go's compress/gzip writes and reads them, with its error texts. Pure functions,
// thread-safe.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace portcullis::base {

// One member without name or time: the same text always gives the same bytes.
std::string GzipCompress(std::string_view data);

// The contents of all members. Errors: `EOF` (no data), `unexpected EOF`, `gzip: invalid header`,
// `gzip: invalid checksum`, `flate: corrupt input before offset N`; more than `max_size` bytes:
// `gzip: result is too large`.
Result<std::string> GzipDecompress(std::string_view data, std::size_t max_size);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_COMPRESS_H_
