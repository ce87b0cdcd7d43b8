#include "regex/syntax.h"

#include <cstddef>

#include "base/utf8.h"

namespace portcullis::regex {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kMeta = "\\.+*?()|[]{}^$";

bool IsAsciiPunctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

// End of the character class that starts at `open` ('['), or the end of the pattern. A ']' right
// after the opening is a member, and `[:name:]` holds one that does not close.
std::size_t ClassEnd(std::string_view pattern, std::size_t open) {
  std::size_t i = open + 1;
  if (i < pattern.size() && pattern[i] == '^') ++i;
  if (i < pattern.size() && pattern[i] == ']') ++i;
  while (i < pattern.size() && pattern[i] != ']') {
    if (pattern[i] == '\\') {
      i += 2;
      continue;
    }
    if (pattern.substr(i).starts_with("[:")) {
      const std::size_t close = pattern.find(":]", i + 2);
      if (close != kNone) {
        i = close + 2;
        continue;
      }
    }
    ++i;
  }
  return i < pattern.size() ? i + 1 : pattern.size();
}

}  // namespace

Translated Translate(std::string_view pattern) {
  Translated out;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < pattern.size();) {
    const std::string_view rest = pattern.substr(i);
    if (rest.starts_with("\\Q")) {
      const std::size_t end = pattern.find("\\E", i + 2);
      i = end == kNone ? pattern.size() : end + 2;
    } else if (rest[0] == '\\') {
      if (rest.starts_with("\\C")) out.has_any_byte = true;
      i += 2;
    } else if (rest[0] == '[') {
      i = ClassEnd(pattern, i);
    } else if (rest.starts_with("(?<")) {
      out.pattern += pattern.substr(copied, i - copied);
      out.pattern += "(?P<";
      out.changed = true;
      i += 3;
      copied = i;
    } else {
      ++i;
    }
  }
  out.pattern += pattern.substr(copied);
  return out;
}

std::optional<PlainText> AsPlainText(std::string_view pattern) {
  PlainText out;
  if (!base::IsValidUtf8(pattern)) return std::nullopt;
  if (pattern.starts_with('^')) {
    out.at_start = true;
    pattern.remove_prefix(1);
  }
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '$' && i + 1 == pattern.size()) {
      out.at_end = true;
    } else if (c == '\\') {
      if (++i == pattern.size() || !IsAsciiPunctuation(pattern[i])) return std::nullopt;
      out.text += pattern[i];
    } else if (kMeta.find(c) != kNone) {
      return std::nullopt;
    } else {
      out.text += c;
    }
  }
  return out;
}

}  // namespace portcullis::regex
