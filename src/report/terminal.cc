#include "report/terminal.h"

#include <algorithm>

namespace portcullis::report {

std::string Style::Wrap(std::string_view code, std::string_view text) const {
  if (!color_) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Style::Outcome(policy::Outcome outcome) const {
  std::string name(policy::OutcomeName(outcome));
  name.resize(5, ' ');
  switch (outcome) {
    case policy::Outcome::kPass:
      return Green(name);
    case policy::Outcome::kFail:
    case policy::Outcome::kError:
      return Red(name);
    case policy::Outcome::kWarn:
      return Yellow(name);
    case policy::Outcome::kSkip:
      return Dim(name);
  }
  return name;
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  return width;
}

std::string Table::Render(const Style& style) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string& cell = rows_[r][i];
      line += cell;
      if (i + 1 < rows_[r].size()) line.append(widths[i] - DisplayWidth(cell) + 2, ' ');
    }
    out += r == 0 ? style.Bold(line) : line;
    out += '\n';
  }
  return out;
}

std::string Indent(std::string_view text, std::size_t columns, std::size_t width) {
  const std::string margin(columns, ' ');
  std::string out;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (DisplayWidth(line) + columns > width) {
      std::size_t cut = line.rfind(' ', width > columns ? width - columns : 1);
      if (cut == std::string_view::npos || cut == 0) cut = line.find(' ', 1);
      if (cut == std::string_view::npos) break;
      out += margin;
      out += line.substr(0, cut);
      out += '\n';
      line.remove_prefix(cut + 1);
    }
    out += margin;
    out += line;
    out += '\n';
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
    if (text.empty()) return out;
  }
}

}  // namespace portcullis::report
