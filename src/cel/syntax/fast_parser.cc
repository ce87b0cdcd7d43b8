#include "cel/syntax/fast_parser.h"

#include <algorithm>

namespace portcullis::cel {

namespace {

std::string_view RelationName(TokenType type) {
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
    default:
      return {};
  }
}

// Precedence 2 binds tighter; 0 = no arithmetic operator.
int CalcPrecedence(TokenType type) {
  switch (type) {
    case TokenType::kStar:
    case TokenType::kSlash:
    case TokenType::kPercent:
      return 2;
    case TokenType::kPlus:
    case TokenType::kMinus:
      return 1;
    default:
      return 0;
  }
}

std::string_view CalcName(TokenType type) {
  switch (type) {
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

}  // namespace

FastParser::FastParser(std::string_view source, AstBuilder& builder)
    : source_(source), builder_(builder) {
  tokens_.reserve(source.size() / 3 + 4);
  Lexer lexer(source);
  do {
    tokens_.push_back(lexer.NextVisible());
    if (tokens_.back().type == TokenType::kUnrecognized) failed_ = true;
  } while (tokens_.back().type != TokenType::kEof && !failed_);
}

ExprId FastParser::Parse() {
  if (failed_) return kNoExpr;
  const Part root = ParseExpr();
  if (type() != TokenType::kEof || root.height > kMaxHeight) failed_ = true;
  return failed_ ? kNoExpr : root.id;
}

FastParser::Part FastParser::Finish(ExprId id, std::uint32_t height, std::uint32_t begin) {
  Expr& node = builder_.ast().node(id);
  node.begin = begin;
  node.end = PreviousEnd();
  return {id, height, begin};
}

FastParser::Part FastParser::ParseExpr() {
  if (failed_ || nesting_ >= kMaxNesting) return Fail();
  ++nesting_;
  const Part condition = ParseOr();
  Part result = condition;
  if (type() == TokenType::kQuestion && !failed_) {
    const std::uint32_t position = token().position;
    Advance();
    const Part yes = ParseOr();
    Expect(TokenType::kColon);
    const Part no = ParseExpr();
    if (failed_) return {};
    const ExprId args[3] = {condition.id, yes.id, no.id};
    result = Finish(builder_.Call("_?_:_", args, position),
                    std::max({condition.height, yes.height, no.height}) + 1, condition.begin);
  }
  --nesting_;
  return result;
}

template <typename Operand>
FastParser::Part FastParser::ParseLogic(TokenType wanted, std::string_view name, Operand operand) {
  const Part first = operand();
  if (type() != wanted || failed_) return first;
  std::vector<ExprId> operands{first.id};
  std::vector<std::uint32_t> positions;
  std::uint32_t height = first.height;
  while (type() == wanted && !failed_) {
    positions.push_back(token().position);
    Advance();
    const Part next = operand();
    operands.push_back(next.id);
    height = std::max(height, next.height);
  }
  if (failed_) return {};
  return Finish(builder_.Logic(name, operands, positions), height, first.begin);
}

FastParser::Part FastParser::ParseOr() {
  return ParseLogic(TokenType::kOr, "_||_", [this] { return ParseAnd(); });
}

FastParser::Part FastParser::ParseAnd() {
  return ParseLogic(TokenType::kAnd, "_&&_", [this] { return ParseRelation(); });
}

FastParser::Part FastParser::ParseRelation() {
  Part left = ParseCalc(1);
  while (!failed_) {
    const std::string_view name = RelationName(type());
    if (name.empty()) break;
    const std::uint32_t position = token().position;
    Advance();
    const Part right = ParseCalc(1);
    if (failed_) return {};
    const ExprId args[2] = {left.id, right.id};
    left = Finish(builder_.Call(name, args, position), std::max(left.height, right.height) + 1,
                  left.begin);
  }
  return left;
}

FastParser::Part FastParser::ParseCalc(int precedence) {
  Part left = ParseUnary();
  while (!failed_) {
    const int found = CalcPrecedence(type());
    if (found == 0 || found < precedence) break;
    const std::uint32_t position = token().position;
    const std::string_view name = CalcName(type());
    Advance();
    const Part right = ParseCalc(found + 1);
    if (failed_) return {};
    const ExprId args[2] = {left.id, right.id};
    left = Finish(builder_.Call(name, args, position), std::max(left.height, right.height) + 1,
                  left.begin);
  }
  return left;
}

FastParser::Part FastParser::ParseUnary() {
  const TokenType sign = type();
  if (sign != TokenType::kExclamation && sign != TokenType::kMinus) return ParseMember();
  const TokenType after = type_after(1);
  const bool attached =
      sign == TokenType::kMinus && (after == TokenType::kInt || after == TokenType::kFloat);
  if (attached) return ParseMember();
  const std::uint32_t begin = token().begin;
  const std::uint32_t position = token().position;
  std::size_t count = 0;
  while (type() == sign) {
    const TokenType next = type_after(1);
    if (sign == TokenType::kMinus && count > 0 &&
        (next == TokenType::kInt || next == TokenType::kFloat)) {
      return Fail();  // which `-` belongs to the literal is for the grammar to say
    }
    ++count;
    Advance();
  }
  const Part operand = ParseMember();
  if (failed_) return {};
  if (count % 2 == 0) return {operand.id, operand.height, begin};
  return Finish(builder_.Call(sign == TokenType::kMinus ? "-_" : "!_", {&operand.id, 1}, position),
                operand.height, begin);
}

FastParser::Part FastParser::ParseMember() {
  Part part = ParsePrimary();
  while (!failed_) {
    if (type() == TokenType::kDot) {
      part = ParseSelector(part);
    } else if (type() == TokenType::kLeftBracket) {
      part = ParseIndex(part);
    } else {
      break;
    }
  }
  return part;
}

bool FastParser::ParseFieldName(std::string_view& name) {
  if (type() == TokenType::kIdentifier) {
    name = token().Text(source_);
  } else if (type() == TokenType::kEscapedIdentifier) {
    name = token().Text(source_);
    name = name.substr(1, name.size() - 2);
  } else {
    return false;
  }
  Advance();
  return true;
}

FastParser::Part FastParser::ParseSelector(const Part& operand) {
  const std::uint32_t position = token().position;
  Advance();
  const bool optional = Take(TokenType::kQuestion);
  if (!optional && type() == TokenType::kIdentifier && type_after(1) == TokenType::kLeftParen) {
    const std::string_view name = token().Text(source_);
    Advance();
    const std::uint32_t open = token().position;
    Advance();
    const Args args = ParseArgs();
    if (failed_) return {};
    const std::span<const ExprId> ids(stack_.data() + args.first, stack_.size() - args.first);
    const ExprId id = builder_.ReceiverCall(name, operand.id, ids, open);
    stack_.resize(args.first);
    return Finish(id, std::max(operand.height, args.height) + 1, operand.begin);
  }
  const std::uint32_t name_position = token().position;
  std::string_view name;
  if (!ParseFieldName(name)) return Fail();
  ExprId id = kNoExpr;
  if (optional) {
    if (!builder_.options().optional_syntax) return Fail();
    const ExprId args[2] = {operand.id, builder_.Const(doc::Value::String(name), name_position)};
    id = builder_.Call("_?._", args, position);
  } else {
    id = builder_.Select(operand.id, name, false, position);
  }
  return Finish(id, operand.height + 1, operand.begin);
}

FastParser::Part FastParser::ParseIndex(const Part& operand) {
  const std::uint32_t position = token().position;
  Advance();
  const bool optional = Take(TokenType::kQuestion);
  if (optional && !builder_.options().optional_syntax) return Fail();
  const Part index = ParseExpr();
  Expect(TokenType::kRightBracket);
  if (failed_) return {};
  const ExprId args[2] = {operand.id, index.id};
  return Finish(builder_.Call(optional ? "_[?_]" : "_[_]", args, position),
                std::max(operand.height, index.height) + 1, operand.begin);
}

FastParser::Args FastParser::ParseArgs() {
  Args args{stack_.size(), 0};
  if (Take(TokenType::kRightParen)) return args;
  do {
    const Part part = ParseExpr();
    stack_.push_back(part.id);
    args.height = std::max(args.height, part.height);
  } while (!failed_ && Take(TokenType::kComma));
  Expect(TokenType::kRightParen);
  return args;
}

FastParser::Part FastParser::ParsePrimary() {
  const std::uint32_t begin = token().begin;
  const std::uint32_t position = token().position;
  switch (type()) {
    case TokenType::kDot:
    case TokenType::kIdentifier:
      return ParseName();
    case TokenType::kLeftParen: {
      Advance();
      Part inner = ParseExpr();
      Expect(TokenType::kRightParen);
      inner.begin = begin;
      return inner;
    }
    case TokenType::kLeftBracket:
      return ParseList();
    case TokenType::kLeftBrace:
      return ParseMap();
    case TokenType::kMinus:
      Advance();
      if (type() != TokenType::kInt && type() != TokenType::kFloat) return Fail();
      return ParseLiteral(true, begin, position);
    case TokenType::kInt:
    case TokenType::kUint:
    case TokenType::kFloat:
    case TokenType::kString:
    case TokenType::kBytes:
    case TokenType::kTrue:
    case TokenType::kFalse:
    case TokenType::kNull:
      return ParseLiteral(false, begin, position);
    default:
      return Fail();
  }
}

FastParser::Part FastParser::ParseLiteral(bool negative, std::uint32_t begin,
                                          std::uint32_t position) {
  const ExprId id = builder_.Literal(type(), token().Text(source_), negative, position);
  Advance();
  return Finish(id, 0, begin);
}

FastParser::Part FastParser::ParseName() {
  const std::uint32_t begin = token().begin;
  const std::uint32_t position = token().position;
  const bool leading_dot = Take(TokenType::kDot);
  if (type() != TokenType::kIdentifier) return Fail();
  // A dotted name is a message name if a `{` follows, otherwise only its first part counts here.
  std::size_t dots = 0;
  while (type_after(2 * dots + 1) == TokenType::kDot &&
         type_after(2 * dots + 2) == TokenType::kIdentifier) {
    ++dots;
  }
  if (type_after(2 * dots + 1) == TokenType::kLeftBrace) {
    std::string name;
    for (std::size_t i = 0; i <= dots; ++i) {
      if (i > 0 || leading_dot) name += '.';
      name += tokens_[at_ + 2 * i].Text(source_);
    }
    const bool plain = dots == 0 && !leading_dot;
    const std::string_view kept =
        plain ? token().Text(source_) : builder_.ast().arena().CopyString(name);
    at_ += 2 * dots + 1;
    return ParseStruct(begin, kept);
  }
  const std::uint32_t name_position = token().position;
  std::string_view name = token().Text(source_);
  Advance();
  if (type() != TokenType::kLeftParen) {
    return Finish(builder_.Variable(name, leading_dot, position, name_position), 0, begin);
  }
  if (AstBuilder::IsReserved(name)) return Fail();
  if (leading_dot) name = builder_.ast().arena().CopyString("." + std::string(name));
  const std::uint32_t open = token().position;
  Advance();
  const Args args = ParseArgs();
  if (failed_) return {};
  const std::span<const ExprId> ids(stack_.data() + args.first, stack_.size() - args.first);
  const ExprId id = builder_.GlobalCall(name, ids, open);
  stack_.resize(args.first);
  return Finish(id, args.height, begin);
}

FastParser::Part FastParser::ParseList() {
  const std::uint32_t begin = token().begin;
  const std::uint32_t position = token().position;
  Advance();
  const std::size_t first = children_.size();
  std::uint32_t height = 0;
  // One comma may stand alone: `[,]`.
  if (type_after(1) == TokenType::kRightBracket) Take(TokenType::kComma);
  while (!failed_ && type() != TokenType::kRightBracket) {
    Child child;
    child.optional = Take(TokenType::kQuestion);
    if (child.optional && !builder_.options().optional_syntax) return Fail();
    const Part item = ParseExpr();
    child.expr = item.id;
    height = std::max(height, item.height);
    children_.push_back(child);
    if (!Take(TokenType::kComma)) break;
  }
  Expect(TokenType::kRightBracket);
  if (failed_) return {};
  const std::span<const Child> items(children_.data() + first, children_.size() - first);
  const ExprId id = builder_.List(items, position);
  children_.resize(first);
  return Finish(id, height, begin);
}

FastParser::Part FastParser::ParseMap() {
  const std::uint32_t begin = token().begin;
  const std::uint32_t position = token().position;
  Advance();
  const std::size_t first = children_.size();
  std::uint32_t height = 0;
  if (type_after(1) == TokenType::kRightBrace) Take(TokenType::kComma);
  while (!failed_ && type() != TokenType::kRightBrace) {
    Child key;
    key.optional = Take(TokenType::kQuestion);
    if (key.optional && !builder_.options().optional_syntax) return Fail();
    const Part key_part = ParseExpr();
    key.expr = key_part.id;
    key.position = token().position;
    Expect(TokenType::kColon);
    const Part value_part = ParseExpr();
    Child value;
    value.expr = value_part.id;
    value.position = key.position;
    height = std::max({height, key_part.height, value_part.height});
    children_.push_back(key);
    children_.push_back(value);
    if (!Take(TokenType::kComma)) break;
  }
  Expect(TokenType::kRightBrace);
  if (failed_) return {};
  const std::span<const Child> entries(children_.data() + first, children_.size() - first);
  const ExprId id = builder_.Map(entries, position);
  children_.resize(first);
  return Finish(id, height, begin);
}

FastParser::Part FastParser::ParseStruct(std::uint32_t begin, std::string_view name) {
  const std::uint32_t position = token().position;
  Advance();
  const std::size_t first = children_.size();
  std::uint32_t height = 0;
  if (type_after(1) == TokenType::kRightBrace) Take(TokenType::kComma);
  while (!failed_ && type() != TokenType::kRightBrace) {
    Child field;
    field.optional = Take(TokenType::kQuestion);
    if (field.optional && !builder_.options().optional_syntax) return Fail();
    if (!ParseFieldName(field.field)) return Fail();
    field.position = token().position;
    Expect(TokenType::kColon);
    const Part value = ParseExpr();
    field.expr = value.id;
    height = std::max(height, value.height);
    children_.push_back(field);
    if (!Take(TokenType::kComma)) break;
  }
  Expect(TokenType::kRightBrace);
  if (failed_) return {};
  const std::span<const Child> fields(children_.data() + first, children_.size() - first);
  const ExprId id = builder_.Struct(name, fields, position);
  children_.resize(first);
  return Finish(id, height, begin);
}

}  // namespace portcullis::cel
