#ifndef PORTCULLIS_JSON_LOCATE_H_
#define PORTCULLIS_JSON_LOCATE_H_

// Finds the line and column of a path in JSON text by scanning it again: positions are not stored
// in documents, only diagnostics pay for them. O(size times path length), no recursion; text that
// is no valid JSON gives an inexact answer. Pure function, thread-safe.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "doc/path.h"
#include "doc/text_position.h"

namespace portcullis::json {

doc::PathLocation Locate(std::string_view text, doc::PathView path);

// The offset of the key of member `number` (from 0) of the valid map that begins at offset `map`.
std::size_t MemberOffset(std::string_view text, std::size_t map, std::uint32_t number);

}  // namespace portcullis::json

#endif  // PORTCULLIS_JSON_LOCATE_H_
