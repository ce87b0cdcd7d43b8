// Identifiers, field selections and struct literals (spec/cel.md 7.2, 7.3, 7.6).

#include "cel/check/checker_impl.h"
#include "cel/check/well_known.h"

namespace portcullis::cel {

void Checker::SetName(ExprId id, const ResolvedName& name) {
  Reference& reference = checked_.references[id];
  reference.kind = name.kind;
  reference.name = name.name;
  reference.type = name.type;
  if (name.kind == Reference::Kind::kTypeValue) reference.type = name.type->params[0];
  reference.constant = name.constant;
}

void Checker::Undeclared(ExprId id, std::string_view name) {
  issues_.Add(ast_.node(id).position, "undeclared reference to '" + std::string(name) +
                                          "' (in container '" + env_.options.container + "')");
}

void Checker::CheckIdent(ExprId id) {
  const std::string_view name = ast_.node(id).name;
  const ResolvedName found = names_.Identifier(name);
  if (found.kind == Reference::Kind::kNone) {
    set_type(id, &types::kError);
    Undeclared(id, name);
    return;
  }
  set_type(id, found.type);
  SetName(id, found);
}

void Checker::CheckSelect(ExprId id) {
  const Expr& node = ast_.node(id);
  if (!node.test_only) {
    const ResolvedName found = names_.Chain(id);
    if (found.kind != Reference::Kind::kNone) {
      set_type(id, found.type);
      SetName(id, found);
      return;
    }
  }
  const Type* result = FieldSelection(id, node.target, node.name, false);
  if (node.test_only) result = &types::kBool;
  set_type(id, inference_.Substitute(result, false));
}

void Checker::CheckOptionalSelect(ExprId id) {
  const Expr& node = ast_.node(id);
  const auto args = ast_.children(node);
  if (args.size() != 2 || node.target != kNoExpr) {
    const std::string call = node.target != kNoExpr ? " member call with" : "";
    issues_.Add(node.position, "unsupported optional field selection: incorrect signature." + call +
                                   " argument count: " + std::to_string(args.size()));
    return;
  }
  const Expr& field = ast_.node(args[1].expr);
  if (field.kind != ExprKind::kConst || !field.value.is_string()) {
    issues_.Add(field.position, "unsupported optional field selection");
    return;
  }
  const Type* result = FieldSelection(id, args[0].expr, field.value.as_string(), true);
  set_type(args[1].expr, &types::kString);
  set_type(id, inference_.Substitute(result, false));
  Reference& reference = checked_.references[id];
  reference.kind = Reference::Kind::kCall;
  reference.name = node.name;
  reference.function = env_.FindFunction(node.name);
}

const Type* Checker::FieldSelection(ExprId id, ExprId operand, std::string_view field,
                                    bool optional) {
  CheckNode(operand);
  const auto [target, is_optional] = UnwrapOptional(inference_.Substitute(type(operand), false));
  const Type* result = &types::kError;
  switch (target->kind) {
    case TypeKind::kMap:
      result = target->params[1];
      break;
    case TypeKind::kStruct:
      if (const Type* found = LookupField(ast_.node(id).position, target->name, field);
          found != nullptr) {
        result = found;
      }
      break;
    case TypeKind::kParam:
      inference_.Assignable(&types::kDyn, target);
      result = &types::kDyn;
      break;
    default:
      if (!IsDyn(*target) && target->kind != TypeKind::kError) {
        issues_.Add(ast_.node(id).position,
                    "type '" + CheckerName(*target) + "' does not support field selection");
      }
      result = &types::kDyn;
      break;
  }
  return is_optional || optional ? checked_.pool.Optional(result) : result;
}

const Type* Checker::LookupField(std::uint32_t position, std::string_view type_name,
                                 std::string_view field) {
  if (!env_.HasStruct(type_name)) {
    issues_.Add(position, "unexpected failed resolution of '" + std::string(type_name) + "'");
    return nullptr;
  }
  const Type* found = env_.FindField(type_name, field);
  if (found == nullptr) {
    issues_.Add(position, "undefined field '" + std::string(field) + "'");
  }
  return found;
}

void Checker::CheckStruct(ExprId id) {
  const Expr& node = ast_.node(id);
  const ResolvedName found = names_.TypeIdentifier(node.name);
  if (found.kind == Reference::Kind::kNone) {
    Undeclared(id, node.name);
    set_type(id, &types::kError);
    return;
  }
  std::string_view type_name = found.name;
  Reference& reference = checked_.references[id];
  reference.kind = Reference::Kind::kStruct;
  reference.name = type_name;
  const Type* result = found.type->params[0];
  if (const std::string_view message = WellKnownMessageOf(*result); !message.empty()) {
    type_name = message;
  } else if (result->kind != TypeKind::kStruct) {
    issues_.Add(node.position, "'" + std::string(BareName(*result)) + "' is not a message type");
    result = &types::kError;
  }
  reference.type = result;
  set_type(id, result);
  for (const Child& field : ast_.children(node)) {
    CheckNode(field.expr);
    const Type* declared = LookupField(field.position, type_name, field.field);
    if (declared == nullptr) declared = &types::kError;
    const Type* given = type(field.expr);
    if (field.optional) given = OptionalElement(field.expr, given);
    if (!inference_.Assignable(declared, given)) {
      issues_.Add(field.position, "expected type of field '" + std::string(field.field) + "' is '" +
                                      CheckerName(*declared) + "' but provided type is '" +
                                      CheckerName(*given) + "'");
    }
  }
}

}  // namespace portcullis::cel
