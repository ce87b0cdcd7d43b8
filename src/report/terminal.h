#ifndef PORTCULLIS_REPORT_TERMINAL_H_
#define PORTCULLIS_REPORT_TERMINAL_H_

// Colours and column widths for terminals.

#include <string>
#include <string_view>
#include <vector>

#include "policy/verdict.h"

namespace portcullis::report {

// Wraps text in ANSI colours, or not.
class Style {
 public:
  explicit Style(bool color) : color_(color) {}
  std::string Bold(std::string_view text) const { return Wrap("1", text); }
  std::string Dim(std::string_view text) const { return Wrap("2", text); }
  std::string Red(std::string_view text) const { return Wrap("31", text); }
  std::string Green(std::string_view text) const { return Wrap("32", text); }
  std::string Yellow(std::string_view text) const { return Wrap("33", text); }
  // The outcome's name in its colour, padded to five columns.
  std::string Outcome(policy::Outcome outcome) const;

 private:
  std::string Wrap(std::string_view code, std::string_view text) const;
  bool color_;
};

// Columns that a text takes on a terminal (code points; wide characters are counted as one).
std::size_t DisplayWidth(std::string_view text);

// A plain table: a header row, then rows, columns aligned, two blanks between.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::size_t size() const { return rows_.size() - 1; }
  std::string Render(const Style& style) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// Splits at line breaks and wraps long lines at blanks; each line is indented.
std::string Indent(std::string_view text, std::size_t columns, std::size_t width = 100);

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_TERMINAL_H_
