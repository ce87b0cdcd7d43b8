#include "yaml/split.h"

#include <algorithm>
#include <string>

namespace portcullis::yaml {
namespace {

std::string_view TrimSpace(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t from = text.find_first_not_of(kSpace);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kSpace) - from + 1);
}

}  // namespace

base::Result<bool> Splitter::Next(Chunk* chunk) {
  *chunk = {rest_.substr(0, 0), line_, false};
  std::size_t size = 0;
  while (size < rest_.size()) {
    const std::size_t line_feed = rest_.find('\n', size);
    const std::size_t end = line_feed == std::string_view::npos ? rest_.size() : line_feed + 1;
    const std::string_view line = rest_.substr(size, end - size);
    if (line.starts_with("---")) {
      const std::string_view behind = TrimSpace(line.substr(3));
      const bool is_separator = behind.empty() || behind.front() == '#';
      if (!is_separator && size == 0) {
        base::Error error(base::ErrorCode::kSyntax,
                          "invalid Yaml document separator: " + std::string(behind));
        error.span.line = line_;
        error.span.column = 4;
        rest_ = {};
        return error;
      }
      if (size != 0) {
        chunk->text = rest_.substr(0, size);
        // A bad separator stays: it is the error of the next call.
        rest_.remove_prefix(is_separator ? end : size);
        if (is_separator) ++line_;
        return true;
      }
    }
    if (!chunk->has_content) {
      const std::string_view body = TrimSpace(line);
      chunk->has_content = !body.empty() && body.front() != '#';
    }
    size = end;
    ++line_;
  }
  chunk->text = rest_;
  rest_ = {};
  return size != 0;
}

}  // namespace portcullis::yaml
