#ifndef PORTCULLIS_CEL_SYNTAX_LEXER_H_
#define PORTCULLIS_CEL_SYNTAX_LEXER_H_

// Splits source text into tokens by longest match (spec/cel.md 2). Works on valid UTF-8; borrows
// the text. One lexer belongs to one thread.

#include <cstdint>
#include <string_view>

#include "cel/syntax/token.h"

namespace portcullis::cel {

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  // The next token, hidden ones and unrecognized text included; kEof at the end, again and again.
  Token Next();
  // As Next, without hidden tokens.
  Token NextVisible() {
    while (true) {
      const Token token = Next();
      if (token.type != TokenType::kWhitespace && token.type != TokenType::kComment) return token;
    }
  }

 private:
  unsigned char At(std::size_t i) const {
    return i < source_.size() ? static_cast<unsigned char>(source_[i]) : 0;
  }
  Token Finish(TokenType type, std::size_t end, bool ascii);
  Token GiveUp(std::size_t failed_at);
  Token Number();
  Token Word();
  Token EscapedWord();
  Token Punctuation(unsigned char c);
  // Scans a string literal whose quote is at `at`. True: `end` is behind it. False: `end` is where
  // the scan failed.
  bool ScanString(std::size_t at, bool raw, std::size_t& end) const;
  bool ScanLineString(std::size_t at, bool raw, std::size_t& end) const;
  bool ScanTripleString(std::size_t at, bool raw, std::size_t& end) const;
  // Skips the escape sequence whose backslash is at `at`; false: `at` is the offending character.
  bool SkipEscape(std::size_t& at) const;

  std::string_view source_;
  std::size_t cursor_ = 0;
  std::uint32_t position_ = 0;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_LEXER_H_
