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
constexpr TokenSet kBinary = SetOf(T::kEqual) | SetOf(T::kNotEqual) | SetOf(T::kIn) |
                             SetOf(T::kLess) | SetOf(T::kLessEqual) | SetOf(T::kGreaterEqual) |
                             SetOf(T::kGreater) | SetOf(T::kStar) | SetOf(T::kSlash) |
                             SetOf(T::kPercent) | SetOf(T::kPlus) | SetOf(T::kMinus) |
                             SetOf(T::kAnd) | SetOf(T::kOr);

}  // namespace

const TokenSet Lookahead::kMemberStart = kOperandStart | SetOf(T::kMinus);
const TokenSet Lookahead::kExprStart = kMemberStart | SetOf(T::kExclamation);

int Lookahead::Unary(TokenSet expected) {
  const T first = tokens_.Type(1);
  if (first == T::kExclamation) return 2;
  if (first != T::kMinus) return Contains(kOperandStart, first) ? 1 : DeadEnd(1);
  const T second = tokens_.Type(2);
  if (second == T::kMinus) return 3;
  if (!Contains(kOperandStart, second)) return DeadEnd(2);
  if (!Contains(kSigned, second)) return 3;
  // `-1` is a literal or the negation of one; both stay possible to the end of the operand.
  scan_ = 3;
  nesting_ = 0;
  if (!ScanSuffixes(false) || !Contains(expected, type())) {
    return nesting_ > kMaxNesting ? 1 : DeadEnd(scan_);
  }
  return 1;
}

int Lookahead::MemberSuffix() {
  if (tokens_.Type(1) == T::kLeftBracket) return 3;
  if (tokens_.Type(1) != T::kDot) return DeadEnd(1);
  switch (tokens_.Type(2)) {
    case T::kQuestion:
    case T::kEscapedIdentifier: return 1;
    case T::kIdentifier: return tokens_.Type(3) == T::kLeftParen ? 2 : 1;
    default: return DeadEnd(2);
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
    case T::kInt: return 1;
    case T::kUint: return 2;
    case T::kFloat: return 3;
    case T::kString: return 4;
    case T::kBytes: return 5;
    case T::kTrue: return 6;
    case T::kFalse: return 7;
    case T::kNull: return 8;
    default: return DeadEnd(1);
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

bool Lookahead::ScanExpr() {
  if (++nesting_ > kMaxNesting) return false;
  bool ok = ScanOr();
  if (ok && Take(T::kQuestion)) ok = ScanOr() && Take(T::kColon) && ScanExpr();
  if (ok) --nesting_;
  return ok;
}

bool Lookahead::ScanOr() {
  if (!ScanOperand()) return false;
  while (Contains(kBinary, type())) {
    ++scan_;
    if (!ScanOperand()) return false;
  }
  return true;
}

bool Lookahead::ScanOperand() {
  bool attached_sign = true;
  if (type() == T::kExclamation) {
    while (Take(T::kExclamation)) {}
  } else if (type() == T::kMinus) {
    while (Take(T::kMinus)) {}
    attached_sign = false;
  }
  if (attached_sign && Take(T::kMinus)) {
    if (!Contains(kSigned, type())) return false;
    ++scan_;
    return ScanSuffixes(false);
  }
  bool is_name = false;
  return ScanPrimary(is_name) && ScanSuffixes(is_name);
}

bool Lookahead::ScanPrimary(bool& is_name) {
  if (Contains(kLiterals, type())) {
    ++scan_;
    return true;
  }
  switch (type()) {
    case T::kLeftParen:
      ++scan_;
      return ScanExpr() && Take(T::kRightParen);
    case T::kLeftBracket: return ScanList();
    case T::kLeftBrace: return ScanMap();
    case T::kDot: ++scan_; break;
    default: break;
  }
  if (!Take(T::kIdentifier)) return false;
  if (type() == T::kLeftParen) return ScanArgs();
  is_name = true;
  return true;
}

bool Lookahead::ScanSuffixes(bool is_name) {
  while (true) {
    if (is_name && type() == T::kLeftBrace) {
      if (!ScanFields()) return false;
      is_name = false;
    } else if (Take(T::kDot)) {
      if (Take(T::kQuestion)) {
        if (type() != T::kIdentifier && type() != T::kEscapedIdentifier) return false;
        ++scan_;
        is_name = false;
      } else if (Take(T::kEscapedIdentifier)) {
        is_name = false;
      } else {
        if (!Take(T::kIdentifier)) return false;
        if (type() == T::kLeftParen) {
          if (!ScanArgs()) return false;
          is_name = false;
        }
      }
    } else if (Take(T::kLeftBracket)) {
      Take(T::kQuestion);
      if (!ScanExpr() || !Take(T::kRightBracket)) return false;
      is_name = false;
    } else {
      return true;
    }
  }
}

bool Lookahead::ScanArgs() {
  ++scan_;
  if (Take(T::kRightParen)) return true;
  do {
    if (!ScanExpr()) return false;
  } while (Take(T::kComma));
  return Take(T::kRightParen);
}

bool Lookahead::ScanList() {
  ++scan_;
  if (Take(T::kComma)) return Take(T::kRightBracket);
  while (!Take(T::kRightBracket)) {
    Take(T::kQuestion);
    if (!ScanExpr()) return false;
    if (!Take(T::kComma)) return Take(T::kRightBracket);
  }
  return true;
}

bool Lookahead::ScanMap() {
  ++scan_;
  if (Take(T::kComma)) return Take(T::kRightBrace);
  while (!Take(T::kRightBrace)) {
    Take(T::kQuestion);
    if (!ScanExpr() || !Take(T::kColon) || !ScanExpr()) return false;
    if (!Take(T::kComma)) return Take(T::kRightBrace);
  }
  return true;
}

bool Lookahead::ScanFields() {
  ++scan_;
  if (Take(T::kComma)) return Take(T::kRightBrace);
  while (!Take(T::kRightBrace)) {
    Take(T::kQuestion);
    if (type() != T::kIdentifier && type() != T::kEscapedIdentifier) return false;
    ++scan_;
    if (!Take(T::kColon) || !ScanExpr()) return false;
    if (!Take(T::kComma)) return Take(T::kRightBrace);
  }
  return true;
}

}  // namespace portcullis::cel
