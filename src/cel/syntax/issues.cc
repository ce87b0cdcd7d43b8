#include "cel/syntax/issues.h"

#include <algorithm>
#include <numeric>

#include "base/utf8.h"

namespace portcullis::cel {

namespace {

constexpr std::size_t kMaxRendered = 100;
constexpr std::size_t kMaxSnippet = 16384;  // bytes of a line that is still shown

// Byte range of the line that holds a position, and the column in it.
struct Line {
  LineColumn at;
  std::string_view text;
  std::size_t caret = 0;  // code points before the position
};

Line FindLine(std::string_view source, std::uint32_t position) {
  Line line;
  line.at.line = 1;
  std::size_t start = 0;
  std::uint32_t code_points = 0;
  std::uint32_t line_start = 0;
  for (std::size_t i = 0; i < source.size() && code_points < position; ++i) {
    if ((static_cast<unsigned char>(source[i]) & 0xC0U) == 0x80U) continue;
    ++code_points;
    if (source[i] == '\n') {
      ++line.at.line;
      start = i + 1;
      line_start = code_points;
    }
  }
  line.caret = position - line_start;
  // Nothing can be pointed at in an empty source: column 0 and no snippet.
  line.at.column = source.empty() ? 0 : static_cast<std::uint32_t>(line.caret + 1);
  std::size_t end = source.find('\n', start);
  if (end == std::string_view::npos) end = source.size();
  line.text = source.substr(start, end - start);
  return line;
}

void AppendSnippet(const Line& line, std::string& out) {
  if (line.at.column == 0 || line.text.size() > kMaxSnippet) return;
  out += "\n | ";
  for (const char c : line.text) out += c == '\t' ? ' ' : c;
  out += "\n | ";
  std::size_t at = 0;
  for (std::size_t i = 0; i < line.caret && at < line.text.size(); ++i) {
    const std::size_t length = base::DecodeRune(line.text, at).size;
    out += length > 1 ? "\xEF\xBC\x8E" : ".";
    at += length;
  }
  const bool wide = base::DecodeRune(line.text, at).size > 1;
  out += wide ? "\xEF\xBC\xBE" : "^";
}

}  // namespace

LineColumn Locate(std::string_view source, std::uint32_t position) {
  const std::string valid = base::ToValidUtf8(source);
  return FindLine(valid, position).at;
}

std::string Issues::Render(std::string_view source) const {
  const std::string valid = base::ToValidUtf8(source);
  std::vector<std::size_t> order(list_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // An unknown position sorts before every known one. Positions order as lines and columns do.
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return list_[a].position + 1U < list_[b].position + 1U;
  });
  std::string out;
  std::size_t count = 0;
  for (const std::size_t i : order) {
    if (count++ == kMaxRendered) break;
    if (!out.empty()) out += '\n';
    const Issue& issue = list_[i];
    if (issue.position == Issue::kNoPosition) {
      out += "ERROR: <input>:-1:0: " + issue.message;
      continue;
    }
    const Line line = FindLine(valid, issue.position);
    out += "ERROR: <input>:" + std::to_string(line.at.line) + ":" + std::to_string(line.at.column) +
           ": " + issue.message;
    AppendSnippet(line, out);
  }
  if (list_.size() > kMaxRendered) {
    out += "\n" + std::to_string(list_.size() - kMaxRendered) + " more errors were truncated";
  }
  return out;
}

}  // namespace portcullis::cel
