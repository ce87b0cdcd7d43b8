#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_PLACEHOLDER_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_PLACEHOLDER_H_

// Placeholders `(( expression ))` in the texts of generation templates
// (spec/kyverno-cel-policies.md 5.3). Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace portcullis::policy::kyverno_cel {

// A piece of a text: as it is, or an expression without the blanks around it.
struct Segment {
  bool is_expression = false;
  std::string text;
};

// `\((` stands for `((`. Parentheses and string literals within an expression are its own. On
// failure false, and `error` says what is wrong at which offset.
bool SplitPlaceholders(std::string_view text, std::vector<Segment>& segments, std::string& error);

// A quick look: there is nothing to split otherwise.
inline bool MayHavePlaceholders(std::string_view text) {
  return text.find("((") != std::string_view::npos;
}

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_PLACEHOLDER_H_
