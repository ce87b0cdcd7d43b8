#include "doc/text_position.h"

#include <algorithm>

namespace portcullis::doc {

TextPosition PositionAt(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  TextPosition at{1, 1};
  std::size_t line_start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (std::size_t i = line_start; i < offset; ++i) {
    const char c = text[i];
    if (c == '\n' || (c == '\r' && !(i + 1 < text.size() && text[i + 1] == '\n'))) {
      ++at.line;
      line_start = i + 1;
    }
  }
  for (std::size_t i = line_start; i < offset; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++at.column;
  }
  return at;
}

}  // namespace portcullis::doc
