#include "cel/syntax/unparse.h"

#include <span>
#include <string_view>
#include <utility>

#include "cel/syntax/dump.h"

namespace portcullis::cel {

namespace {

// `_+_` -> `+`; empty if the name is no binary operator.
std::string_view InfixOf(std::string_view name) {
  if (name == "@in") return "in";
  const bool infix = name.size() > 2 && name.front() == '_' && name.back() == '_' &&
                     name.find_first_of("[?") == std::string_view::npos;
  return infix ? name.substr(1, name.size() - 2) : std::string_view();
}

class Unparser {
 public:
  explicit Unparser(const Ast& ast) : ast_(ast) {}

  void Node(ExprId id) {
    const Expr& node = ast_.node(id);
    if (node.end > node.begin && node.end <= ast_.source.size()) {
      out_ += std::string_view(ast_.source).substr(node.begin, node.end - node.begin);
      return;
    }
    switch (node.kind) {
      case ExprKind::kConst:
        out_ += ConstantToSource(node.value);
        break;
      case ExprKind::kIdent:
        out_ += node.name;
        break;
      case ExprKind::kSelect:
        Select(node);
        break;
      case ExprKind::kCall:
        Call(node);
        break;
      case ExprKind::kList:
        out_ += '[';
        Arguments(node, 0);
        out_ += ']';
        break;
      case ExprKind::kMap:
        out_ += "{}";
        break;  // macros make only empty ones
      case ExprKind::kComprehension:
        Let(ast_.comprehension(node));
        break;
      default:
        break;
    }
  }
  std::string Take() { return std::move(out_); }

 private:
  // An operand, in parentheses if it is an operator itself.
  void Operand(ExprId id) {
    const Expr& node = ast_.node(id);
    const bool wrap = node.kind == ExprKind::kCall && node.target == kNoExpr &&
                      (!InfixOf(node.name).empty() || node.name == "_?_:_");
    if (wrap) out_ += '(';
    Node(id);
    if (wrap) out_ += ')';
  }
  void Arguments(const Expr& node, std::size_t from) {
    const std::span<const Child> children = ast_.children(node);
    for (std::size_t i = from; i < children.size(); ++i) {
      if (i > from) out_ += ", ";
      if (children[i].optional) out_ += '?';
      Node(children[i].expr);
    }
  }
  void Select(const Expr& node) {
    if (node.test_only) out_ += "has(";
    Operand(node.target);
    out_ += '.';
    out_ += node.name;
    if (node.test_only) out_ += ')';
  }
  void Call(const Expr& node) {
    const std::span<const Child> args = ast_.children(node);
    const std::string_view infix = InfixOf(node.name);
    if (args.size() == 2 && !infix.empty()) {
      Operand(args[0].expr);
      out_ += ' ';
      out_ += infix;
      out_ += ' ';
      Operand(args[1].expr);
      return;
    }
    if (node.name == "_?_:_" && args.size() == 3) {
      Operand(args[0].expr);
      out_ += " ? ";
      Operand(args[1].expr);
      out_ += " : ";
      Node(args[2].expr);
      return;
    }
    if ((node.name == "!_" || node.name == "-_") && args.size() == 1) {
      out_ += node.name.front();
      Operand(args[0].expr);
      return;
    }
    if (node.target != kNoExpr) {
      Operand(node.target);
      out_ += '.';
    }
    out_ += node.name;
    out_ += '(';
    Arguments(node, 0);
    out_ += ')';
  }
  // A loop inside an expansion, in practice the binding of one name.
  void Let(const Comprehension& parts) {
    out_ += "cel.bind(";
    out_ += parts.accu_var;
    out_ += ", ";
    Node(parts.init);
    out_ += ", ";
    Node(parts.result);
    out_ += ')';
  }

  const Ast& ast_;
  std::string out_;
};

}  // namespace

std::string Unparse(const Ast& ast, ExprId id) {
  if (id == kNoExpr) return {};
  Unparser unparser(ast);
  unparser.Node(id);
  return unparser.Take();
}

}  // namespace portcullis::cel
