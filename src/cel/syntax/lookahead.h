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
  int Unary();
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

  bool CommaThen(grammar::TokenSet set) {
    return tokens_.Type(1) == TokenType::kComma && grammar::Contains(set, tokens_.Type(2));
  }
  int DeadEnd(std::size_t k) {
    dead_end_ = k;
    return 0;
  }

  TokenStream& tokens_;
  std::size_t dead_end_ = 0;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_LOOKAHEAD_H_
