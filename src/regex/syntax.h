#ifndef PORTCULLIS_REGEX_SYNTAX_H_
#define PORTCULLIS_REGEX_SYNTAX_H_

// The differences between Go's regexp/syntax and RE2, and patterns that are plain text
// (spec/engineering.md 4.3). Internal to this folder. Pure functions.

#include <optional>
#include <string>
#include <string_view>

namespace portcullis::regex {

// A pattern made acceptable to RE2: `(?<name>` became `(?P<name>`.
struct Translated {
  std::string pattern;
  bool changed = false;
  bool has_any_byte = false;  // `\C`, which Go refuses
};
Translated Translate(std::string_view pattern);

// A pattern that is plain text with optional anchors.
struct PlainText {
  std::string text;
  bool at_start = false;
  bool at_end = false;
};
std::optional<PlainText> AsPlainText(std::string_view pattern);

}  // namespace portcullis::regex

#endif  // PORTCULLIS_REGEX_SYNTAX_H_
