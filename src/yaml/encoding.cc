#include "yaml/encoding.h"

#include "base/utf8.h"

namespace portcullis::yaml {

std::string_view ToUtf8(std::string_view text, std::string* storage) {
  if (text.starts_with("\xEF\xBB\xBF")) return text.substr(3);
  const bool little = text.starts_with("\xFF\xFE");
  if (!little && !text.starts_with("\xFE\xFF")) return text;
  storage->clear();
  storage->reserve(text.size());
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const auto second = static_cast<unsigned char>(text[i + 1]);
    return static_cast<char32_t>(little ? first | (second << 8) : (first << 8) | second);
  };
  for (std::size_t i = 2; i < text.size(); i += 2) {
    char32_t code = base::kReplacement;
    if (i + 1 < text.size()) code = unit(i);
    if (code >= 0xD800 && code < 0xDC00 && i + 3 < text.size()) {
      const char32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    base::AppendUtf8(*storage, code);
  }
  return *storage;
}

}  // namespace portcullis::yaml
