#include <algorithm>
#include <array>

#include "autogen/walker.h"

namespace portcullis::autogen {

using cel::Expr;
using cel::ExprId;
using cel::ExprKind;

namespace {

bool IsNull(const Expr& node) { return node.kind == ExprKind::kConst && node.value.is_null(); }

std::optional<std::string_view> ConstantText(const Expr& node) {
  if (node.kind != ExprKind::kConst || !node.value.is_string()) return std::nullopt;
  return node.value.as_string();
}

}  // namespace

Shape Walker::VisitCall(const Expr& node) {
  if (node.target != cel::kNoExpr) return VisitMethod(node);
  const std::span<const cel::Child> args = ast_.children(node);
  const bool optional = node.name == "_[?_]" || node.name == "_?._";
  if ((optional || node.name == "_[_]") && args.size() == 2) {
    const Expr& index = ast_.node(args[1].expr);
    const Access access{ConstantText(index), node.name != "_?._", optional};
    if (!access.field) Visit(args[1].expr);
    return VisitAccess(node, args[0].expr, access);
  }
  if (node.name == "_?_:_" && args.size() == 3) {
    Visit(args[0].expr);
    const Shape yes = Visit(args[1].expr);
    return Join(yes, Visit(args[2].expr));
  }
  if (node.name == "dyn" && args.size() == 1) return Visit(args[0].expr);
  if (node.name == "_+_" && args.size() == 2) {
    const Shape left = Visit(args[0].expr);
    return Join(left, Visit(args[1].expr));
  }
  if ((node.name == "_==_" || node.name == "_!=_") && args.size() == 2) return VisitEquality(node);
  if (node.name == "@in" && args.size() == 2) return VisitContains(node);
  if (node.name == "optional.none") return {Kind::kNeutral, false, false, {}};
  if (node.name == "optional.of" && args.size() == 1) return VisitOptional(node);
  for (const cel::Child& arg : args) {
    Escape(Visit(arg.expr), "an argument of " + std::string(node.name) + "()");
  }
  return {};
}

Shape Walker::VisitOptional(const Expr& node) {
  Shape held = Visit(ast_.children(node)[0].expr);
  held.optional = true;
  return held;
}

Shape Walker::VisitEquality(const Expr& node) {
  const std::span<const cel::Child> args = ast_.children(node);
  const bool with_null = IsNull(ast_.node(args[0].expr)) || IsNull(ast_.node(args[1].expr));
  for (const cel::Child& arg : args) {
    const Shape shape = Visit(arg.expr);
    if (!with_null) Escape(shape, "an operand of a comparison");
  }
  return {};
}

// `"labels" in object.metadata`
Shape Walker::VisitContains(const Expr& node) {
  const std::span<const cel::Child> args = ast_.children(node);
  Escape(Visit(args[0].expr), "an operand of `in`");
  const Shape container = Visit(args[1].expr);
  if (container.is_part() && !container.list) {
    Resolve(container, ConstantText(ast_.node(args[0].expr)));
  }
  return {};
}

Shape Walker::VisitMethod(const Expr& node) {
  const std::span<const cel::Child> args = ast_.children(node);
  const Expr& receiver = ast_.node(node.target);
  if (receiver.kind == ExprKind::kIdent && receiver.name == "optional") {
    if ((node.name == "of" || node.name == "ofNonZeroValue") && args.size() == 1) {
      return VisitOptional(node);
    }
    if (node.name == "none") return {Kind::kNeutral, false, false, {}};
  }
  Shape target = Visit(node.target);
  if (target.optional && !target.list) {
    if (node.name == "hasValue" && args.empty()) return {};
    if (node.name == "value" && args.empty()) {
      target.optional = false;
      return target;
    }
    if ((node.name == "orValue" || node.name == "or") && args.size() == 1) {
      if (node.name == "orValue") target.optional = false;
      return Join(target, Visit(args[0].expr));
    }
  }
  if (target.list) {
    static constexpr std::array<std::string_view, 5> kSameItems{"reverse", "distinct", "slice",
                                                                "sort", "@sortByAssociatedKeys"};
    if ((node.name == "first" || node.name == "last") && args.empty()) {
      Shape item = ItemOf(target);
      item.optional = true;
      return item;
    }
    if (std::find(kSameItems.begin(), kSameItems.end(), node.name) != kSameItems.end()) {
      for (const cel::Child& arg : args) Visit(arg.expr);
      return target;
    }
  }
  Escape(target, "the receiver of " + std::string(node.name) + "()");
  for (const cel::Child& arg : args) {
    Escape(Visit(arg.expr), "an argument of " + std::string(node.name) + "()");
  }
  return {};
}

}  // namespace portcullis::autogen
