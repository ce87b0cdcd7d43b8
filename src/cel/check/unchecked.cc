// Name resolution without type checking (the `disableCheck` cases of the conformance suite).

#include <utility>

#include "cel/check/checker.h"
#include "cel/check/names.h"

namespace portcullis::cel {

namespace {

class UncheckedResolver {
 public:
  UncheckedResolver(const Env& env, CheckedAst& checked)
      : checked_(checked), ast_(checked.ast), names_(env, checked.ast, checked.pool) {}

  void Visit(ExprId id) {
    if (id == kNoExpr) return;
    const Expr& node = ast_.node(id);
    switch (node.kind) {
      case ExprKind::kIdent:
        VisitIdent(id);
        break;
      case ExprKind::kSelect:
        VisitSelect(id);
        break;
      case ExprKind::kCall:
        VisitCall(id);
        break;
      case ExprKind::kStruct:
        VisitStruct(id);
        [[fallthrough]];
      case ExprKind::kList:
      case ExprKind::kMap:
        for (const Child& child : ast_.children(node)) Visit(child.expr);
        break;
      case ExprKind::kComprehension:
        VisitComprehension(id);
        break;
      case ExprKind::kNone:
      case ExprKind::kConst:
        break;
    }
  }

 private:
  void Set(ExprId id, const ResolvedName& name) {
    Reference& reference = checked_.references[id];
    reference.kind = name.kind;
    reference.name = name.name;
    reference.type = name.kind == Reference::Kind::kTypeValue ? name.type->params[0] : name.type;
    reference.constant = name.constant;
  }

  void VisitIdent(ExprId id) {
    ResolvedName found = names_.Identifier(ast_.node(id).name);
    if (found.kind == Reference::Kind::kNone) {
      found.kind = Reference::Kind::kVariable;
      found.name = ast_.node(id).name;
      found.type = &types::kDyn;
    }
    Set(id, found);
  }

  void VisitSelect(ExprId id) {
    const Expr& node = ast_.node(id);
    const ResolvedName found = node.test_only ? ResolvedName() : names_.Chain(id);
    if (found.kind != Reference::Kind::kNone) {
      Set(id, found);
      return;
    }
    Visit(node.target);
  }

  void VisitCall(ExprId id) {
    const Expr& node = ast_.node(id);
    for (const Child& child : ast_.children(node)) Visit(child.expr);
    Reference& reference = checked_.references[id];
    reference.kind = Reference::Kind::kCall;
    reference.name = node.name;
    const FunctionDecl* function = nullptr;
    if (node.target != kNoExpr) {
      function = names_.NamespacedFunction(node.target, node.name);
      reference.namespaced = function != nullptr;
      if (!reference.namespaced) Visit(node.target);
    }
    if (function == nullptr) function = names_.Function(node.name);
    if (function == nullptr) return;
    reference.function = function;
    reference.name = function->name;
    const bool member = node.target != kNoExpr && !reference.namespaced;
    for (const OverloadDecl& overload : function->overloads) {
      if (overload.member() == member) reference.overloads.push_back(&overload);
    }
  }

  void VisitStruct(ExprId id) {
    const Expr& node = ast_.node(id);
    const ResolvedName found = names_.TypeIdentifier(node.name);
    Reference& reference = checked_.references[id];
    reference.kind = Reference::Kind::kStruct;
    const bool known = found.kind == Reference::Kind::kTypeValue;
    reference.name = known ? found.name : node.name;
    if (known) reference.type = found.type->params[0];
  }

  void VisitComprehension(ExprId id) {
    const Comprehension loop = ast_.comprehension(ast_.node(id));
    Visit(loop.range);
    Visit(loop.init);
    names_.EnterScope();
    names_.Declare(loop.accu_var, &types::kDyn);
    names_.EnterScope();
    names_.Declare(loop.iter_var, &types::kDyn);
    if (!loop.iter_var2.empty()) names_.Declare(loop.iter_var2, &types::kDyn);
    Visit(loop.condition);
    Visit(loop.step);
    names_.LeaveScope();
    Visit(loop.result);
    names_.LeaveScope();
  }

  CheckedAst& checked_;
  Ast& ast_;
  NameResolver names_;
};

}  // namespace

void ResolveUnchecked(const Env& env, Ast ast, CheckedAst& checked) {
  checked.ast = std::move(ast);
  checked.types.assign(checked.ast.size(), &types::kDyn);
  checked.references.assign(checked.ast.size(), {});
  checked.result_type = &types::kDyn;
  UncheckedResolver(env, checked).Visit(checked.ast.root);
}

}  // namespace portcullis::cel
