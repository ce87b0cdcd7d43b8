// Calls: operators become nodes of their own, other functions are bound or dispatched; constants
// are folded as the API server's optimiser does (spec/cel.md 9.6).

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.h"
#include "cel/eval/evaluator.h"
#include "cel/eval/host_type.h"
#include "cel/eval/struct_value.h"
#include "cel/eval/value_ops.h"
#include "cel/plan/planner_internal.h"
#include "regex/regex.h"

namespace portcullis::cel {
namespace {

using doc::Tag;
using doc::Value;

struct OperatorRow {
  std::string_view name;
  Op op;
  std::uint8_t sub;
  std::uint8_t arity;
};

constexpr OperatorRow kOperators[] = {
    {"_==_", Op::kEqual, 0, 2},
    {"_!=_", Op::kNotEqual, 0, 2},
    {"_<_", Op::kCompare, static_cast<std::uint8_t>(Relation::kLess), 2},
    {"_<=_", Op::kCompare, static_cast<std::uint8_t>(Relation::kLessEqual), 2},
    {"_>_", Op::kCompare, static_cast<std::uint8_t>(Relation::kGreater), 2},
    {"_>=_", Op::kCompare, static_cast<std::uint8_t>(Relation::kGreaterEqual), 2},
    {"_+_", Op::kArithmetic, '+', 2},
    {"_-_", Op::kArithmetic, '-', 2},
    {"_*_", Op::kArithmetic, '*', 2},
    {"_/_", Op::kArithmetic, '/', 2},
    {"_%_", Op::kArithmetic, '%', 2},
    {"-_", Op::kNegate, 0, 1},
    {"!_", Op::kNot, 0, 1},
    {"@not_strictly_false", Op::kNotStrictlyFalse, 0, 1},
};

constexpr std::array<std::string_view, 10> kConversions = {
    "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"};

// Adds an item of a constant list to a set: numbers under every kind that equals them.
void AddMember(std::vector<doc::MapEntry>& entries, const Value& item) {
  const auto add = [&entries](const Value& key) {
    const bool seen = std::any_of(entries.begin(), entries.end(), [&](const doc::MapEntry& e) {
      return e.key.tag() == key.tag() && (key.is_string() ? e.key.as_string() == key.as_string()
                                                          : e.key.as_uint() == key.as_uint());
    });
    if (!seen) entries.push_back({key, Value::Bool(true)});
  };
  add(item);
  constexpr double kTwo63 = 9223372036854775808.0;
  switch (item.tag()) {
    case Tag::kInt:
      add(Value::Double(static_cast<double>(item.as_int())));
      if (item.as_int() >= 0) add(Value::Uint(item.as_uint()));
      break;
    case Tag::kUint:
      add(Value::Double(static_cast<double>(item.as_uint())));
      if (item.as_int() >= 0) add(Value::Int(item.as_int()));
      break;
    case Tag::kDouble: {
      const double d = item.as_double();
      if (d >= -kTwo63 && d < kTwo63 && d == std::floor(d))
        add(Value::Int(static_cast<std::int64_t>(d)));
      if (d >= 0 && d < 2 * kTwo63 && d == std::floor(d))
        add(Value::Uint(static_cast<std::uint64_t>(d)));
      break;
    }
    default:
      break;
  }
}

// Parsers of library objects: pure, and their results are small.
bool IsFixable(std::string_view name) {
  constexpr std::string_view kNames[] = {"quantity", "isQuantity", "semver",      "isSemver",
                                         "ip",       "isIP",       "cidr",        "isCIDR",
                                         "url",      "isURL",      "format.named"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool IsConversion(std::string_view name) {
  return std::find(kConversions.begin(), kConversions.end(), name) != kConversions.end();
}

Guard MakeGuard(const Type& type) {
  Guard guard;
  guard.type = &type;
  const auto simple = [&guard](Tag tag) { guard.tag = static_cast<std::uint8_t>(tag); };
  switch (type.kind) {
    case TypeKind::kNull:
      simple(Tag::kNull);
      break;
    case TypeKind::kBool:
      simple(Tag::kBool);
      break;
    case TypeKind::kInt:
      simple(Tag::kInt);
      break;
    case TypeKind::kUint:
      simple(Tag::kUint);
      break;
    case TypeKind::kDouble:
      simple(Tag::kDouble);
      break;
    case TypeKind::kString:
      simple(Tag::kString);
      break;
    case TypeKind::kBytes:
      simple(Tag::kBytes);
      break;
    case TypeKind::kDuration:
      simple(Tag::kDuration);
      break;
    case TypeKind::kTimestamp:
      simple(Tag::kTimestamp);
      break;
    case TypeKind::kType:
      simple(Tag::kType);
      break;
    case TypeKind::kOptional:
      simple(Tag::kOptional);
      break;
    case TypeKind::kList:
      simple(Tag::kList);
      guard.deep = true;
      break;
    case TypeKind::kMap:
      simple(Tag::kMap);
      guard.deep = true;
      break;
    case TypeKind::kOpaque:
    case TypeKind::kStruct:
      simple(Tag::kHost);
      guard.deep = true;
      break;
    case TypeKind::kWrapper:
      guard.deep = true;
      break;
    case TypeKind::kDyn:
    case TypeKind::kAny:
    case TypeKind::kError:
    case TypeKind::kUnspecified:
    case TypeKind::kParam:
      break;
  }
  return guard;
}

}  // namespace

bool FitsType(const Value& value, const Type& type) {
  switch (type.kind) {
    case TypeKind::kDyn:
    case TypeKind::kAny:
    case TypeKind::kError:
    case TypeKind::kParam:
      return true;
    case TypeKind::kList:
      if (!value.is_list()) return false;
      return value.size() == 0 || type.params.empty() ||
             FitsType(value.as_list()[0], *type.params[0]);
    case TypeKind::kMap:
      if (!value.is_map()) return false;
      return value.size() == 0 || type.params.size() < 2 ||
             (FitsType(value.as_map()[0].key, *type.params[0]) &&
              FitsType(value.as_map()[0].value, *type.params[1]));
    case TypeKind::kWrapper:
      return value.is_null() || type.params.empty() || FitsType(value, *type.params[0]);
    case TypeKind::kOpaque:
    case TypeKind::kStruct: {
      if (value.tag() != Tag::kHost) return false;
      if (IsStruct(value)) return AsStruct(value).type_name == type.name;
      const std::string_view actual = TypeOfValue(value)->name;
      return actual.size() == type.name.size() &&
             base::SameBytes(actual.data(), type.name.data(), actual.size());
    }
    default: {
      const Guard guard = MakeGuard(type);
      return guard.tag == static_cast<std::uint8_t>(value.tag());
    }
  }
}

// Cost of a call whose overload may be known: trackers, then Kubernetes' costs by name, then the
// bound overload's.
CostFunction Planner::CostOf(const Reference& reference) const {
  const OverloadDecl* bound = reference.overloads.size() == 1 ? reference.overloads[0] : nullptr;
  if (bound != nullptr && (bound->spec->flags & kTracked) != 0) return bound->spec->cost;
  if (reference.function != nullptr && reference.function->cost != nullptr) {
    return reference.function->cost;
  }
  return bound != nullptr ? bound->spec->cost : nullptr;
}

NodeId Planner::PlanOperator(ExprId id, Op op, std::uint8_t sub) {
  std::vector<NodeId> children;
  for (std::uint32_t i = 0; i < ast_.node(id).count; ++i) {
    children.push_back(PlanExpr(ast_.children(ast_.node(id))[i].expr));
  }
  Node node;
  node.op = op;
  node.sub = sub;
  node.expr = id;
  if (op != Op::kEqual && op != Op::kNotEqual) node.cost = CostOf(plan_.checked.references[id]);
  return Emit(node, children);
}

NodeId Planner::PlanIn(ExprId id) {
  const auto args = ast_.children(ast_.node(id));
  const NodeId element = PlanExpr(args[0].expr);
  const NodeId container = PlanExpr(args[1].expr);
  const Reference& reference = plan_.checked.references[id];
  const bool in_list =
      reference.overloads.size() == 1 && reference.overloads[0]->spec->id == "in_list";
  if (env_.options.constant_folding && in_list && IsConst(container)) {
    const Value list = ConstOf(container);
    if (list.size() == 0) return EmitConst(id, Value::Bool(false));
    std::vector<doc::MapEntry> entries;
    bool hashable = true;
    for (const Value& item : list.as_list()) {
      const bool scalar = item.is_number() || item.is_bool() || item.is_string();
      hashable = hashable && scalar;
      if (!hashable) break;
      AddMember(entries, item);
    }
    if (hashable) {
      Node node;
      node.op = Op::kInSet;
      node.expr = id;
      node.a = static_cast<std::uint32_t>(plan_.constants.size());
      plan_.constants.push_back(doc::MakeMap(plan_.arena, entries));
      const NodeId children[] = {element};
      return Emit(node, children);
    }
  }
  Node node;
  node.op = Op::kIn;
  node.expr = id;
  node.cost = CostOf(reference);
  const NodeId children[] = {element, container};
  return Emit(node, children);
}

NodeId Planner::FoldNow(NodeId node, ExprId expr) {
  if (failed_) return node;
  const Value value = EvaluateConstant(plan_, node, plan_.arena);
  if (value.is_error()) return Fail(std::string(value.error()->message));
  return EmitConst(expr, value);
}

NodeId Planner::PlanFunction(ExprId id) {
  const Expr expr = ast_.node(id);
  const Reference& reference = plan_.checked.references[id];
  std::vector<NodeId> children;
  const bool member = expr.target != kNoExpr && !reference.namespaced;
  if (member) children.push_back(PlanExpr(expr.target));
  for (std::uint32_t i = 0; i < expr.count; ++i) {
    children.push_back(PlanExpr(ast_.children(expr)[i].expr));
  }
  if (failed_) return 0;
  const std::string_view name =
      reference.function != nullptr ? reference.function->name : expr.name;

  Node node;
  node.expr = id;
  node.cost = CostOf(reference);
  if (member && children.size() == 2 && (name == "or" || name == "orValue")) {
    node.op = name == "or" ? Op::kOptionalOr : Op::kOptionalOrValue;
    return Emit(node, children);
  }
  const bool folds = env_.options.constant_folding;
  const std::size_t pattern_at = 1;
  if ((name == "matches" || name == "find" || name == "findAll") && children.size() >= 2 &&
      IsConst(children[pattern_at]) && ConstOf(children[pattern_at]).is_string() && folds) {
    auto compiled = regex::Regex::Compile(ConstOf(children[pattern_at]).as_string());
    if (!compiled.ok()) return Fail(compiled.error().message);
    if (name == "matches" && children.size() == 2) {
      node.op = Op::kMatches;
      node.a = static_cast<std::uint32_t>(plan_.regexes.size());
      plan_.regexes.push_back(std::move(compiled).value());
      return Emit(node, children);
    }
  }

  CallTarget target;
  target.function = reference.function;
  target.name = name;
  target.overloads = reference.overloads;
  if (target.overloads.size() == 1) {
    const OverloadDecl& overload = *target.overloads[0];
    node.op = Op::kCall;
    if ((overload.spec->flags & kUnguarded) == 0) {
      for (const Type* param : overload.params) target.guards.push_back(MakeGuard(*param));
      const bool any = std::all_of(target.guards.begin(), target.guards.end(),
                                   [](const Guard& g) { return g.tag == Guard::kAny && !g.deep; });
      if (any) target.guards.clear();
    }
  } else {
    node.op = Op::kDynamicCall;
  }
  node.a = static_cast<std::uint32_t>(plan_.calls.size());
  plan_.calls.push_back(std::move(target));
  const NodeId call = Emit(node, children);
  if (folds && children.size() == 1 && IsConst(children[0]) && IsConversion(name) && !member) {
    return FoldNow(call, id);
  }
  if (folds && node.op == Op::kCall && IsFixable(name)) {
    const bool constant = std::all_of(children.begin(), children.end(),
                                      [this](NodeId child) { return IsConst(child); });
    if (constant) return FixCall(call);
  }
  return call;
}

// A pure call on constants is made once; its cost is still charged each time.
NodeId Planner::FixCall(NodeId call) {
  const Value value = EvaluateConstant(plan_, call, plan_.arena);
  if (value.is_error()) return call;  // stays an error of evaluation
  const Node source = plan_.nodes[call];
  std::vector<Value> args;
  for (std::size_t i = 0; i < source.count; ++i) {
    args.push_back(ConstOf(plan_.children[source.first + i]));
  }
  Node node;
  node.op = Op::kFixed;
  node.expr = source.expr;
  node.a = static_cast<std::uint32_t>(plan_.constants.size());
  node.b = static_cast<std::uint32_t>(source.cost != nullptr ? source.cost(args, value) : 1);
  plan_.constants.push_back(value);
  return Emit(node, {});
}

NodeId Planner::PlanCall(ExprId id) {
  const Expr& expr = ast_.node(id);
  if (expr.target == kNoExpr) {
    if (expr.count == 2) {
      if (expr.name == "_&&_") return PlanLogic(id, Op::kAnd);
      if (expr.name == "_||_") return PlanLogic(id, Op::kOr);
      if (expr.name == "_[_]") return PlanIndex(id, false);
      if (expr.name == "_[?_]") return PlanIndex(id, true);
      if (expr.name == "@in") return PlanIn(id);
      if (expr.name == "cel.@block") return PlanBlock(id);
      if (expr.name == "_?._") {
        const ExprId operand_expr = ast_.children(expr)[0].expr;
        const ExprId field_expr = ast_.children(expr)[1].expr;
        const NodeId operand = PlanExpr(operand_expr);
        return Extend(id, operand, FieldQualifier(ast_.node(field_expr).value.as_string(), true),
                      Op::kAttribute);
      }
    }
    if (expr.count == 3 && expr.name == "_?_:_") return PlanConditional(id);
    for (const OperatorRow& row : kOperators) {
      if (row.name == expr.name && row.arity == expr.count) {
        return PlanOperator(id, row.op, row.sub);
      }
    }
  }
  return PlanFunction(id);
}

}  // namespace portcullis::cel
