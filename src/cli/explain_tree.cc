#include "cli/explain_tree.h"

#include <algorithm>

#include "cel/eval/program.h"
#include "cel/eval/struct_value.h"
#include "cel/eval/value_json.h"
#include "cel/syntax/unparse.h"
#include "json/writer.h"
#include "report/terminal.h"

namespace portcullis::cli {
namespace {

using cel::Expr;
using cel::ExprId;
using cel::ExprKind;

constexpr std::size_t kMaxDepth = 200;
constexpr std::size_t kMaxText = 72;
constexpr std::size_t kMaxValue = 100;

std::string Shorten(std::string text, std::size_t max) {
  if (text.size() <= max) return text;
  std::size_t cut = max;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return text.substr(0, cut) + "...";
}

// White space of several lines becomes one blank.
std::string OneLine(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t' || c == ' ') {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += c;
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

class Builder {
 public:
  Builder(const cel::Ast& ast, const cel::Trace& trace) : ast_(ast), trace_(trace) {}

  ExplainNode Make(ExprId id, std::size_t depth) {
    ExplainNode node;
    node.text = OneLine(cel::Unparse(ast_, id));
    if (const cel::Trace::Entry* entry = trace_.Find(id)) {
      node.value = ValueText(entry->value, kMaxValue);
    }
    // What was never evaluated has no values to show.
    if (depth < kMaxDepth && !node.value.empty() && !IsChain(id)) {
      for (const ExprId child : ChildrenOf(id)) Collect(child, depth + 1, node.children);
    }
    return node;
  }

 private:
  // `a.b.?c`: one node.
  bool IsChain(ExprId id) const {
    while (true) {
      const Expr& expr = ast_.node(id);
      if (expr.kind == ExprKind::kSelect) {
        id = expr.target;
      } else if (expr.kind == ExprKind::kCall && expr.name == "_?._") {
        id = ast_.children(expr)[0].expr;
      } else {
        return expr.kind == ExprKind::kIdent;
      }
    }
  }

  std::vector<ExprId> ChildrenOf(ExprId id) const {
    const Expr& expr = ast_.node(id);
    std::vector<ExprId> out;
    if (expr.kind == ExprKind::kComprehension) {
      const cel::Comprehension& loop = ast_.comprehension(expr);
      for (const ExprId part : {loop.range, loop.step, loop.result}) {
        if (part != cel::kNoExpr) out.push_back(part);
      }
      return out;
    }
    if (expr.target != cel::kNoExpr) out.push_back(expr.target);
    for (const cel::Child& child : ast_.children(expr)) {
      if (child.expr != cel::kNoExpr) out.push_back(child.expr);
    }
    return out;
  }

  // Adds the node, or, for what a macro made, the written parts below it.
  void Collect(ExprId id, std::size_t depth, std::vector<ExplainNode>& out) {
    const Expr& expr = ast_.node(id);
    if (expr.kind == ExprKind::kConst || depth > kMaxDepth) return;
    const bool written = expr.begin < expr.end;
    if (written) {
      ExplainNode node = Make(id, depth);
      const bool is_literal = expr.kind == ExprKind::kList || expr.kind == ExprKind::kMap;
      if (!is_literal || !node.children.empty()) out.push_back(std::move(node));
      return;
    }
    for (const ExprId child : ChildrenOf(id)) Collect(child, depth + 1, out);
  }

  const cel::Ast& ast_;
  const cel::Trace& trace_;
};

std::size_t TextWidth(const ExplainNode& node, std::size_t indent) {
  std::size_t width = indent + std::min(report::DisplayWidth(node.text), kMaxText);
  for (const ExplainNode& child : node.children) {
    width = std::max(width, TextWidth(child, indent + 2));
  }
  return width;
}

void Render(const ExplainNode& node, std::size_t indent, std::size_t column, std::string& out) {
  const std::string text = Shorten(node.text, kMaxText - 3);
  out.append(indent, ' ');
  out += text;
  const std::size_t used = indent + report::DisplayWidth(text);
  out.append(column > used ? column - used : 1, ' ');
  out += node.value.empty() ? "(not evaluated)" : "= " + node.value;
  out += '\n';
  for (const ExplainNode& child : node.children) Render(child, indent + 2, column, out);
}

}  // namespace

namespace {

constexpr std::size_t kNoLimit = std::size_t{1} << 20U;

// A list of objects of types, as a mutation gives it: it has no JSON form.
bool HoldsStructs(const doc::Value& list) {
  const auto items = list.as_list();
  return std::any_of(items.begin(), items.end(), cel::IsStruct);
}

std::string ListText(const doc::Value& list) {
  std::string out = "[";
  for (const doc::Value& item : list.as_list()) {
    if (out.size() > 1) out += ", ";
    out += ValueText(item, kNoLimit);
  }
  return out + "]";
}

std::string StructText(const doc::Value& fields) {
  std::string out = "{";
  for (const doc::MapEntry& entry : fields.as_map()) {
    if (out.size() > 1) out += ", ";
    out += std::string(entry.key.as_string()) + ": " + ValueText(entry.value, kNoLimit);
  }
  return out + "}";
}

}  // namespace

std::string ValueText(const doc::Value& value, std::size_t max) {
  if (value.is_error()) return Shorten("error: " + std::string(cel::ErrorMessage(value)), max);
  switch (value.tag()) {
    case doc::Tag::kHost:
      if (cel::IsStruct(value)) {
        const cel::StructRep& fields = cel::AsStruct(value);
        return Shorten(std::string(fields.type_name) + StructText(fields.fields), max);
      }
      return "<" + std::string(value.host()->type->name) + ">";
    case doc::Tag::kOptional:
      return value.has_value() ? "optional(" + ValueText(value.held(), max) + ")"
                               : "optional.none()";
    case doc::Tag::kDuration:
    case doc::Tag::kTimestamp:
    case doc::Tag::kType:
    case doc::Tag::kBytes: {
      base::Arena arena;
      return Shorten(json::ToString(cel::ToExprValue(arena, value)), max);
    }
    case doc::Tag::kList:
      if (HoldsStructs(value)) return Shorten(ListText(value), max);
      return Shorten(json::ToString(value), max);
    default:
      return Shorten(json::ToString(value), max);
  }
}

ExplainNode BuildTree(const cel::Ast& ast, const cel::Trace& trace) {
  return Builder(ast, trace).Make(ast.root, 0);
}

std::string RenderTree(const ExplainNode& root, std::size_t indent) {
  std::string out;
  Render(root, indent, TextWidth(root, indent) + 2, out);
  return out;
}

}  // namespace portcullis::cli
