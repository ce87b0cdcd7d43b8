#ifndef PORTCULLIS_PATCH_MEASURE_H_
#define PORTCULLIS_PATCH_MEASURE_H_

// How deep and how large a document is: for the limits of patches, whose results could otherwise
// grow exponentially with their text. Pure functions, thread-safe.

#include <cstddef>

#include "doc/value.h"

namespace portcullis::patch {

// Levels of nesting: 1 for a scalar or an empty container; more than `limit` as soon as it is known
// to exceed it. Recursion is no deeper than `limit`.
std::size_t DepthOf(const doc::Value& value, std::size_t limit);

// Bytes of the compact JSON text, or more than `limit` as soon as it is known to exceed it.
std::size_t JsonSize(const doc::Value& value, std::size_t limit);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_MEASURE_H_
