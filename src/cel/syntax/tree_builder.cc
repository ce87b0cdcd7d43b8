#include "cel/syntax/tree_builder.h"

#include <string>

namespace portcullis::cel {

namespace {

using grammar::Rule;

std::string_view OperatorName(TokenType type) {
  switch (type) {
    case TokenType::kEqual:
      return "_==_";
    case TokenType::kNotEqual:
      return "_!=_";
    case TokenType::kIn:
      return "@in";
    case TokenType::kLess:
      return "_<_";
    case TokenType::kLessEqual:
      return "_<=_";
    case TokenType::kGreaterEqual:
      return "_>=_";
    case TokenType::kGreater:
      return "_>_";
    case TokenType::kStar:
      return "_*_";
    case TokenType::kSlash:
      return "_/_";
    case TokenType::kPercent:
      return "_%_";
    case TokenType::kPlus:
      return "_+_";
    default:
      return "_-_";
  }
}

bool CountsDepth(const TreeNode& node) {
  switch (node.rule) {
    case Rule::kExpr:
    case Rule::kRelation:
    case Rule::kCalc:
      return true;
    case Rule::kMember:
      return node.recursive;
    default:
      return false;
  }
}

}  // namespace

std::string_view TreeBuilder::Text(const TreeItem& item) const {
  if (item.missing) return "<missing>";
  return item.token.type == TokenType::kEof ? std::string_view("<EOF>") : item.token.Text(source_);
}

TreeId TreeBuilder::Part(const TreeNode& node, Label label) {
  const TreeItem* item = node.Find(label);
  return item == nullptr ? kNoTree : item->tree;
}

std::uint32_t TreeBuilder::Position(const TreeNode& node, Label label) {
  const TreeItem* item = node.Find(label);
  return item == nullptr ? node.start.position : item->token.position;
}

ExprId TreeBuilder::Build(TreeId root) { return Visit(Part(Node(root), Label::kFirst)); }

ExprId TreeBuilder::Located(ExprId id, const TreeNode& node) {
  Expr& expr = builder_.ast().node(id);
  expr.begin = node.start.begin;
  expr.end = node.end;
  return id;
}

TreeId TreeBuilder::Unnest(TreeId id) const {
  while (id != kNoTree) {
    const TreeNode& node = Node(id);
    switch (node.rule) {
      case Rule::kExpr:
      case Rule::kOr:
      case Rule::kAnd:
        if (node.Find(Label::kOp) != nullptr) return id;
        id = Part(node, Label::kFirst);
        break;
      case Rule::kRelation:
      case Rule::kCalc:
        if (node.recursive) return id;
        id = Part(node, Label::kFirst);
        break;
      case Rule::kUnary:
        if (node.alternative != 1) return id;
        id = Part(node, Label::kMember);
        break;
      case Rule::kMember:
        if (node.recursive) return id;
        id = Part(node, Label::kFirst);
        break;
      case Rule::kPrimary:
        if (node.alternative != 3 && node.alternative != 7) return id;
        id = Part(node, Label::kFirst);
        break;
      default:
        return id;
    }
  }
  return id;
}

ExprId TreeBuilder::Visit(TreeId id) {
  id = Unnest(id);
  if (id == kNoTree || aborted_) return builder_.Unspecified(Issue::kNoPosition);
  const TreeNode& node = Node(id);
  if (!CountsDepth(node)) return VisitNode(node);
  if (++depth_ > kMaxDepth) {
    aborted_ = true;
    return builder_.Error(Issue::kNoPosition, "max recursion depth exceeded");
  }
  const ExprId result = VisitNode(node);
  --depth_;
  return result;
}

ExprId TreeBuilder::VisitNode(const TreeNode& node) {
  switch (node.rule) {
    case Rule::kExpr:
      return VisitConditional(node);
    case Rule::kOr:
      return VisitLogic(node, "_||_");
    case Rule::kAnd:
      return VisitLogic(node, "_&&_");
    case Rule::kRelation:
    case Rule::kCalc:
      return VisitBinary(node);
    case Rule::kUnary:
      return VisitUnary(node);
    case Rule::kMember:
      return VisitMember(node);
    case Rule::kPrimary:
      return VisitPrimary(node);
    case Rule::kLiteral:
      return VisitLiteral(node);
    default:
      return builder_.Unspecified(Issue::kNoPosition);
  }
}

ExprId TreeBuilder::VisitConditional(const TreeNode& node) {
  const std::uint32_t position = Position(node, Label::kOp);
  ExprId args[3];
  args[0] = Visit(Part(node, Label::kFirst));
  args[1] = Visit(Part(node, Label::kSecond));
  args[2] = Visit(Part(node, Label::kThird));
  if (aborted_) return args[0];
  return Located(builder_.Call("_?_:_", args, position), node);
}

ExprId TreeBuilder::VisitLogic(const TreeNode& node, std::string_view name) {
  std::vector<ExprId> operands;
  std::vector<std::uint32_t> positions;
  for (const TreeItem& item : node.items) {
    if (item.label == Label::kOp) {
      positions.push_back(item.token.position);
    } else {
      operands.push_back(Visit(item.tree));
    }
  }
  if (aborted_) return operands.front();
  if (operands.size() <= positions.size()) {
    return builder_.Error(node.start.position, name == "_||_"
                                                   ? "unexpected character, wanted '||'"
                                                   : "unexpected character, wanted '&&'");
  }
  return Located(builder_.Logic(name, operands, positions), node);
}

ExprId TreeBuilder::VisitBinary(const TreeNode& node) {
  const TreeItem* op = node.Find(Label::kOp);
  if (op == nullptr) return builder_.Error(node.start.position, "operator not found");
  ExprId args[2];
  args[0] = Visit(Part(node, Label::kFirst));
  args[1] = Visit(Part(node, Label::kSecond));
  if (aborted_) return args[0];
  return Located(builder_.Call(OperatorName(op->token.type), args, op->token.position), node);
}

ExprId TreeBuilder::VisitUnary(const TreeNode& node) {
  if (node.alternative == 0) {
    return builder_.Const(doc::Value::String("<<error>>"), node.start.position);
  }
  const ExprId operand = Visit(Part(node, Label::kMember));
  std::size_t count = 0;
  for (const TreeItem& item : node.items) count += item.label == Label::kOp ? 1U : 0U;
  if (aborted_ || count % 2 == 0) return operand;
  return Located(
      builder_.Call(node.alternative == 2 ? "!_" : "-_", {&operand, 1}, Position(node, Label::kOp)),
      node);
}

ExprId TreeBuilder::VisitMember(const TreeNode& node) {
  switch (node.alternative) {
    case 1:
      return VisitSelect(node);
    case 2:
      return VisitMemberCall(node);
    case 3:
      return VisitIndex(node);
    default:
      return builder_.Unspecified(Issue::kNoPosition);
  }
}

std::string_view TreeBuilder::FieldName(TreeId escape_ident) const {
  if (escape_ident == kNoTree) return {};
  const TreeItem* id = Node(escape_ident).Find(Label::kId);
  if (id == nullptr) return {};
  std::string_view name = Text(*id);
  if (id->token.type == TokenType::kEscapedIdentifier && !id->missing) {
    name = name.substr(1, name.size() - 2);
  }
  return name;
}

ExprId TreeBuilder::VisitSelect(const TreeNode& node) {
  const ExprId operand = Visit(Part(node, Label::kFirst));
  if (aborted_) return operand;
  const TreeItem* op = node.Find(Label::kOp);
  const TreeId id = Part(node, Label::kId);
  if (id == kNoTree || op == nullptr) return builder_.Unspecified(node.start.position);
  const std::string_view name = FieldName(id);
  if (name.empty()) builder_.Error(Node(id).start.position, "unsupported ident kind");
  if (node.Find(Label::kOpt) == nullptr) {
    return Located(builder_.Select(operand, name, false, op->token.position), node);
  }
  if (!builder_.options().optional_syntax) {
    return builder_.Error(op->token.position, "unsupported syntax '.?'");
  }
  const ExprId args[2] = {operand,
                          builder_.Const(doc::Value::String(name), Node(id).start.position)};
  return Located(builder_.Call("_?._", args, op->token.position), node);
}

std::vector<ExprId> TreeBuilder::VisitArgs(const TreeNode& node) {
  std::vector<ExprId> args;
  const TreeId list = Part(node, Label::kArgs);
  if (list == kNoTree) return args;
  for (const TreeItem& item : Node(list).items) {
    if (item.label == Label::kFirst) args.push_back(Visit(item.tree));
  }
  return args;
}

ExprId TreeBuilder::VisitMemberCall(const TreeNode& node) {
  const ExprId operand = Visit(Part(node, Label::kFirst));
  const TreeItem* id = node.Find(Label::kId);
  const TreeItem* open = node.Find(Label::kOpen);
  if (aborted_ || id == nullptr || open == nullptr) {
    return builder_.Unspecified(node.start.position);
  }
  const std::vector<ExprId> args = VisitArgs(node);
  if (aborted_) return operand;
  return Located(builder_.ReceiverCall(Text(*id), operand, args, open->token.position), node);
}

ExprId TreeBuilder::VisitIndex(const TreeNode& node) {
  ExprId args[2];
  args[0] = Visit(Part(node, Label::kFirst));
  const TreeItem* op = node.Find(Label::kOp);
  if (aborted_ || op == nullptr) return builder_.Unspecified(node.start.position);
  args[1] = Visit(Part(node, Label::kSecond));
  if (aborted_) return args[0];
  const bool optional = node.Find(Label::kOpt) != nullptr;
  if (optional && !builder_.options().optional_syntax) {
    return builder_.Error(op->token.position, "unsupported syntax '[?'");
  }
  return Located(builder_.Call(optional ? "_[?_]" : "_[_]", args, op->token.position), node);
}

ExprId TreeBuilder::VisitPrimary(const TreeNode& node) {
  switch (node.alternative) {
    case 1: {
      const TreeItem* id = node.Find(Label::kId);
      if (id == nullptr) return builder_.Unspecified(node.start.position);
      return Located(builder_.Variable(Text(*id), node.Find(Label::kDot) != nullptr,
                                       node.start.position, id->token.position),
                     node);
    }
    case 2:
      return VisitGlobalCall(node);
    case 4:
      return VisitList(node);
    case 5:
      return VisitMap(node);
    case 6:
      return VisitStruct(node);
    default:
      return builder_.Unspecified(Issue::kNoPosition);
  }
}

ExprId TreeBuilder::VisitGlobalCall(const TreeNode& node) {
  const TreeItem* id = node.Find(Label::kId);
  const TreeItem* op = node.Find(Label::kOp);
  if (id == nullptr || op == nullptr) return builder_.Unspecified(node.start.position);
  std::string_view name = Text(*id);
  if (AstBuilder::IsReserved(name)) {
    return builder_.Error(node.start.position, "reserved identifier: " + std::string(name));
  }
  if (node.Find(Label::kDot) != nullptr) {
    name = builder_.ast().arena().CopyString("." + std::string(name));
  }
  const std::vector<ExprId> args = VisitArgs(node);
  if (aborted_) return builder_.Unspecified(node.start.position);
  return Located(builder_.GlobalCall(name, args, op->token.position), node);
}

ExprId TreeBuilder::VisitList(const TreeNode& node) {
  std::vector<Child> items;
  const TreeId elements = Part(node, Label::kElems);
  if (elements != kNoTree) {
    for (const TreeItem& item : Node(elements).items) {
      if (item.label != Label::kElems) continue;
      const TreeNode& element = Node(item.tree);
      const TreeItem* question = element.Find(Label::kOpt);
      Child child;
      child.optional = question != nullptr;
      child.expr = Visit(Part(element, Label::kFirst));
      if (child.optional && !builder_.options().optional_syntax) {
        builder_.Error(question->token.position, "unsupported syntax '?'");
        continue;
      }
      items.push_back(child);
    }
  }
  return Located(builder_.List(items, Position(node, Label::kOp)), node);
}

ExprId TreeBuilder::VisitMap(const TreeNode& node) {
  std::vector<Child> entries;
  const TreeId list = Part(node, Label::kEntries);
  if (list != kNoTree) {
    std::vector<TreeId> keys;
    std::vector<TreeId> values;
    std::vector<std::uint32_t> colons;
    for (const TreeItem& item : Node(list).items) {
      if (item.label == Label::kKeys) keys.push_back(item.tree);
      if (item.label == Label::kValues) values.push_back(item.tree);
      if (item.label == Label::kCols) colons.push_back(item.token.position);
    }
    for (std::size_t i = 0; i < colons.size() && i < keys.size(); ++i) {
      Child key;
      key.optional = Node(keys[i]).Find(Label::kOpt) != nullptr;
      if (key.optional && !builder_.options().optional_syntax) {
        builder_.Error(Node(keys[i]).start.position, "unsupported syntax '?'");
        continue;
      }
      key.position = colons[i];
      key.expr = Visit(Part(Node(keys[i]), Label::kFirst));
      Child value;
      value.position = colons[i];
      value.expr = Visit(i < values.size() ? values[i] : kNoTree);
      entries.push_back(key);
      entries.push_back(value);
    }
  }
  return Located(builder_.Map(entries, Position(node, Label::kOp)), node);
}

ExprId TreeBuilder::VisitStruct(const TreeNode& node) {
  std::string name = node.Find(Label::kDot) != nullptr ? "." : "";
  bool first = true;
  for (const TreeItem& item : node.items) {
    if (item.label != Label::kId) continue;
    if (!first) name += '.';
    first = false;
    name += Text(item);
  }
  std::vector<Child> fields;
  const TreeId list = Part(node, Label::kEntries);
  if (list != kNoTree) {
    std::vector<TreeId> names;
    std::vector<TreeId> values;
    std::vector<std::uint32_t> colons;
    for (const TreeItem& item : Node(list).items) {
      if (item.label == Label::kFields) names.push_back(item.tree);
      if (item.label == Label::kValues) values.push_back(item.tree);
      if (item.label == Label::kCols) colons.push_back(item.token.position);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i >= colons.size() || i >= values.size()) {
        fields.clear();
        break;
      }
      const TreeNode& field = Node(names[i]);
      Child child;
      child.optional = field.Find(Label::kOpt) != nullptr;
      if (child.optional && !builder_.options().optional_syntax) {
        builder_.Error(field.start.position, "unsupported syntax '?'");
        continue;
      }
      child.field = FieldName(Part(field, Label::kId));
      if (child.field.empty()) {
        builder_.Error(Node(list).start.position, "unsupported ident kind");
        continue;
      }
      child.position = colons[i];
      child.expr = Visit(values[i]);
      fields.push_back(child);
    }
  }
  return Located(
      builder_.Struct(builder_.ast().arena().CopyString(name), fields, Position(node, Label::kOp)),
      node);
}

ExprId TreeBuilder::VisitLiteral(const TreeNode& node) {
  const TreeItem* token = node.Find(Label::kTok);
  if (token == nullptr) return builder_.Unspecified(Issue::kNoPosition);
  return Located(builder_.Literal(token->token.type, Text(*token),
                                  node.Find(Label::kSign) != nullptr, node.start.position),
                 node);
}

}  // namespace portcullis::cel
