#include "autogen/source_edits.h"

#include <algorithm>

#include "cel/syntax/lexer.h"

namespace portcullis::autogen {

bool SourceEdits::Add(const Edit& edit) {
  const auto [at, added] = edits_.try_emplace({edit.begin, edit.end}, edit.text);
  return added || at->second == edit.text;
}

std::string SourceEdits::Render(std::uint32_t begin, std::uint32_t end) const {
  std::string out;
  std::uint32_t at = begin;
  for (const auto& [range, text] : edits_) {
    if (range.first < at || range.second > end) continue;
    out += source_.substr(at, range.first - at);
    out += text;
    at = range.second;
  }
  out += source_.substr(at, end - at);
  return out;
}

void SourceEdits::Collapse(std::uint32_t begin, std::uint32_t end, std::string text) {
  for (auto at = edits_.begin(); at != edits_.end();) {
    const bool inside = at->first.first >= begin && at->first.second <= end;
    at = inside ? edits_.erase(at) : std::next(at);
  }
  edits_[{begin, end}] = std::move(text);
}

std::vector<cel::Token> Tokenize(std::string_view source) {
  std::vector<cel::Token> tokens;
  cel::Lexer lexer(source);
  do {
    tokens.push_back(lexer.NextVisible());
  } while (tokens.back().type != cel::TokenType::kEof);
  return tokens;
}

std::size_t TokenIndex(const std::vector<cel::Token>& tokens, std::uint32_t at) {
  const auto found = std::lower_bound(
      tokens.begin(), tokens.end() - 1, at,
      [](const cel::Token& token, std::uint32_t begin) { return token.begin < begin; });
  return static_cast<std::size_t>(found - tokens.begin());
}

}  // namespace portcullis::autogen
