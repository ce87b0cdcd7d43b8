#include "policy/kyverno_cel/generating_placeholder.h"

#include <algorithm>

#include "policy/admission/expression.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kOpen = "((";

// Finds the end of the expression that starts at `at`: the offset of its `))`, or npos and `error`.
// `opened`: where the placeholder starts.
std::size_t FindEnd(std::string_view text, std::size_t at, std::size_t opened, std::string& error) {
  std::size_t depth = 0;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == '\\') {
        ++at;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      if (depth > 0) {
        --depth;
      } else if (at + 1 < text.size() && text[at + 1] == ')') {
        return at;
      } else {
        error =
            "unbalanced parenthesis in placeholder starting at offset " + std::to_string(opened);
        return std::string_view::npos;
      }
    }
  }
  error = quote != 0 ? "unterminated string literal in placeholder starting at offset " +
                           std::to_string(opened)
                     : "unterminated placeholder starting at offset " + std::to_string(opened) +
                           ": missing closing '))'";
  return std::string_view::npos;
}

}  // namespace

bool SplitPlaceholders(std::string_view text, std::vector<Segment>& segments, std::string& error) {
  std::string literal;
  const auto flush = [&] {
    if (!literal.empty()) segments.push_back({false, std::move(literal)});
    literal.clear();
  };
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find(kOpen, at);
    if (open == std::string_view::npos) break;
    if (open > at && text[open - 1] == '\\') {
      literal += text.substr(at, open - 1 - at);
      literal += kOpen;
      at = open + kOpen.size();
      continue;
    }
    literal += text.substr(at, open - at);
    const std::size_t start = open + kOpen.size();
    const std::size_t end = FindEnd(text, start, open, error);
    if (end == std::string_view::npos) return false;
    const std::string_view expression = TrimSpace(text.substr(start, end - start));
    if (expression.empty()) {
      error = "empty placeholder at offset " + std::to_string(open);
      return false;
    }
    flush();
    segments.push_back({true, std::string(expression)});
    at = end + kOpen.size();
  }
  literal += text.substr(std::min(at, text.size()));
  flush();
  return true;
}

}  // namespace portcullis::policy::kyverno_cel
