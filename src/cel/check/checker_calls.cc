// Function calls and overload resolution (spec/cel.md 7.2, 7.5).

#include "cel/check/checker_impl.h"

namespace portcullis::cel {

namespace {

constexpr std::string_view kOptionalSelect = "_?._";
constexpr std::string_view kAnd = "_&&_";
constexpr std::string_view kOr = "_||_";

bool IsNumeric(const Type& type) {
  return type.kind == TypeKind::kInt || type.kind == TypeKind::kUint ||
         type.kind == TypeKind::kDouble;
}

bool IsOrdering(std::string_view function) {
  return function == "_<_" || function == "_<=_" || function == "_>_" || function == "_>=_";
}

}  // namespace

void Checker::CheckCall(ExprId id) {
  const Expr& node = ast_.node(id);
  if (node.name == kOptionalSelect) {
    CheckOptionalSelect(id);
    return;
  }
  for (const Child& argument : ast_.children(node)) CheckNode(argument.expr);
  if (node.target == kNoExpr) {
    const FunctionDecl* function = names_.Function(node.name);
    if (function == nullptr) {
      Undeclared(id, node.name);
      set_type(id, &types::kError);
      return;
    }
    ResolveOverload(id, *function, kNoExpr);
    return;
  }
  // `a.b.f()` is the function `a.b.f` if there is one, else the method `f` of `a.b`.
  if (const FunctionDecl* function = names_.NamespacedFunction(node.target, node.name);
      function != nullptr) {
    checked_.references[id].namespaced = true;
    ResolveOverload(id, *function, kNoExpr);
    return;
  }
  CheckNode(node.target);
  const FunctionDecl* function = names_.Function(node.name);
  if (function == nullptr) {
    set_type(id, &types::kError);
    Undeclared(id, node.name);
    return;
  }
  ResolveOverload(id, *function, node.target);
}

bool Checker::Disabled(const OverloadDecl& overload) const {
  // The filter does not reach into comprehensions, whose scopes do not inherit it in cel-go.
  if (env_.options.cross_type_comparisons || names_.depth() != 0) return false;
  return overload.params.size() == 2 && IsOrdering(overload.spec->function) &&
         IsNumeric(*overload.params[0]) && IsNumeric(*overload.params[1]) &&
         overload.params[0]->kind != overload.params[1]->kind;
}

void Checker::ResolveLogic(ExprId id, const FunctionDecl& function,
                           const std::vector<const Type*>& arguments) {
  const auto children = ast_.children(ast_.node(id));
  bool ok = true;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (inference_.Assignable(arguments[i], &types::kBool)) continue;
    Mismatch(children[i].expr, types::kBool, *arguments[i]);
    ok = false;
  }
  set_type(id, ok ? &types::kBool : &types::kError);
  if (!function.overloads.empty()) {
    checked_.references[id].overloads.push_back(&function.overloads.front());
  }
}

void Checker::ResolveOverload(ExprId id, const FunctionDecl& function, ExprId target) {
  std::vector<const Type*> arguments;
  if (target != kNoExpr) arguments.push_back(type(target));
  for (const Child& argument : ast_.children(ast_.node(id))) {
    arguments.push_back(type(argument.expr));
  }
  Reference& reference = checked_.references[id];
  reference.kind = Reference::Kind::kCall;
  reference.name = function.name;
  reference.function = &function;
  const bool member = target != kNoExpr;
  if (!member && (function.name == kAnd || function.name == kOr)) {
    ResolveLogic(id, function, arguments);
    return;
  }
  const Type* result = nullptr;
  for (const OverloadDecl& overload : function.overloads) {
    if (overload.member() != member || Disabled(overload)) continue;
    inference_.Instantiate(overload, instance_);
    if (!inference_.AssignableList(arguments, instance_.params)) continue;
    reference.overloads.push_back(&overload);
    const Type* candidate = inference_.Substitute(instance_.result, false);
    if (result == nullptr) {
      result = candidate;
    } else if (!IsDyn(*result) && !TypesEqual(*candidate, *result)) {
      result = &types::kDyn;
    }
  }
  if (result != nullptr) {
    set_type(id, result);
    return;
  }
  set_type(id, &types::kError);
  std::string text =
      "found no matching overload for '" + std::string(function.name) + "' applied to '";
  std::size_t first = 0;
  if (member) {
    text += CheckerName(*inference_.Substitute(arguments[0], true)) + ".";
    first = 1;
  }
  text += '(';
  for (std::size_t i = first; i < arguments.size(); ++i) {
    if (i != first) text += ", ";
    text += CheckerName(*inference_.Substitute(arguments[i], true));
  }
  text += ")'";
  issues_.Add(ast_.node(id).position, std::move(text));
}

}  // namespace portcullis::cel
