#include "cel/syntax/dump.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/escape.h"

namespace portcullis::cel {

namespace {

void AppendHexEscape(unsigned char c, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\x";
  out += kDigits[c >> 4];
  out += kDigits[c & 15U];
}

std::string Quoted(std::string_view text, bool is_bytes) {
  std::string out = is_bytes ? "b\"" : "\"";
  for (const char raw : text) {
    const unsigned char c = static_cast<unsigned char>(raw);
    if (base::AppendEscape(c, "nrt\\\"", out)) continue;
    if (c < 0x20 || c == 0x7F || (is_bytes && c >= 0x80)) {
      AppendHexEscape(c, out);
    } else {
      out += raw;
    }
  }
  return out + "\"";
}

std::string DoubleToSource(double value) {
  if (std::isnan(value)) return "double(\"NaN\")";
  if (std::isinf(value)) return value > 0 ? "double(\"Infinity\")" : "double(\"-Infinity\")";
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string out(buffer.data(), result.ptr);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

class Dumper {
 public:
  Dumper(const Ast& ast, bool with_positions) : ast_(ast), with_positions_(with_positions) {}

  void Node(ExprId id) {
    if (id == kNoExpr) {
      out_ += '_';
      return;
    }
    const Expr& node = ast_.node(id);
    switch (node.kind) {
      case ExprKind::kNone:
        out_ += "<none>";
        break;
      case ExprKind::kConst:
        out_ += ConstantToSource(node.value);
        break;
      case ExprKind::kIdent:
        out_ += node.name;
        break;
      case ExprKind::kSelect:
        out_ += node.test_only ? "(has " : "(. ";
        Node(node.target);
        out_ += ' ';
        out_ += node.name;
        out_ += ')';
        break;
      case ExprKind::kCall:
        Call(node);
        break;
      case ExprKind::kList:
        List(node);
        break;
      case ExprKind::kMap:
        Map(node);
        break;
      case ExprKind::kStruct:
        Struct(node);
        break;
      case ExprKind::kComprehension:
        Fold(ast_.comprehension(node));
        break;
    }
    if (with_positions_) out_ += "@" + std::to_string(node.position);
  }
  std::string Take() { return std::move(out_); }

 private:
  void Call(const Expr& node) {
    out_ += '(';
    if (node.target != kNoExpr) {
      out_ += "-> ";
      Node(node.target);
      out_ += ' ';
    }
    out_ += node.name;
    for (const Child& arg : ast_.children(node)) {
      out_ += ' ';
      Node(arg.expr);
    }
    out_ += ')';
  }
  void List(const Expr& node) {
    out_ += '[';
    bool first = true;
    for (const Child& item : ast_.children(node)) {
      if (!first) out_ += ' ';
      first = false;
      if (item.optional) out_ += '?';
      Node(item.expr);
    }
    out_ += ']';
  }
  void Map(const Expr& node) {
    out_ += '{';
    std::size_t i = 0;
    for (const Child& part : ast_.children(node)) {
      if (i % 2 == 1) {
        out_ += ": ";
      } else {
        if (i > 0) out_ += ", ";
        if (part.optional) out_ += '?';
      }
      Node(part.expr);
      ++i;
    }
    out_ += '}';
  }
  void Struct(const Expr& node) {
    out_ += node.name;
    out_ += '{';
    bool first = true;
    for (const Child& field : ast_.children(node)) {
      if (!first) out_ += ", ";
      first = false;
      if (field.optional) out_ += '?';
      out_ += field.field;
      out_ += ": ";
      Node(field.expr);
    }
    out_ += '}';
  }
  void Fold(const Comprehension& parts) {
    out_ += "(fold ";
    out_ += parts.iter_var;
    if (!parts.iter_var2.empty()) {
      out_ += ' ';
      out_ += parts.iter_var2;
    }
    out_ += ' ';
    out_ += parts.accu_var;
    for (const ExprId id : {parts.range, parts.init, parts.condition, parts.step, parts.result}) {
      out_ += ' ';
      Node(id);
    }
    out_ += ')';
  }

  const Ast& ast_;
  bool with_positions_;
  std::string out_;
};

}  // namespace

std::string ConstantToSource(const doc::Value& value) {
  switch (value.tag()) {
    case doc::Tag::kBool:
      return value.as_bool() ? "true" : "false";
    case doc::Tag::kInt:
      return std::to_string(value.as_int());
    case doc::Tag::kUint:
      return std::to_string(value.as_uint()) + "u";
    case doc::Tag::kDouble:
      return DoubleToSource(value.as_double());
    case doc::Tag::kString:
      return Quoted(value.as_string(), false);
    case doc::Tag::kBytes:
      return Quoted(value.as_string(), true);
    default:
      return "null";
  }
}

std::string Dump(const Ast& ast, ExprId id, bool with_positions) {
  Dumper dumper(ast, with_positions);
  dumper.Node(id);
  return dumper.Take();
}

}  // namespace portcullis::cel
