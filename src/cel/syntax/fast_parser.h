#ifndef PORTCULLIS_CEL_SYNTAX_FAST_PARSER_H_
#define PORTCULLIS_CEL_SYNTAX_FAST_PARSER_H_

// Recursive descent over the CEL grammar for text that is right (spec/cel.md 3). It gives up at the
// first irregularity, without saying what it is: the recovering parser then decides. Borrows the
// builder and the source; one parser belongs to one thread.

#include <cstdint>
#include <string_view>
#include <vector>

#include "cel/syntax/builder.h"
#include "cel/syntax/lexer.h"

namespace portcullis::cel {

class FastParser {
 public:
  // `source` must live as long as the tree of `builder`.
  FastParser(std::string_view source, AstBuilder& builder);

  // The root, or kNoExpr after giving up.
  ExprId Parse();

 private:
  // Deeper nesting may meet one of the exact limits of spec/cel.md 4: not decided here.
  static constexpr std::uint32_t kMaxNesting = 80;
  static constexpr std::uint32_t kMaxHeight = 250;

  struct Part {
    ExprId id = kNoExpr;
    std::uint32_t height = 0;  // as the build recursion of spec/cel.md 4 counts it
    std::uint32_t begin = 0;   // bytes
  };
  struct Args {
    std::size_t first;     // in stack_
    std::uint32_t height;  // the greatest
  };

  TokenType type() const { return tokens_[at_].type; }
  TokenType type_after(std::size_t n) const {
    const std::size_t i = at_ + n;
    return i < tokens_.size() ? tokens_[i].type : TokenType::kEof;
  }
  const Token& token() const { return tokens_[at_]; }
  void Advance() {
    if (type() != TokenType::kEof) ++at_;
  }
  bool Take(TokenType wanted) {
    if (type() != wanted) return false;
    ++at_;
    return true;
  }
  void Expect(TokenType wanted) { failed_ = !Take(wanted) || failed_; }
  Part Fail() {
    failed_ = true;
    return {};
  }
  std::uint32_t PreviousEnd() const { return at_ == 0 ? 0 : tokens_[at_ - 1].end; }
  // Records the source range of a node that the source spells out.
  Part Finish(ExprId id, std::uint32_t height, std::uint32_t begin);

  Part ParseExpr();
  Part ParseOr();
  Part ParseAnd();
  Part ParseRelation();
  Part ParseCalc(int precedence);
  Part ParseUnary();
  Part ParseMember();
  Part ParseSelector(const Part& operand);
  Part ParseIndex(const Part& operand);
  Part ParsePrimary();
  Part ParseName();
  Part ParseList();
  Part ParseMap();
  Part ParseStruct(std::uint32_t begin, std::string_view name);
  Part ParseLiteral(bool negative, std::uint32_t begin, std::uint32_t position);
  // Up to and including the `)`, pushed on stack_.
  Args ParseArgs();
  // A field name, with or without backquotes.
  bool ParseFieldName(std::string_view& name);
  template <typename Operand>
  Part ParseLogic(TokenType wanted, std::string_view name, Operand operand);

  std::string_view source_;
  AstBuilder& builder_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t nesting_ = 0;
  bool failed_ = false;
  std::vector<ExprId> stack_;
  std::vector<Child> children_;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_FAST_PARSER_H_
