#include "cel/syntax/token_stream.h"

#include <utility>

namespace portcullis::cel {

const Token& TokenStream::Peek(std::size_t k) {
  const std::size_t wanted = at_ + k - 1;
  while (visible_.size() <= wanted) {
    if (!visible_.empty() && all_[visible_.back()].type == TokenType::kEof) {
      return all_[visible_.back()];
    }
    const Token token = lexer_.Next();
    if (token.type == TokenType::kUnrecognized) {
      unrecognized_.push_back(token);
      continue;
    }
    if (token.type != TokenType::kWhitespace && token.type != TokenType::kComment) {
      visible_.push_back(all_.size());
    }
    all_.push_back(token);
  }
  return all_[visible_[wanted]];
}

void TokenStream::Consume() {
  if (Type(1) == TokenType::kEof) return;
  ++at_;
  Peek(1);
}

std::string TokenStream::TextBetween(const Token& first, const Token& last) const {
  std::string text;
  for (const Token& token : all_) {
    if (token.begin < first.begin) continue;
    if (token.type == TokenType::kEof || token.begin > last.begin) break;
    text += token.Text(source_);
  }
  return text;
}

std::vector<Token> TokenStream::TakeUnrecognized() { return std::exchange(unrecognized_, {}); }

}  // namespace portcullis::cel
