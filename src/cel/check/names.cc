#include "cel/check/names.h"

#include "cel/check/well_known.h"

namespace portcullis::cel {

void NameResolver::LeaveScope() {
  while (!locals_.empty() && locals_.back().depth == depth_) locals_.pop_back();
  --depth_;
}

const NameResolver::Local* NameResolver::FindLocal(std::string_view name) const {
  for (std::size_t i = locals_.size(); i > 0; --i) {
    if (locals_[i - 1].name == name) return &locals_[i - 1];
  }
  return nullptr;
}

template <typename Visit>
bool NameResolver::VisitCandidates(std::string_view name, Visit visit) {
  if (!name.empty() && name.front() == '.') return visit(name.substr(1));
  std::string_view container = env_.options.container;
  while (!container.empty()) {
    candidate_.assign(container);
    candidate_ += '.';
    candidate_ += name;
    if (visit(std::string_view(candidate_))) return true;
    const std::size_t dot = container.rfind('.');
    container = dot == std::string_view::npos ? std::string_view() : container.substr(0, dot);
  }
  return visit(name);
}

ResolvedName NameResolver::ExactType(std::string_view name) {
  ResolvedName found;
  if (const Type* named = env_.FindTypeName(name); named != nullptr) {
    found.type = pool_.TypeOf(named);
  } else if (const Type* message = WellKnownMessage(name); message != nullptr) {
    found.type = pool_.TypeOf(message);
  } else if (env_.HasStruct(name)) {
    found.type = pool_.TypeOf(pool_.Struct(name));
  } else {
    return found;
  }
  found.kind = Reference::Kind::kTypeValue;
  found.name = ast_.arena().CopyString(name);
  return found;
}

ResolvedName NameResolver::Exact(std::string_view name) {
  ResolvedName found;
  if (const Type* variable = env_.FindVariable(name); variable != nullptr) {
    found.kind = Reference::Kind::kVariable;
    found.type = variable;
    found.name = ast_.arena().CopyString(name);
    return found;
  }
  found = ExactType(name);
  if (found.kind == Reference::Kind::kNone && WellKnownConstant(name, found.constant)) {
    found.kind = Reference::Kind::kConstant;
    found.type = &types::kInt;
    found.name = ast_.arena().CopyString(name);
  }
  return found;
}

ResolvedName NameResolver::Global(std::string_view name) {
  ResolvedName found;
  VisitCandidates(name, [&](std::string_view candidate) {
    found = Exact(candidate);
    return found.kind != Reference::Kind::kNone;
  });
  return found;
}

ResolvedName NameResolver::TypeIdentifier(std::string_view name) {
  ResolvedName found;
  VisitCandidates(name, [&](std::string_view candidate) {
    found = ExactType(candidate);
    return found.kind != Reference::Kind::kNone;
  });
  return found;
}

ResolvedName NameResolver::Identifier(std::string_view name) {
  if (const Local* local = FindLocal(name); local != nullptr) {
    ResolvedName found;
    found.kind = Reference::Kind::kLocal;
    found.name = local->name;
    found.type = local->type;
    return found;
  }
  return Global(name);
}

bool NameResolver::Qualify(ExprId id, bool allow_local) {
  // Selections nest from the right; collect the fields on the way down and join them backwards.
  std::vector<std::string_view> fields;
  const Expr* node = &ast_.node(id);
  while (node->kind == ExprKind::kSelect && !node->test_only) {
    fields.push_back(node->name);
    node = &ast_.node(node->target);
  }
  if (node->kind != ExprKind::kIdent) return false;
  if (!allow_local && FindLocal(node->name) != nullptr) return false;
  text_.assign(node->name);
  for (std::size_t i = fields.size(); i > 0; --i) {
    text_ += '.';
    text_ += fields[i - 1];
  }
  return true;
}

ResolvedName NameResolver::Chain(ExprId select) {
  if (!Qualify(select, false)) return {};
  return Global(text_);
}

const FunctionDecl* NameResolver::Function(std::string_view name) {
  const FunctionDecl* found = nullptr;
  VisitCandidates(name, [&](std::string_view candidate) {
    found = env_.FindFunction(candidate);
    return found != nullptr;
  });
  return found;
}

const FunctionDecl* NameResolver::NamespacedFunction(ExprId target, std::string_view name) {
  if (!Qualify(target, true)) return nullptr;
  text_ += '.';
  text_ += name;
  return Function(text_);
}

}  // namespace portcullis::cel
