#include "cel/syntax/lexer.h"

#include <array>

#include "base/utf8.h"

namespace portcullis::cel {

namespace {

enum CharClass : std::uint8_t { kDigit = 1, kHex = 2, kLetter = 4, kBlank = 8 };

constexpr std::array<std::uint8_t, 256> MakeClasses() {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = '0'; c <= '9'; ++c) table[c] = kDigit | kHex;
  for (unsigned c = 'a'; c <= 'z'; ++c) table[c] = kLetter;
  for (unsigned c = 'A'; c <= 'Z'; ++c) table[c] = kLetter;
  for (unsigned c = 'a'; c <= 'f'; ++c) table[c] |= kHex;
  for (unsigned c = 'A'; c <= 'F'; ++c) table[c] |= kHex;
  table[static_cast<unsigned>('_')] = kLetter;
  for (const unsigned c : {0x20U, 0x09U, 0x0DU, 0x0AU, 0x0CU}) table[c] = kBlank;
  return table;
}
constexpr std::array<std::uint8_t, 256> kClasses = MakeClasses();

bool Is(unsigned char c, unsigned classes) { return (kClasses[c] & classes) != 0; }

}  // namespace

std::string_view DisplayName(TokenType type) {
  static constexpr std::string_view kNames[] = {"<EOF>",      "'=='",
                                                "'!='",       "'in'",
                                                "'<'",        "'<='",
                                                "'>='",       "'>'",
                                                "'&&'",       "'||'",
                                                "'['",        "']'",
                                                "'{'",        "'}'",
                                                "'('",        "')'",
                                                "'.'",        "','",
                                                "'-'",        "'!'",
                                                "'?'",        "':'",
                                                "'+'",        "'*'",
                                                "'/'",        "'%'",
                                                "'true'",     "'false'",
                                                "'null'",     "WHITESPACE",
                                                "COMMENT",    "NUM_FLOAT",
                                                "NUM_INT",    "NUM_UINT",
                                                "STRING",     "BYTES",
                                                "IDENTIFIER", "ESC_IDENTIFIER",
                                                "<INVALID>"};
  return kNames[static_cast<std::size_t>(type)];
}

Token Lexer::Finish(TokenType type, std::size_t end, bool ascii) {
  Token token;
  token.type = type;
  token.begin = static_cast<std::uint32_t>(cursor_);
  token.end = static_cast<std::uint32_t>(end);
  token.position = position_;
  position_ += ascii ? token.end - token.begin
                     : static_cast<std::uint32_t>(base::CountCodePoints(token.Text(source_)));
  cursor_ = end;
  return token;
}

// The offending character belongs to the reported text and is skipped with it.
Token Lexer::GiveUp(std::size_t failed_at) {
  std::size_t end = failed_at;
  if (end < source_.size()) {
    end += base::DecodeRune(source_, end).size;
  }
  return Finish(TokenType::kUnrecognized, end, false);
}

Token Lexer::Next() {
  if (cursor_ >= source_.size()) return Finish(TokenType::kEof, source_.size(), true);
  const unsigned char c = At(cursor_);
  if (Is(c, kBlank)) {
    std::size_t end = cursor_ + 1;
    while (Is(At(end), kBlank)) ++end;
    return Finish(TokenType::kWhitespace, end, true);
  }
  if (Is(c, kLetter)) return Word();
  if (Is(c, kDigit) || (c == '.' && Is(At(cursor_ + 1), kDigit))) return Number();
  if (c == '"' || c == '\'') {
    std::size_t end = 0;
    if (ScanString(cursor_, false, end)) return Finish(TokenType::kString, end, false);
    return GiveUp(end);
  }
  if (c == '`') return EscapedWord();
  return Punctuation(c);
}

Token Lexer::Word() {
  const unsigned char c = At(cursor_);
  const unsigned char d = At(cursor_ + 1);
  // A prefixed string literal is longer than the identifier that its prefix would be.
  std::size_t end = 0;
  const auto quote = [](unsigned char x) { return x == '"' || x == '\''; };
  const bool is_raw_prefix = c == 'r' || c == 'R';
  if (is_raw_prefix && quote(d)) {
    if (ScanString(cursor_ + 1, true, end)) return Finish(TokenType::kString, end, false);
    return Finish(TokenType::kIdentifier, cursor_ + 1, true);
  }
  if (c == 'b' || c == 'B') {
    if (quote(d)) {
      if (ScanString(cursor_ + 1, false, end)) return Finish(TokenType::kBytes, end, false);
      return Finish(TokenType::kIdentifier, cursor_ + 1, true);
    }
    if ((d == 'r' || d == 'R') && quote(At(cursor_ + 2)) && ScanString(cursor_ + 2, true, end)) {
      return Finish(TokenType::kBytes, end, false);
    }
  }
  end = cursor_ + 1;
  while (Is(At(end), kLetter | kDigit)) ++end;
  const std::string_view text = source_.substr(cursor_, end - cursor_);
  TokenType type = TokenType::kIdentifier;
  if (text == "in") {
    type = TokenType::kIn;
  } else if (text == "true") {
    type = TokenType::kTrue;
  } else if (text == "false") {
    type = TokenType::kFalse;
  } else if (text == "null") {
    type = TokenType::kNull;
  }
  return Finish(type, end, true);
}

Token Lexer::Number() {
  std::size_t end = cursor_;
  if (At(end) == '0' && At(end + 1) == 'x' && Is(At(end + 2), kHex)) {
    end += 3;
    while (Is(At(end), kHex)) ++end;
    if (At(end) == 'u' || At(end) == 'U') return Finish(TokenType::kUint, end + 1, true);
    return Finish(TokenType::kInt, end, true);
  }
  while (Is(At(end), kDigit)) ++end;
  bool is_float = false;
  if (At(end) == '.' && Is(At(end + 1), kDigit)) {
    is_float = true;
    end += 2;
    while (Is(At(end), kDigit)) ++end;
  }
  if (At(end) == 'e' || At(end) == 'E') {
    std::size_t exponent = end + 1;
    if (At(exponent) == '+' || At(exponent) == '-') ++exponent;
    if (Is(At(exponent), kDigit)) {
      is_float = true;
      end = exponent + 1;
      while (Is(At(end), kDigit)) ++end;
    }
  }
  if (is_float) return Finish(TokenType::kFloat, end, true);
  if (At(end) == 'u' || At(end) == 'U') return Finish(TokenType::kUint, end + 1, true);
  return Finish(TokenType::kInt, end, true);
}

Token Lexer::EscapedWord() {
  std::size_t end = cursor_ + 1;
  const auto allowed = [](unsigned char c) {
    return Is(c, kLetter | kDigit) || c == '.' || c == '-' || c == '/' || c == ' ';
  };
  while (allowed(At(end))) ++end;
  if (At(end) == '`' && end > cursor_ + 1) {
    return Finish(TokenType::kEscapedIdentifier, end + 1, true);
  }
  return GiveUp(end);
}

Token Lexer::Punctuation(unsigned char c) {
  const unsigned char d = At(cursor_ + 1);
  const auto one = [this](TokenType type) { return Finish(type, cursor_ + 1, true); };
  const auto two = [this](TokenType type) { return Finish(type, cursor_ + 2, true); };
  switch (c) {
    case '=':
      return d == '=' ? two(TokenType::kEqual) : GiveUp(cursor_ + 1);
    case '!':
      return d == '=' ? two(TokenType::kNotEqual) : one(TokenType::kExclamation);
    case '<':
      return d == '=' ? two(TokenType::kLessEqual) : one(TokenType::kLess);
    case '>':
      return d == '=' ? two(TokenType::kGreaterEqual) : one(TokenType::kGreater);
    case '&':
      return d == '&' ? two(TokenType::kAnd) : GiveUp(cursor_ + 1);
    case '|':
      return d == '|' ? two(TokenType::kOr) : GiveUp(cursor_ + 1);
    case '[':
      return one(TokenType::kLeftBracket);
    case ']':
      return one(TokenType::kRightBracket);
    case '{':
      return one(TokenType::kLeftBrace);
    case '}':
      return one(TokenType::kRightBrace);
    case '(':
      return one(TokenType::kLeftParen);
    case ')':
      return one(TokenType::kRightParen);
    case '.':
      return one(TokenType::kDot);
    case ',':
      return one(TokenType::kComma);
    case '-':
      return one(TokenType::kMinus);
    case '?':
      return one(TokenType::kQuestion);
    case ':':
      return one(TokenType::kColon);
    case '+':
      return one(TokenType::kPlus);
    case '*':
      return one(TokenType::kStar);
    case '%':
      return one(TokenType::kPercent);
    case '/': {
      if (d != '/') return one(TokenType::kSlash);
      std::size_t end = source_.find('\n', cursor_);
      if (end == std::string_view::npos) end = source_.size();
      return Finish(TokenType::kComment, end, false);
    }
    default:
      return GiveUp(cursor_);
  }
}

bool Lexer::ScanString(std::size_t at, bool raw, std::size_t& end) const {
  const unsigned char quote = At(at);
  if (At(at + 1) == quote && At(at + 2) == quote && ScanTripleString(at, raw, end)) return true;
  return ScanLineString(at, raw, end);
}

bool Lexer::ScanTripleString(std::size_t at, bool raw, std::size_t& end) const {
  const unsigned char quote = At(at);
  std::size_t i = at + 3;
  while (i < source_.size()) {
    const unsigned char c = At(i);
    if (c == quote && At(i + 1) == quote && At(i + 2) == quote) {
      end = i + 3;
      return true;
    }
    if (c == '\\' && !raw) {
      if (!SkipEscape(i)) return false;
    } else {
      ++i;
    }
  }
  return false;
}

bool Lexer::ScanLineString(std::size_t at, bool raw, std::size_t& end) const {
  const unsigned char quote = At(at);
  std::size_t i = at + 1;
  while (i < source_.size()) {
    const unsigned char c = At(i);
    if (c == quote) {
      end = i + 1;
      return true;
    }
    if (c == '\n' || c == '\r') break;
    if (c == '\\' && !raw) {
      if (!SkipEscape(i)) break;
    } else {
      ++i;
    }
  }
  end = i;
  return false;
}

bool Lexer::SkipEscape(std::size_t& at) const {
  const unsigned char c = At(at + 1);
  std::size_t digits = 0;
  switch (c) {
    case 'a':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
    case '"':
    case '\'':
    case '\\':
    case '?':
    case '`':
      at += 2;
      return true;
    case 'x':
    case 'X':
      digits = 2;
      break;
    case 'u':
      digits = 4;
      break;
    case 'U':
      digits = 8;
      break;
    case '0':
    case '1':
    case '2':
    case '3':
      for (std::size_t i = at + 2; i < at + 4; ++i) {
        if (At(i) < '0' || At(i) > '7') {
          at = i;
          return false;
        }
      }
      at += 4;
      return true;
    default:
      at += 1;
      return false;
  }
  for (std::size_t i = at + 2; i < at + 2 + digits; ++i) {
    if (!Is(At(i), kHex)) {
      at = i;
      return false;
    }
  }
  at += 2 + digits;
  return true;
}

}  // namespace portcullis::cel
