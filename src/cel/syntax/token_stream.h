#ifndef PORTCULLIS_CEL_SYNTAX_TOKEN_STREAM_H_
#define PORTCULLIS_CEL_SYNTAX_TOKEN_STREAM_H_

// Tokens of a text, lexed as far as they are looked at, so that errors of the lexer and of the
// parser are reported in the order of discovery. Borrows the text; one thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/syntax/lexer.h"

namespace portcullis::cel {

class TokenStream {
 public:
  explicit TokenStream(std::string_view source) : source_(source), lexer_(source) {}

  // The k-th visible token from here, 1 = the current one; the end token repeats.
  const Token& Peek(std::size_t k);
  TokenType Type(std::size_t k) { return Peek(k).type; }
  // Moves to the next token; stays at the end.
  void Consume();
  std::size_t index() const { return at_; }

  std::string_view Text(const Token& token) const {
    return token.type == TokenType::kEof ? std::string_view("<EOF>") : token.Text(source_);
  }
  // All tokens from `first` to `last`, hidden ones included, without what the lexer refused.
  std::string TextBetween(const Token& first, const Token& last) const;

  // Text that the lexer refused since the last call.
  std::vector<Token> TakeUnrecognized();

 private:
  std::string_view source_;
  Lexer lexer_;
  std::vector<Token> all_;
  std::vector<std::size_t> visible_;  // indexes into all_
  std::vector<Token> unrecognized_;
  std::size_t at_ = 0;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_TOKEN_STREAM_H_
