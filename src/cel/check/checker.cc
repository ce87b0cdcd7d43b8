#include "cel/check/checker.h"

#include <utility>

#include "cel/check/checker_impl.h"
#include "cel/check/validators.h"

namespace portcullis::cel {

void Checker::Run() {
  checked_.types.assign(ast_.size(), &types::kDyn);
  checked_.references.assign(ast_.size(), {});
  CheckNode(ast_.root);
  for (const Type*& recorded : checked_.types) recorded = inference_.Substitute(recorded, true);
  checked_.result_type = type(ast_.root);
}

void Checker::CheckNode(ExprId id) {
  switch (ast_.node(id).kind) {
    case ExprKind::kNone:
      break;
    case ExprKind::kConst:
      CheckConst(id);
      break;
    case ExprKind::kIdent:
      CheckIdent(id);
      break;
    case ExprKind::kSelect:
      CheckSelect(id);
      break;
    case ExprKind::kCall:
      CheckCall(id);
      break;
    case ExprKind::kList:
      CheckList(id);
      break;
    case ExprKind::kMap:
      CheckMap(id);
      break;
    case ExprKind::kStruct:
      CheckStruct(id);
      break;
    case ExprKind::kComprehension:
      CheckComprehension(id);
      break;
  }
}

void Checker::CheckConst(ExprId id) {
  const Type* found = &types::kDyn;
  switch (ast_.node(id).value.tag()) {
    case doc::Tag::kNull:
      found = &types::kNull;
      break;
    case doc::Tag::kBool:
      found = &types::kBool;
      break;
    case doc::Tag::kInt:
      found = &types::kInt;
      break;
    case doc::Tag::kUint:
      found = &types::kUint;
      break;
    case doc::Tag::kDouble:
      found = &types::kDouble;
      break;
    case doc::Tag::kString:
      found = &types::kString;
      break;
    case doc::Tag::kBytes:
      found = &types::kBytes;
      break;
    default:
      break;
  }
  set_type(id, found);
}

const Type* Checker::OptionalElement(ExprId element, const Type* found) {
  const auto [inner, is_optional] = UnwrapOptional(found);
  if (!is_optional && !IsDyn(*inner)) {
    Mismatch(element, *checked_.pool.Optional(inner), *inner);
  }
  return inner;
}

void Checker::CheckList(ExprId id) {
  const Type* element_type = nullptr;
  for (const Child& child : ast_.children(ast_.node(id))) {
    CheckNode(child.expr);
    const Type* found = type(child.expr);
    if (child.optional) found = OptionalElement(child.expr, found);
    element_type = inference_.Join(element_type, found);
  }
  if (element_type == nullptr) element_type = inference_.NewVariable();
  set_type(id, checked_.pool.List(element_type));
}

void Checker::CheckMap(ExprId id) {
  const Type* key_type = nullptr;
  const Type* value_type = nullptr;
  const auto children = ast_.children(ast_.node(id));
  for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
    const Child& key = children[i];
    const Child& value = children[i + 1];
    CheckNode(key.expr);
    key_type = inference_.Join(key_type, type(key.expr));
    CheckNode(value.expr);
    const Type* found = type(value.expr);
    if (key.optional || value.optional) found = OptionalElement(value.expr, found);
    value_type = inference_.Join(value_type, found);
  }
  if (key_type == nullptr) {
    key_type = inference_.NewVariable();
    value_type = inference_.NewVariable();
  }
  set_type(id, checked_.pool.Map(key_type, value_type));
}

void Checker::CheckComprehension(ExprId id) {
  const Comprehension loop = ast_.comprehension(ast_.node(id));
  CheckNode(loop.range);
  CheckNode(loop.init);
  const Type* range = inference_.Substitute(type(loop.range), false);
  const Type* accumulator = type(loop.init);
  names_.EnterScope();
  names_.Declare(loop.accu_var, accumulator);
  const bool two_variables = !loop.iter_var2.empty();
  const Type* first = &types::kError;
  const Type* second = &types::kError;
  switch (range->kind) {
    case TypeKind::kList:
      first = two_variables ? &types::kInt : range->params[0];
      second = range->params[0];
      break;
    case TypeKind::kMap:
      first = range->params[0];
      second = range->params[1];
      break;
    case TypeKind::kDyn:
    case TypeKind::kError:
    case TypeKind::kParam:
      // Binds an unknown range type to dyn, so that nothing narrows it later.
      inference_.Assignable(&types::kDyn, range);
      first = &types::kDyn;
      second = &types::kDyn;
      break;
    default:
      issues_.Add(ast_.node(loop.range).position,
                  "expression of type '" + CheckerName(*range) +
                      "' cannot be range of a comprehension (must be list, map, or dynamic)");
      break;
  }
  names_.EnterScope();
  names_.Declare(loop.iter_var, first);
  if (two_variables) names_.Declare(loop.iter_var2, second);
  CheckNode(loop.condition);
  Expect(loop.condition, &types::kBool);
  CheckNode(loop.step);
  Expect(loop.step, accumulator);
  names_.LeaveScope();
  CheckNode(loop.result);
  names_.LeaveScope();
  set_type(id, inference_.Substitute(type(loop.result), false));
}

void Checker::Expect(ExprId id, const Type* expected) {
  if (!inference_.Assignable(expected, type(id))) Mismatch(id, *expected, *type(id));
}

void Checker::Mismatch(ExprId id, const Type& expected, const Type& found) {
  issues_.Add(ast_.node(id).position, "expected type '" + CheckerName(expected) + "' but found '" +
                                          CheckerName(found) + "'");
}

bool Check(const Env& env, Ast ast, CheckedAst& checked, Issues& issues) {
  checked.ast = std::move(ast);
  const std::size_t before = issues.list().size();
  Checker(env, checked, issues).Run();
  if (issues.list().size() != before) return false;
  Validate(env, checked, issues);
  return issues.list().size() == before;
}

}  // namespace portcullis::cel
