#include <utility>

#include "base/hash.h"
#include "cel/eval/value_ops.h"
#include "cel/plan/plan.h"
#include "cel/plan/planner_internal.h"
#include "regex/regex.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

NodeId Planner::Emit(Node node, std::span<const NodeId> children) {
  node.first = static_cast<std::uint32_t>(plan_.children.size());
  node.count = static_cast<std::uint16_t>(children.size());
  plan_.children.insert(plan_.children.end(), children.begin(), children.end());
  plan_.nodes.push_back(node);
  return static_cast<NodeId>(plan_.nodes.size() - 1);
}

NodeId Planner::EmitConst(ExprId expr, const Value& value) {
  Node node;
  node.op = Op::kConst;
  node.expr = expr;
  node.a = static_cast<std::uint32_t>(plan_.constants.size());
  plan_.constants.push_back(value);
  return Emit(node, {});
}

bool Planner::IsConst(NodeId id) const { return plan_.nodes[id].op == Op::kConst; }
const Value& Planner::ConstOf(NodeId id) const { return plan_.constants[plan_.nodes[id].a]; }

std::uint32_t Planner::VariableSlot(std::string_view name) {
  for (std::size_t i = 0; i < plan_.variables.size(); ++i) {
    if (plan_.variables[i] == name) return static_cast<std::uint32_t>(i);
  }
  plan_.variables.emplace_back(name);
  return static_cast<std::uint32_t>(plan_.variables.size() - 1);
}

// Every comprehension has slots of its own: an initialiser that is evaluated lazily inside another
// loop must not disturb that loop's variables.
std::uint32_t Planner::PushLocal(std::string_view name) {
  scope_.push_back({name, plan_.local_count});
  return plan_.local_count++;
}

bool Planner::FindLocal(std::string_view name, std::uint32_t& slot) const {
  for (std::size_t i = scope_.size(); i-- > 0;) {
    if (scope_[i].name == name) {
      slot = scope_[i].slot;
      return true;
    }
  }
  return false;
}

NodeId Planner::EmitAttribute(ExprId expr, Attribute attribute,
                              std::span<const Qualifier> qualifiers, Op op) {
  attribute.first = static_cast<std::uint32_t>(plan_.qualifiers.size());
  attribute.count = static_cast<std::uint32_t>(qualifiers.size());
  plan_.qualifiers.insert(plan_.qualifiers.end(), qualifiers.begin(), qualifiers.end());
  Node node;
  node.op = op;
  node.expr = expr;
  node.a = static_cast<std::uint32_t>(plan_.attributes.size());
  plan_.attributes.push_back(attribute);
  return Emit(node, {});
}

NodeId Planner::PlanVariable(ExprId id, std::string_view name, bool maybe_local) {
  Attribute attribute;
  if (maybe_local && !name.starts_with('.') && FindLocal(name, attribute.slot)) {
    attribute.base = Attribute::Base::kLocal;
  } else {
    if (name.starts_with('.')) name.remove_prefix(1);
    attribute.base = Attribute::Base::kVariable;
    attribute.slot = VariableSlot(name);
  }
  return EmitAttribute(id, attribute, {}, Op::kAttribute);
}

// Extends the attribute that `operand` is, or starts one on its value.
NodeId Planner::Extend(ExprId id, NodeId operand, const Qualifier& qualifier, Op op) {
  Attribute attribute;
  std::vector<Qualifier> qualifiers;
  if (plan_.nodes[operand].op == Op::kAttribute) {
    attribute = plan_.attributes[plan_.nodes[operand].a];
    qualifiers.assign(plan_.qualifiers.begin() + attribute.first,
                      plan_.qualifiers.begin() + attribute.first + attribute.count);
  } else {
    attribute.base = Attribute::Base::kNode;
    attribute.node = operand;
  }
  qualifiers.push_back(qualifier);
  return EmitAttribute(id, attribute, qualifiers, op);
}

Qualifier Planner::FieldQualifier(std::string_view field, bool optional) {
  Qualifier qualifier;
  qualifier.key = Value::String(field);
  qualifier.hash = base::HashBytes(field);
  qualifier.constant_string = true;
  qualifier.optional = optional;
  return qualifier;
}

Qualifier Planner::IndexQualifier(NodeId key, bool optional) {
  if (IsConst(key)) {
    const Value& value = ConstOf(key);
    if (value.is_string()) return FieldQualifier(value.as_string(), optional);
    Qualifier qualifier;
    qualifier.key = value;
    qualifier.optional = optional;
    return qualifier;
  }
  Qualifier qualifier;
  qualifier.node = key;
  qualifier.attribute_key = plan_.nodes[key].op == Op::kAttribute;
  qualifier.optional = optional;
  return qualifier;
}

// Message types other than Timestamp and Duration pass the checker but are no values (1.2), unless
// the environment declares them by name.
NodeId Planner::PlanTypeValue(ExprId id, const Type* type) {
  const bool known = type->kind == TypeKind::kStruct
                         ? env_.FindTypeName(type->name) != nullptr
                         : type->kind != TypeKind::kAny && type->kind != TypeKind::kWrapper;
  if (known) return EmitConst(id, Value::Type(type));
  std::string name(type->name);
  if (name.empty()) {
    for (ExprId at = id; at != kNoExpr; at = ast_.node(at).target) {
      name = std::string(ast_.node(at).name) + (name.empty() ? "" : "." + name);
    }
  }
  return Fail("reference to undefined type: " + name);
}

NodeId Planner::PlanSelect(ExprId id) {
  const Expr& expr = ast_.node(id);
  const NodeId operand = PlanExpr(expr.target);
  return Extend(id, operand, FieldQualifier(expr.name, false),
                expr.test_only ? Op::kPresence : Op::kAttribute);
}

NodeId Planner::PlanIndex(ExprId id, bool optional) {
  const auto args = ast_.children(ast_.node(id));
  const NodeId operand = PlanExpr(args[0].expr);
  const NodeId key = PlanExpr(args[1].expr);
  if (IsConst(key)) {
    switch (ConstOf(key).tag()) {
      case Tag::kString:
      case Tag::kInt:
      case Tag::kUint:
      case Tag::kBool:
      case Tag::kDouble:
        break;
      default:
        return Fail("invalid qualifier type: " + std::string(GoTypeName(ConstOf(key))));
    }
  }
  return Extend(id, operand, IndexQualifier(key, optional), Op::kAttribute);
}

NodeId Planner::PlanLogic(ExprId id, Op op) {
  // The parser's balanced tree is one n-ary node here: the leaves in order.
  std::vector<NodeId> terms;
  const std::string_view name = op == Op::kAnd ? "_&&_" : "_||_";
  const auto flatten = [&](auto&& self, ExprId at) -> void {
    const Expr& expr = ast_.node(at);
    if (expr.kind == ExprKind::kCall && expr.name == name && expr.target == kNoExpr &&
        expr.count == 2) {
      // children() may move while planning: copy the two ids.
      const ExprId left = ast_.children(expr)[0].expr;
      const ExprId right = ast_.children(expr)[1].expr;
      self(self, left);
      self(self, right);
    } else {
      terms.push_back(PlanExpr(at));
    }
  };
  flatten(flatten, id);
  Node node;
  node.op = op;
  node.expr = id;
  return Emit(node, terms);
}

NodeId Planner::PlanConditional(ExprId id) {
  const auto args = ast_.children(ast_.node(id));
  Attribute attribute;
  attribute.base = Attribute::Base::kConditional;
  attribute.node = PlanExpr(args[0].expr);
  attribute.if_true = PlanExpr(args[1].expr);
  attribute.if_false = PlanExpr(args[2].expr);
  return EmitAttribute(id, attribute, {}, Op::kAttribute);
}

NodeId Planner::PlanList(ExprId id) {
  const Expr& expr = ast_.node(id);
  std::vector<NodeId> items;
  Node node;
  node.op = Op::kList;
  node.expr = id;
  bool constant = true;
  std::vector<bool> optional;
  for (const Child& child : ast_.children(expr)) {
    items.push_back(PlanExpr(child.expr));
    optional.push_back(child.optional);
    constant = constant && !child.optional && IsConst(items.back());
  }
  if (constant && env_.options.constant_folding) {
    std::vector<Value> values;
    values.reserve(items.size());
    for (const NodeId item : items) values.push_back(ConstOf(item));
    return EmitConst(id, doc::MakeList(plan_.arena, values));
  }
  node.a = static_cast<std::uint32_t>(plan_.optionals.size());
  plan_.optionals.insert(plan_.optionals.end(), optional.begin(), optional.end());
  return Emit(node, items);
}

NodeId Planner::PlanMap(ExprId id) {
  const Expr& expr = ast_.node(id);
  std::vector<NodeId> items;
  std::vector<bool> optional;
  bool constant = true;
  for (const Child& child : ast_.children(expr)) {
    items.push_back(PlanExpr(child.expr));
    optional.push_back(child.optional);
    constant = constant && !child.optional && IsConst(items.back());
  }
  Node node;
  node.op = Op::kMap;
  node.expr = id;
  node.a = static_cast<std::uint32_t>(plan_.optionals.size());
  plan_.optionals.insert(plan_.optionals.end(), optional.begin(), optional.end());
  const NodeId map = Emit(node, items);
  if (!constant || !env_.options.constant_folding) return map;
  return FoldNow(map, id);
}

NodeId Planner::PlanStruct(ExprId id) {
  const Expr& expr = ast_.node(id);
  StructTarget target;
  const Reference& reference = plan_.checked.references[id];
  target.type_name = reference.kind == Reference::Kind::kStruct && !reference.name.empty()
                         ? reference.name
                         : expr.name;
  target.type = plan_.checked.pool.Struct(target.type_name);
  std::vector<NodeId> values;
  for (const Child& child : ast_.children(expr)) {
    values.push_back(PlanExpr(child.expr));
    target.fields.push_back(child.field);
    target.optional.push_back(child.optional);
  }
  Node node;
  node.op = Op::kStruct;
  node.expr = id;
  node.a = static_cast<std::uint32_t>(plan_.structs.size());
  plan_.structs.push_back(std::move(target));
  return Emit(node, values);
}

NodeId Planner::PlanBlock(ExprId id) {
  const auto args = ast_.children(ast_.node(id));
  const Expr slots = ast_.node(args[0].expr);
  const std::size_t depth = scope_.size();
  // All slots are visible to each other: a slot may read the ones before it.
  std::vector<NodeId> children;
  const std::uint32_t first_local = plan_.local_count;
  for (std::uint32_t i = 0; i < slots.count; ++i) {
    block_names_.push_back(std::make_unique<std::string>("@index" + std::to_string(i)));
    PushLocal(*block_names_.back());
  }
  for (std::uint32_t i = 0; i < slots.count; ++i) {
    children.push_back(PlanExpr(ast_.children(slots)[i].expr));
  }
  children.push_back(PlanExpr(args[1].expr));
  scope_.resize(depth);
  Node node;
  node.op = Op::kBlock;
  node.expr = id;
  node.a = first_local;
  return Emit(node, children);
}

NodeId Planner::PlanExpr(ExprId id) {
  if (failed_) return 0;
  const Expr& expr = ast_.node(id);
  const Reference& reference = plan_.checked.references[id];
  switch (expr.kind) {
    case ExprKind::kConst:
      return EmitConst(id, expr.value);
    case ExprKind::kIdent:
      if (reference.kind == Reference::Kind::kTypeValue) return PlanTypeValue(id, reference.type);
      if (reference.kind == Reference::Kind::kConstant) return EmitConst(id, reference.constant);
      if (reference.kind == Reference::Kind::kVariable && !reference.name.empty()) {
        // A resolved variable is not hidden by a comprehension variable (`.y`); block slots are
        // declared as variables but live in local slots.
        return PlanVariable(id, reference.name, reference.name.starts_with("@index"));
      }
      return PlanVariable(id, expr.name, true);
    case ExprKind::kSelect:
      if (reference.kind == Reference::Kind::kVariable && !expr.test_only) {
        return PlanVariable(id, reference.name, false);
      }
      if (reference.kind == Reference::Kind::kTypeValue) return PlanTypeValue(id, reference.type);
      if (reference.kind == Reference::Kind::kConstant) return EmitConst(id, reference.constant);
      return PlanSelect(id);
    case ExprKind::kCall:
      return PlanCall(id);
    case ExprKind::kList:
      return PlanList(id);
    case ExprKind::kMap:
      return PlanMap(id);
    case ExprKind::kStruct:
      return PlanStruct(id);
    case ExprKind::kComprehension:
      return PlanFold(id);
    case ExprKind::kNone:
      break;
  }
  return Fail("internal error: unexpected expression");
}

NodeId Planner::Fail(std::string message) {
  if (!failed_) failure_ = std::move(message);
  failed_ = true;
  return EmitConst(kNoExpr, Value::Null());
}

bool Planner::Run(std::string& failure) {
  plan_.nodes.emplace_back();
  plan_.root = PlanExpr(ast_.root);
  failure = failure_;
  return !failed_;
}

bool BuildPlan(Plan& plan, std::string& failure) {
  Planner planner(plan);
  return planner.Run(failure);
}

}  // namespace portcullis::cel
