#ifndef PORTCULLIS_DOC_TEXT_POSITION_H_
#define PORTCULLIS_DOC_TEXT_POSITION_H_

// Turns byte offsets of a text into lines and columns for diagnostics. Offsets are kept only where
// an error arises; nothing here runs on the success path. Pure functions, thread-safe.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace portcullis::doc {

// Lines and columns count from 1; a column counts code points.
struct TextPosition {
  std::uint32_t line = 0;  // 0 = unknown
  std::uint32_t column = 0;
};

// The position of `offset` (clamped to the size). A line ends at LF, CR LF or a lone CR. A byte
// order mark at the start has no width. O(offset).
TextPosition PositionAt(std::string_view text, std::size_t offset);

// Where a path leads in a text; see json::Locate and yaml::Locate.
struct PathLocation {
  TextPosition key;         // of the last step's key; for list items and the root as `value`
  TextPosition value;       // where the value begins
  std::size_t matched = 0;  // steps that exist: less than the path's length if it leads nowhere;
                            // the positions are then those of the deepest value that exists
  bool exact = false;       // all steps exist
};

}  // namespace portcullis::doc

#endif  // PORTCULLIS_DOC_TEXT_POSITION_H_
