#include "cel/syntax/builder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cel/syntax/literal.h"

namespace portcullis::cel {

namespace {

constexpr std::array<std::string_view, 20> kReserved = {
    "as", "break", "const", "continue",  "else", "false",   "for",    "function", "if",  "import",
    "in", "let",   "loop",  "namespace", "null", "package", "return", "true",     "var", "void"};

}  // namespace

bool AstBuilder::IsReserved(std::string_view name) {
  if (name.size() < 2 || name.size() > 9) return false;
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end() || name == "while";
}

ExprId AstBuilder::Add(Expr& expr, std::uint32_t position) {
  expr.position = position;
  return ast_.Add(expr);
}

ExprId AstBuilder::Error(std::uint32_t position, std::string message) {
  issues_.Add(position, std::move(message));
  return Unspecified(position);
}

ExprId AstBuilder::Unspecified(std::uint32_t position) {
  Expr expr;
  return Add(expr, position);
}

ExprId AstBuilder::Literal(TokenType type, std::string_view text, bool negative,
                           std::uint32_t position) {
  doc::Value value;
  switch (type) {
    case TokenType::kInt: {
      std::int64_t number = 0;
      if (!ParseIntLiteral(text, negative, number)) return Error(position, "invalid int literal");
      value = doc::Value::Int(number);
      break;
    }
    case TokenType::kUint: {
      std::uint64_t number = 0;
      if (!ParseUintLiteral(text, number)) return Error(position, "invalid uint literal");
      value = doc::Value::Uint(number);
      break;
    }
    case TokenType::kFloat: {
      double number = 0;
      if (!ParseDoubleLiteral(text, negative, number)) {
        return Error(position, "invalid double literal");
      }
      value = doc::Value::Double(number);
      break;
    }
    case TokenType::kString:
    case TokenType::kBytes: {
      const bool is_bytes = type == TokenType::kBytes;
      if (is_bytes && !text.empty()) text.remove_prefix(1);
      std::string_view content;
      const std::string_view error = UnescapeLiteral(text, is_bytes, scratch_, content);
      if (!error.empty()) return Error(position, std::string(error));
      if (content.data() == scratch_.data()) content = ast_.arena().CopyString(content);
      value = is_bytes ? doc::Value::Bytes(content) : doc::Value::String(content);
      break;
    }
    case TokenType::kTrue:
      value = doc::Value::Bool(true);
      break;
    case TokenType::kFalse:
      value = doc::Value::Bool(false);
      break;
    default:
      break;
  }
  return Const(value, position);
}

ExprId AstBuilder::Variable(std::string_view name, bool leading_dot, std::uint32_t position,
                            std::uint32_t name_position) {
  if (IsReserved(name)) return Error(position, "reserved identifier: " + std::string(name));
  if (leading_dot) name = ast_.arena().CopyString("." + std::string(name));
  return Ident(name, name_position);
}

ExprId AstBuilder::Const(const doc::Value& value, std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kConst;
  expr.value = value;
  return Add(expr, position);
}

ExprId AstBuilder::Ident(std::string_view name, std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kIdent;
  expr.name = name;
  return Add(expr, position);
}

ExprId AstBuilder::Select(ExprId operand, std::string_view field, bool test_only,
                          std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kSelect;
  expr.target = operand;
  expr.name = field;
  expr.test_only = test_only;
  return Add(expr, position);
}

ExprId AstBuilder::Call(std::string_view name, std::span<const ExprId> args,
                        std::uint32_t position) {
  return MemberCall(name, kNoExpr, args, position);
}

ExprId AstBuilder::MemberCall(std::string_view name, ExprId target, std::span<const ExprId> args,
                              std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kCall;
  expr.name = name;
  expr.target = target;
  std::array<Child, 4> few;
  if (args.size() <= few.size()) {
    for (std::size_t i = 0; i < args.size(); ++i) few[i].expr = args[i];
    ast_.SetChildren(expr, {few.data(), args.size()});
  } else {
    std::vector<Child> many(args.size());
    for (std::size_t i = 0; i < args.size(); ++i) many[i].expr = args[i];
    ast_.SetChildren(expr, many);
  }
  return Add(expr, position);
}

ExprId AstBuilder::List(std::span<const Child> children, std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kList;
  ast_.SetChildren(expr, children);
  return Add(expr, position);
}

ExprId AstBuilder::Map(std::span<const Child> children, std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kMap;
  ast_.SetChildren(expr, children);
  return Add(expr, position);
}

ExprId AstBuilder::Struct(std::string_view name, std::span<const Child> children,
                          std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kStruct;
  expr.name = name;
  ast_.SetChildren(expr, children);
  return Add(expr, position);
}

ExprId AstBuilder::Comprehension(const cel::Comprehension& parts, std::uint32_t position) {
  Expr expr;
  expr.kind = ExprKind::kComprehension;
  expr.comprehension = ast_.AddComprehension(parts);
  return Add(expr, position);
}

ExprId AstBuilder::Copy(ExprId id) {
  if (id == kNoExpr || ast_.size() > kMaxNodes) return id;
  Expr expr = ast_.node(id);
  expr.target = Copy(expr.target);
  if (expr.count != 0) {
    const std::span<const Child> old = std::as_const(ast_).children(expr);
    std::vector<Child> children(old.begin(), old.end());
    for (Child& child : children) child.expr = Copy(child.expr);
    ast_.SetChildren(expr, children);
  }
  if (expr.kind == ExprKind::kComprehension) {
    cel::Comprehension parts = ast_.comprehension(expr);
    parts.range = Copy(parts.range);
    parts.init = Copy(parts.init);
    parts.condition = Copy(parts.condition);
    parts.step = Copy(parts.step);
    parts.result = Copy(parts.result);
    expr.comprehension = ast_.AddComprehension(parts);
  }
  return ast_.Add(expr);
}

ExprId AstBuilder::GlobalCall(std::string_view name, std::span<const ExprId> args,
                              std::uint32_t position) {
  ExprId result = kNoExpr;
  if (ExpandMacro(*this, name, kNoExpr, args, position, result)) return result;
  return Call(name, args, position);
}

ExprId AstBuilder::ReceiverCall(std::string_view name, ExprId target, std::span<const ExprId> args,
                                std::uint32_t position) {
  ExprId result = kNoExpr;
  if (ExpandMacro(*this, name, target, args, position, result)) return result;
  return MemberCall(name, target, args, position);
}

ExprId AstBuilder::Logic(std::string_view name, std::span<const ExprId> operands,
                         std::span<const std::uint32_t> positions) {
  if (positions.empty()) return operands.front();
  const std::size_t middle = positions.size() / 2;
  const ExprId pair[2] = {
      Logic(name, operands.subspan(0, middle + 1), positions.subspan(0, middle)),
      Logic(name, operands.subspan(middle + 1), positions.subspan(middle + 1))};
  return Call(name, pair, positions[middle]);
}

}  // namespace portcullis::cel
