// Comprehensions. Every macro expands to one general loop; the shapes that the macros give are
// recognised here and run as direct loops with the same results and the same cost.

#include "cel/plan/planner_internal.h"

namespace portcullis::cel {
namespace {

// Shape tests on the syntax tree.
class Shape {
 public:
  explicit Shape(const Ast& ast) : ast_(ast) {}

  bool IsIdent(ExprId id, std::string_view name) const {
    const Expr& expr = ast_.node(id);
    return expr.kind == ExprKind::kIdent && expr.name == name;
  }
  bool IsCall(ExprId id, std::string_view name, std::uint32_t args) const {
    const Expr& expr = ast_.node(id);
    return expr.kind == ExprKind::kCall && expr.name == name && expr.count == args &&
           expr.target == kNoExpr;
  }
  ExprId Arg(ExprId id, std::uint32_t i) const { return ast_.children(ast_.node(id))[i].expr; }
  bool IsBool(ExprId id, bool value) const {
    const Expr& expr = ast_.node(id);
    return expr.kind == ExprKind::kConst && expr.value.is_bool() && expr.value.as_bool() == value;
  }
  bool IsInt(ExprId id, std::int64_t value) const {
    const Expr& expr = ast_.node(id);
    return expr.kind == ExprKind::kConst && expr.value.is_int() && expr.value.as_int() == value;
  }
  bool IsEmpty(ExprId id, ExprKind kind) const {
    const Expr& expr = ast_.node(id);
    return expr.kind == kind && expr.count == 0;
  }
  // `accu + [t]`: t.
  ExprId Appended(ExprId id, std::string_view accu) const {
    if (!IsCall(id, "_+_", 2) || !IsIdent(Arg(id, 0), accu)) return kNoExpr;
    const Expr& list = ast_.node(Arg(id, 1));
    if (list.kind != ExprKind::kList || list.count != 1 || ast_.children(list)[0].optional) {
      return kNoExpr;
    }
    return ast_.children(list)[0].expr;
  }

 private:
  const Ast& ast_;
};

}  // namespace

void Planner::RecognizeFold(const Comprehension& loop, Fold& fold) {
  const Shape shape(ast_);
  const std::string_view accu = loop.accu_var;
  if (shape.IsCall(loop.condition, "@not_strictly_false", 1) && shape.IsIdent(loop.result, accu)) {
    const ExprId tested = shape.Arg(loop.condition, 0);
    if (shape.IsIdent(tested, accu) && shape.IsBool(loop.init, true) &&
        shape.IsCall(loop.step, "_&&_", 2) && shape.IsIdent(shape.Arg(loop.step, 0), accu)) {
      fold.kind = Fold::Kind::kAll;
      fold.predicate = PlanExpr(shape.Arg(loop.step, 1));
    } else if (shape.IsCall(tested, "!_", 1) && shape.IsIdent(shape.Arg(tested, 0), accu) &&
               shape.IsBool(loop.init, false) && shape.IsCall(loop.step, "_||_", 2) &&
               shape.IsIdent(shape.Arg(loop.step, 0), accu)) {
      fold.kind = Fold::Kind::kExists;
      fold.predicate = PlanExpr(shape.Arg(loop.step, 1));
    }
    return;
  }
  if (!shape.IsBool(loop.condition, true)) return;
  ExprId step = loop.step;
  ExprId predicate = kNoExpr;
  if (shape.IsCall(step, "_?_:_", 3) && shape.IsIdent(shape.Arg(step, 2), accu)) {
    predicate = shape.Arg(step, 0);
    step = shape.Arg(step, 1);
  }
  if (predicate != kNoExpr && shape.IsInt(loop.init, 0) && shape.IsCall(step, "_+_", 2) &&
      shape.IsIdent(shape.Arg(step, 0), accu) && shape.IsInt(shape.Arg(step, 1), 1) &&
      shape.IsCall(loop.result, "_==_", 2) && shape.IsIdent(shape.Arg(loop.result, 0), accu) &&
      shape.IsInt(shape.Arg(loop.result, 1), 1)) {
    fold.kind = Fold::Kind::kExistsOne;
    fold.predicate = PlanExpr(predicate);
    return;
  }
  if (!shape.IsIdent(loop.result, accu)) return;
  if (shape.IsEmpty(loop.init, ExprKind::kList)) {
    const ExprId item = shape.Appended(step, accu);
    if (item == kNoExpr) return;
    fold.kind = Fold::Kind::kAppend;
    if (predicate != kNoExpr) fold.predicate = PlanExpr(predicate);
    fold.item = PlanExpr(item);
    fold.constant_item = env_.options.constant_folding && IsConst(fold.item);
  } else if (shape.IsEmpty(loop.init, ExprKind::kMap)) {
    const bool pair = shape.IsCall(step, "cel.@mapInsert", 3);
    if (!pair && !shape.IsCall(step, "cel.@mapInsert", 2)) return;
    if (!shape.IsIdent(shape.Arg(step, 0), accu)) return;
    fold.kind = pair ? Fold::Kind::kInsertKeyValue : Fold::Kind::kInsertEntry;
    if (predicate != kNoExpr) fold.predicate = PlanExpr(predicate);
    fold.item = PlanExpr(shape.Arg(step, 1));
    if (pair) fold.value = PlanExpr(shape.Arg(step, 2));
  }
}

NodeId Planner::PlanFold(ExprId id) {
  const Comprehension loop = ast_.comprehension(ast_.node(id));
  Fold fold;
  fold.range = PlanExpr(loop.range);
  fold.init = PlanExpr(loop.init);
  fold.init_costs = !IsConst(fold.init);
  fold.two_variables = !loop.iter_var2.empty();
  const std::size_t depth = scope_.size();
  // The accumulator is declared first: an iteration variable of the same name shadows it.
  fold.accu = PushLocal(loop.accu_var);
  const std::size_t with_accu = scope_.size();
  fold.iter = PushLocal(loop.iter_var);
  if (fold.two_variables) fold.iter2 = PushLocal(loop.iter_var2);
  RecognizeFold(loop, fold);
  if (fold.kind == Fold::Kind::kGeneric) {
    fold.condition = PlanExpr(loop.condition);
    fold.step = PlanExpr(loop.step);
    // The result sees the accumulator only; inner folds may reuse the iteration slots meanwhile.
    scope_.resize(with_accu);
    fold.result = PlanExpr(loop.result);
  }
  scope_.resize(depth);
  Node node;
  node.op = Op::kFold;
  node.expr = id;
  node.a = static_cast<std::uint32_t>(plan_.folds.size());
  plan_.folds.push_back(fold);
  return Emit(node, {});
}

}  // namespace portcullis::cel
