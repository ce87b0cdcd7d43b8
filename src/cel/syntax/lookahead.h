#ifndef PORTCULLIS_CEL_SYNTAX_LOOKAHEAD_H_
#define PORTCULLIS_CEL_SYNTAX_LOOKAHEAD_H_

// Decisions of the recovering parser that need more than one token. Each gives the alternative of
// the grammar to take, counted from 1, or says at which token no alternative is left. Borrows the
// stream; one thread.

#include <cstddef>

#include "cel/syntax/grammar.h"
#include "cel/syntax/token_stream.h"

namespace portcullis::cel {

class Lookahead {
 public:
  explicit Lookahead(TokenStream& tokens) : tokens_(tokens) {}

  // 0 = none: then dead_end() is the number of the token at which the last alternative died.
  // `expected` is what can follow the operand in its full context.
  int Unary(grammar::TokenSet expected);
  int MemberSuffix();
  int Primary();
  int Literal();
  // The `-` after a `-`: 1 = another sign, 2 = the operand.
  int MinusLoop();
  // Whether a comma of a list is followed by an element: only then the loop goes on.
  bool ContinuesList() { return CommaThen(kExprStart | grammar::SetOf(TokenType::kQuestion)); }
  bool ContinuesFields();

  std::size_t dead_end() const { return dead_end_; }

 private:
  static const grammar::TokenSet kExprStart;
  static const grammar::TokenSet kMemberStart;
  static constexpr int kMaxNesting = 300;

  bool CommaThen(grammar::TokenSet set) {
    return tokens_.Type(1) == TokenType::kComma && grammar::Contains(set, tokens_.Type(2));
  }
  int DeadEnd(std::size_t k) {
    dead_end_ = k;
    return 0;
  }
  TokenType type() { return tokens_.Type(scan_); }
  bool Take(TokenType wanted) {
    if (type() != wanted) return false;
    ++scan_;
    return true;
  }
  // The scanners move scan_ over one construct; false: no valid text continues with token scan_.
  bool ScanExpr();
  bool ScanOr();
  bool ScanOperand();
  bool ScanPrimary(bool& is_name);
  bool ScanSuffixes(bool is_name);
  bool ScanArgs();
  bool ScanList();
  bool ScanMap();
  bool ScanFields();

  TokenStream& tokens_;
  std::size_t dead_end_ = 0;
  std::size_t scan_ = 0;
  int nesting_ = 0;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_LOOKAHEAD_H_
