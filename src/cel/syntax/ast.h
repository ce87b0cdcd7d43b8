#ifndef PORTCULLIS_CEL_SYNTAX_AST_H_
#define PORTCULLIS_CEL_SYNTAX_AST_H_

// The syntax tree of one expression after macro expansion (spec/cel.md 3 and 6).
//
// Nodes live in one vector and refer to each other by index; node 0 is "none". Strings and
// constants live in the tree's arena. An Ast is movable, and immutable once parsed, so that it may
// be shared by threads. Positions are code point offsets into the source (spec/cel.md 3, "Node
// source position").

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cel {

using ExprId = std::uint32_t;
inline constexpr ExprId kNoExpr = 0;

enum class ExprKind : std::uint8_t {
  kNone,
  kConst,          // value
  kIdent,          // name (with its leading dot if written so)
  kSelect,         // target.name; test_only for has()
  kCall,           // name, args; target if written as a receiver call
  kList,           // args; optional_elements marks `?e`
  kMap,            // args = key, value, key, value, ...
  kStruct,         // name{field: args[i]}: fields in `names`
  kComprehension,  // see Comprehension
};

// `_?._` (safe selection) is a call of name "_?._" with args {operand, string constant}, `_[_]` and
// `_[?_]` likewise are calls, as in cel-go.

struct Expr {
  ExprKind kind = ExprKind::kNone;
  bool test_only = false;
  std::uint32_t position = 0;  // code points
  std::uint32_t begin = 0;     // [begin, end): bytes of Ast::source; empty if a macro made it
  std::uint32_t end = 0;
  ExprId target = kNoExpr;  // select operand or call receiver
  std::uint32_t first = 0;  // first of `count` children in Ast::children
  std::uint32_t count = 0;
  std::string_view name;            // ident, field, function or message name
  doc::Value value;                 // kConst
  std::uint32_t comprehension = 0;  // index into Ast::comprehensions
};

struct Comprehension {
  std::string_view iter_var;
  std::string_view iter_var2;  // empty for one-variable macros
  std::string_view accu_var;
  ExprId range = kNoExpr;
  ExprId init = kNoExpr;
  ExprId condition = kNoExpr;
  ExprId step = kNoExpr;
  ExprId result = kNoExpr;
};

// A child of a list, map or struct literal carries this beside its ExprId.
struct Child {
  ExprId expr = kNoExpr;
  std::uint32_t position = 0;  // map and struct entries: of the `:`
  std::string_view field;      // struct entries
  bool optional = false;       // `?e`, `?k: v`, `?f: v` (for maps: set on the key child)
};

class Ast {
 public:
  Ast() { nodes_.emplace_back(); }
  Ast(Ast&&) noexcept = default;
  Ast& operator=(Ast&&) noexcept = default;

  ExprId root = kNoExpr;
  std::string source;

  const Expr& node(ExprId id) const { return nodes_[id]; }
  Expr& node(ExprId id) { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }  // ids are 1 .. size()-1
  ExprId Add(const Expr& expr) {
    nodes_.push_back(expr);
    return static_cast<ExprId>(nodes_.size() - 1);
  }

  std::span<const Child> children(const Expr& expr) const {
    return {children_.data() + expr.first, expr.count};
  }
  std::span<Child> children(const Expr& expr) {
    return {children_.data() + expr.first, expr.count};
  }
  // Appends the children and sets expr.first and expr.count.
  void SetChildren(Expr& expr, std::span<const Child> children) {
    expr.first = static_cast<std::uint32_t>(children_.size());
    expr.count = static_cast<std::uint32_t>(children.size());
    children_.insert(children_.end(), children.begin(), children.end());
  }

  const Comprehension& comprehension(const Expr& expr) const {
    return comprehensions_[expr.comprehension];
  }
  std::uint32_t AddComprehension(const Comprehension& comprehension) {
    comprehensions_.push_back(comprehension);
    return static_cast<std::uint32_t>(comprehensions_.size() - 1);
  }

  base::Arena& arena() { return arena_; }

 private:
  std::vector<Expr> nodes_;
  std::vector<Child> children_;
  std::vector<Comprehension> comprehensions_;
  base::Arena arena_;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_AST_H_
