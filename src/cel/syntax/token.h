#ifndef PORTCULLIS_CEL_SYNTAX_TOKEN_H_
#define PORTCULLIS_CEL_SYNTAX_TOKEN_H_

// Tokens of CEL (spec/cel.md 2). The numbers matter: expected tokens of a syntax error are printed
// in this order, and sets of tokens are bit masks of 64 bits. Value types, thread-safe.

#include <cstdint>
#include <string_view>

namespace portcullis::cel {

enum class TokenType : std::uint8_t {
  kEof,
  kEqual,
  kNotEqual,
  kIn,
  kLess,
  kLessEqual,
  kGreaterEqual,
  kGreater,
  kAnd,
  kOr,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kLeftParen,
  kRightParen,
  kDot,
  kComma,
  kMinus,
  kExclamation,
  kQuestion,
  kColon,
  kPlus,
  kStar,
  kSlash,
  kPercent,
  kTrue,
  kFalse,
  kNull,
  kWhitespace,  // hidden
  kComment,     // hidden
  kFloat,
  kInt,
  kUint,
  kString,
  kBytes,
  kIdentifier,
  kEscapedIdentifier,
  kUnrecognized,  // text that is no token: the lexer gave up at its end
};

struct Token {
  TokenType type = TokenType::kEof;
  std::uint32_t begin = 0;  // bytes
  std::uint32_t end = 0;
  std::uint32_t position = 0;  // code points

  std::string_view Text(std::string_view source) const { return source.substr(begin, end - begin); }
};

// As a syntax error prints an expected token: `'['`, `NUM_INT`, `<EOF>`.
std::string_view DisplayName(TokenType type);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_TOKEN_H_
