#ifndef PORTCULLIS_CEL_SYNTAX_BUILDER_H_
#define PORTCULLIS_CEL_SYNTAX_BUILDER_H_

// Makes nodes of an Ast, expands macros and reports what is wrong with literals, identifiers and
// macro arguments (spec/cel.md 3 and 6). Borrows the tree, the options and the issues; one builder
// belongs to one thread. Names passed in must live as long as the tree.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/syntax/ast.h"
#include "cel/syntax/issues.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/token.h"

namespace portcullis::cel {

class AstBuilder {
 public:
  // Macros that repeat their receiver grow the tree exponentially: nodes are limited.
  static constexpr std::size_t kMaxNodes = 200'000;

  AstBuilder(Ast& ast, const ParserOptions& options, Issues& issues)
      : ast_(ast), options_(options), issues_(issues) {}

  Ast& ast() { return ast_; }
  const ParserOptions& options() const { return options_; }
  const Issues& issues() const { return issues_; }

  // Reports an error; the result is a node that stands for the failed part.
  ExprId Error(std::uint32_t position, std::string message);
  ExprId Unspecified(std::uint32_t position);

  // Literals; `text` is the token's, `negative` an attached sign.
  ExprId Literal(TokenType type, std::string_view text, bool negative, std::uint32_t position);
  // Variable: reports reserved words. `position` is the start of the expression.
  ExprId Variable(std::string_view name, bool leading_dot, std::uint32_t position,
                  std::uint32_t name_position);

  ExprId Const(const doc::Value& value, std::uint32_t position);
  ExprId Ident(std::string_view name, std::uint32_t position);
  ExprId Select(ExprId operand, std::string_view field, bool test_only, std::uint32_t position);
  ExprId Call(std::string_view name, std::span<const ExprId> args, std::uint32_t position);
  ExprId MemberCall(std::string_view name, ExprId target, std::span<const ExprId> args,
                    std::uint32_t position);
  ExprId List(std::span<const Child> children, std::uint32_t position);
  ExprId Map(std::span<const Child> children, std::uint32_t position);
  ExprId Struct(std::string_view name, std::span<const Child> children, std::uint32_t position);
  ExprId Comprehension(const cel::Comprehension& parts, std::uint32_t position);
  // A deep copy with the same positions.
  ExprId Copy(ExprId id);

  // Calls as written in the source: a macro is expanded, otherwise a call node is made.
  ExprId GlobalCall(std::string_view name, std::span<const ExprId> args, std::uint32_t position);
  ExprId ReceiverCall(std::string_view name, ExprId target, std::span<const ExprId> args,
                      std::uint32_t position);

  // The balanced tree of `a && b && c`: operands.size() == positions.size() + 1.
  ExprId Logic(std::string_view name, std::span<const ExprId> operands,
               std::span<const std::uint32_t> positions);

  static bool IsReserved(std::string_view name);

 private:
  ExprId Add(Expr& expr, std::uint32_t position);

  Ast& ast_;
  const ParserOptions& options_;
  Issues& issues_;
  std::string scratch_;
};

// Expands the macro that this call is, if it is one. Returns false if it is an ordinary call.
// `target` is kNoExpr for a global call.
bool ExpandMacro(AstBuilder& builder, std::string_view name, ExprId target,
                 std::span<const ExprId> args, std::uint32_t position, ExprId& result);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_BUILDER_H_
