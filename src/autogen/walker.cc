#include "autogen/walker.h"

#include <algorithm>

#include "autogen/pod_paths.h"

namespace portcullis::autogen {

using cel::Expr;
using cel::ExprId;
using cel::ExprKind;
using cel::TokenType;

Walker::Walker(const cel::Ast& ast, Group group, bool patches, AliasTable& aliases)
    : ast_(ast),
      group_(group),
      patches_(patches),
      aliases_(aliases),
      tokens_(Tokenize(ast.source)),
      literals_(ast, tokens_, group) {}

std::string_view Walker::Source(std::uint32_t begin, std::uint32_t end) const {
  return std::string_view(ast_.source).substr(begin, end - begin);
}

void Walker::Refuse(std::string reason) {
  if (refusal_.empty()) refusal_ = std::move(reason);
}

void Walker::Remark(std::string text) {
  if (std::find(remarks_.begin(), remarks_.end(), text) == remarks_.end()) {
    remarks_.push_back(std::move(text));
  }
}

Shape Walker::Walk() {
  const Shape root = Visit(ast_.root);
  if (patches_ && !literals_.refusal().empty()) Refuse(literals_.refusal());
  for (const Place& place : places_) {
    if (place.wants_keep && place.wants_move) {
      Refuse("`" + place.said + "` is used for `" + place.kept_for +
             "`, which stays with the workload, and for what moves to the Pod template");
    }
  }
  return root;
}

Shape Walker::Visit(ExprId id) {
  constexpr int kMaxDepth = 2000;
  if (id == cel::kNoExpr) return {};
  if (depth_ >= kMaxDepth) {
    Refuse("it is nested too deeply");
    return {};
  }
  ++depth_;
  const Expr& node = ast_.node(id);
  Shape shape;
  switch (node.kind) {
    case ExprKind::kConst:
      if (node.value.is_null()) shape.kind = Kind::kNeutral;
      break;
    case ExprKind::kIdent:
      shape = VisitIdent(node);
      break;
    case ExprKind::kSelect:
      shape = VisitAccess(node, node.target, {node.name, false, false});
      if (node.test_only) shape = {};
      break;
    case ExprKind::kCall:
      shape = VisitCall(node);
      break;
    case ExprKind::kList:
      shape = VisitList(node);
      break;
    case ExprKind::kMap:
      shape = VisitMap(node);
      break;
    case ExprKind::kStruct:
      if (patches_) literals_.Visit(id);
      for (const cel::Child& child : ast_.children(node)) {
        Escape(Visit(child.expr), "a member of a constructed object");
      }
      break;
    case ExprKind::kComprehension:
      shape = VisitComprehension(node);
      break;
    case ExprKind::kNone:
      break;
  }
  --depth_;
  return shape;
}

Shape Walker::VisitIdent(const Expr& node) {
  std::string_view name = node.name;
  Shape shape;
  if (name.front() == '.') {
    name.remove_prefix(1);  // never a variable of a macro
  } else {
    for (auto bound = scope_.rbegin(); bound != scope_.rend(); ++bound) {
      if (bound->name == name) return bound->shape;
    }
  }
  if (name == "object" || name == "oldObject") shape.kind = Kind::kPod;
  if (name == "request") shape.kind = Kind::kRequest;
  if (name == "variables") shape.kind = Kind::kVariables;
  return shape;
}

Shape Walker::VisitList(const Expr& node) {
  Shape joined;
  joined.kind = Kind::kNeutral;
  for (const cel::Child& child : ast_.children(node)) {
    Shape item = Visit(child.expr);
    if (child.optional) item.optional = false;
    if (item.list || item.optional) {
      Escape(item, "an item of a list");
      item = {};
    }
    joined = Join(joined, item);
  }
  if (joined.is_pod() || joined.is_part()) joined.list = true;
  return joined;
}

Shape Walker::VisitMap(const Expr& node) {
  for (const cel::Child& child : ast_.children(node)) {
    Escape(Visit(child.expr), "a member of a map");
  }
  Shape shape;
  if (node.count == 0) shape.kind = Kind::kNeutral;
  return shape;
}

Shape Walker::ItemOf(const Shape& list) const {
  Shape item = list;
  item.list = false;
  return item;
}

Shape Walker::VisitComprehension(const Expr& node) {
  const cel::Comprehension& parts = ast_.comprehension(node);
  const Shape range = Visit(parts.range);
  Shape item;
  if (range.list) {
    item = ItemOf(range);
  } else {
    Escape(range, "a macro that visits its members");
  }
  const Shape start = Visit(parts.init);
  const std::size_t outer = scope_.size();
  scope_.push_back({parts.accu_var, start});
  if (parts.iter_var2.empty()) {
    scope_.push_back({parts.iter_var, item});
  } else {
    scope_.push_back({parts.iter_var, {}});
    scope_.push_back({parts.iter_var2, item});
  }
  Visit(parts.condition);
  const Shape step = Visit(parts.step);
  scope_.resize(outer);
  scope_.push_back({parts.accu_var, Join(start, step)});
  const Shape result = Visit(parts.result);
  scope_.resize(outer);
  return result;
}

// What either of two values can be. A part of the Pod stays one beside anything else: each place
// that reads it is decided on by itself.
Shape Walker::Join(const Shape& a, const Shape& b) {
  if (a.kind == Kind::kNeutral) return b;
  if (b.kind == Kind::kNeutral) return a;
  Shape joined = a.is_pod() || (a.is_part() && !b.is_pod()) ? a : b;
  if (a.kind == b.kind && a.list == b.list) {
    joined.optional = a.optional || b.optional;
  } else if (joined.is_pod()) {
    joined.kind = Kind::kMaybePod;
  } else if (!joined.is_part()) {
    return {};
  }
  if (a.is_part() && b.is_part()) {
    joined.origins = a.origins;
    joined.origins.insert(joined.origins.end(), b.origins.begin(), b.origins.end());
  }
  return joined;
}

void Walker::Escape(const Shape& shape, std::string_view where) {
  if (!shape.is_pod()) return;
  Remark("the whole object as " + std::string(where) + " is that of the workload");
}

// ---- reading members ----------------------------------------------------------------------------

Shape Walker::VisitAccess(const Expr& node, ExprId target_id, const Access& access) {
  const Shape target = Visit(target_id);
  if (target.list) {
    if (access.index && !access.field) {
      Shape item = ItemOf(target);
      item.optional = access.optional;
      return item;
    }
    return {};
  }
  switch (target.kind) {
    case Kind::kPod:
    case Kind::kMaybePod:
      return ReadPod(node, ast_.node(target_id), target, access);
    case Kind::kMetadata:
    case Kind::kSpec:
      Resolve(target, access.field);
      return {};
    case Kind::kRequest:
      if (access.field == "object" || access.field == "oldObject") {
        Shape pod;
        pod.kind = Kind::kPod;
        pod.optional = access.optional || target.optional;
        return pod;
      }
      return {};
    case Kind::kVariables:
      return ReadVariable(node, access);
    case Kind::kOther:
    case Kind::kNeutral:
      break;
  }
  return {};
}

Shape Walker::ReadPod(const Expr& node, const Expr& target, const Shape& pod,
                      const Access& access) {
  if (!access.field) {
    Remark("a member of the whole object that is known only at evaluation is the workload's");
    return {};
  }
  const bool spec = access.field == "spec";
  if (!spec && access.field != "metadata") return {};
  if (pod.kind == Kind::kMaybePod) {
    Refuse("`" + std::string(Source(node.begin, node.end)) +
           "` reads either the Pod or something else");
    return {};
  }
  if (node.end == 0) {
    Refuse("a macro hides where the Pod is read");
    return {};
  }
  Shape part;
  part.kind = spec ? Kind::kSpec : Kind::kMetadata;
  part.optional = pod.optional || access.optional;
  Place place;
  place.kind = part.kind;
  place.move = InsertSteps(node, target, access);
  place.said = Source(node.begin, node.end);
  const std::uint32_t at = place.move.begin;
  part.origins.push_back(AddPlace(at, std::move(place)));
  return part;
}

std::uint32_t Walker::AddPlace(std::uint32_t at, Place place) {
  const auto [known, added] = place_at_.try_emplace(at, static_cast<std::uint32_t>(places_.size()));
  if (added) places_.push_back(std::move(place));
  return known->second;
}

// The steps to the template in the form in which the member is read.
Edit Walker::InsertSteps(const Expr& node, const Expr& target, const Access& access) const {
  std::size_t at = TokenIndex(tokens_, target.end);
  while (tokens_[at].type == TokenType::kRightParen) ++at;
  Edit edit;
  if (!access.index) {
    while (tokens_[at].type == TokenType::kDot || tokens_[at].type == TokenType::kQuestion) ++at;
    edit.begin = edit.end = tokens_[at].begin;
    edit.text = JoinSteps(group_, access.optional ? ".?" : ".");
    return edit;
  }
  const char quote = Source(tokens_[at].begin, node.end).find('\'') < node.end ? '\'' : '"';
  for (const std::string_view step : TemplateSteps(group_)) {
    edit.text += access.optional ? "[?" : "[";
    edit.text += quote;
    edit.text += step;
    edit.text += quote;
    edit.text += ']';
  }
  edit.begin = edit.end = tokens_[at].begin;
  return edit;
}

Shape Walker::ReadVariable(const Expr& node, const Access& access) {
  if (!access.field) return {};
  const auto found = aliases_.find(*access.field);
  if (found == aliases_.end()) return {};
  Alias& alias = found->second;
  Shape shape;
  shape.kind = alias.kind;
  shape.list = alias.list;
  shape.optional = alias.optional || access.optional;
  if (!shape.is_part() || node.test_only) return shape;
  Place place;
  place.kind = alias.kind;
  place.alias = &alias;
  place.said = Source(node.begin, node.end);
  place.move.begin = place.keep.begin = node.begin;
  place.move.end = place.keep.end = node.end;
  place.optional_use = access.optional;
  place.shadowed = std::any_of(scope_.begin(), scope_.end(), [](const Binding& bound) {
    return bound.name == "object" || bound.name == "oldObject" || bound.name == "request" ||
           bound.name == "variables";
  });
  shape.origins.push_back(AddPlace(node.begin, std::move(place)));
  return shape;
}

// `field` is read from a part of the Pod: does it mean the workload's?
void Walker::Resolve(const Shape& shape, std::optional<std::string_view> field) {
  const bool keep =
      field && (shape.kind == Kind::kSpec ? IsControllerField(*field) : StaysWithWorkload(*field));
  for (const std::uint32_t origin : shape.origins) {
    Place& place = places_[origin];
    if (keep) {
      place.wants_keep = true;
      place.kept_for = *field;
    } else {
      place.wants_move = true;
    }
  }
}

}  // namespace portcullis::autogen
