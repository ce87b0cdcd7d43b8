#include "cel/syntax/lookahead.h"

namespace portcullis::cel {

namespace {

using grammar::Contains;
using grammar::SetOf;
using grammar::TokenSet;
using T = TokenType;

constexpr TokenSet kLiterals = SetOf(T::kInt) | SetOf(T::kUint) | SetOf(T::kFloat) |
                               SetOf(T::kString) | SetOf(T::kBytes) | SetOf(T::kTrue) |
                               SetOf(T::kFalse) | SetOf(T::kNull);
constexpr TokenSet kOperandStart = kLiterals | SetOf(T::kDot) | SetOf(T::kIdentifier) |
                                   SetOf(T::kLeftParen) | SetOf(T::kLeftBracket) |
                                   SetOf(T::kLeftBrace);
constexpr TokenSet kSigned = SetOf(T::kInt) | SetOf(T::kFloat);

}  // namespace

const TokenSet Lookahead::kMemberStart = kOperandStart | SetOf(T::kMinus);
const TokenSet Lookahead::kExprStart = kMemberStart | SetOf(T::kExclamation);

int Lookahead::Unary() {
  const T first = tokens_.Type(1);
  if (first == T::kExclamation) return 2;
  if (first != T::kMinus) return Contains(kOperandStart, first) ? 1 : DeadEnd(1);
  const T second = tokens_.Type(2);
  if (second == T::kMinus) return 3;
  if (!Contains(kOperandStart, second)) return DeadEnd(2);
  if (!Contains(kSigned, second)) return 3;
  // `-1` could also be the negation of a literal: the first alternative wins.
  return 1;
}

int Lookahead::MemberSuffix() {
  if (tokens_.Type(1) == T::kLeftBracket) return 3;
  if (tokens_.Type(1) != T::kDot) return DeadEnd(1);
  switch (tokens_.Type(2)) {
    case T::kQuestion:
    case T::kEscapedIdentifier:
      return 1;
    case T::kIdentifier:
      return tokens_.Type(3) == T::kLeftParen ? 2 : 1;
    default:
      return DeadEnd(2);
  }
}

int Lookahead::Primary() {
  const T first = tokens_.Type(1);
  if (first == T::kLeftParen) return 3;
  if (first == T::kLeftBracket) return 4;
  if (first == T::kLeftBrace) return 5;
  if (first == T::kMinus || Contains(kLiterals, first)) return 7;
  std::size_t k = first == T::kDot ? 2 : 1;
  if (tokens_.Type(k) != T::kIdentifier) return DeadEnd(k);
  ++k;
  if (tokens_.Type(k) == T::kLeftParen) return 2;
  while (tokens_.Type(k) == T::kDot && tokens_.Type(k + 1) == T::kIdentifier) k += 2;
  return tokens_.Type(k) == T::kLeftBrace ? 6 : 1;
}

int Lookahead::Literal() {
  switch (tokens_.Type(1)) {
    case T::kMinus:
      if (tokens_.Type(2) == T::kInt) return 1;
      return tokens_.Type(2) == T::kFloat ? 3 : DeadEnd(2);
    case T::kInt:
      return 1;
    case T::kUint:
      return 2;
    case T::kFloat:
      return 3;
    case T::kString:
      return 4;
    case T::kBytes:
      return 5;
    case T::kTrue:
      return 6;
    case T::kFalse:
      return 7;
    case T::kNull:
      return 8;
    default:
      return DeadEnd(1);
  }
}

int Lookahead::MinusLoop() {
  const T first = tokens_.Type(1);
  if (first != T::kMinus) return Contains(kOperandStart, first) ? 2 : DeadEnd(1);
  return Contains(kMemberStart, tokens_.Type(2)) ? 1 : DeadEnd(2);
}

bool Lookahead::ContinuesFields() {
  return CommaThen(SetOf(T::kQuestion) | SetOf(T::kIdentifier) | SetOf(T::kEscapedIdentifier));
}

}  // namespace portcullis::cel
