#include "cel/check/inference.h"

#include <array>
#include <string>

#include "cel/check/env.h"

namespace portcullis::cel {

namespace {

// Bindings form no cycles, but a hostile expression can nest types; beyond this depth a type is
// taken as it is.
constexpr int kMaxTypeDepth = 1000;

bool IsDynOrError(const Type& type) { return IsDyn(type) || type.kind == TypeKind::kError; }

// null may stand for a value of these types, as in the first type checker of cel-go.
bool NullAssignable(const Type& type) {
  switch (type.kind) {
    case TypeKind::kNull:
    case TypeKind::kWrapper:
    case TypeKind::kOpaque:
    case TypeKind::kOptional:
    case TypeKind::kStruct:
    case TypeKind::kAny:
    case TypeKind::kDyn:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

bool IsEqualOrLessSpecific(const Type& a, const Type& b) {
  if (IsDyn(a) || a.kind == TypeKind::kParam) return true;
  if (IsDyn(b) || b.kind == TypeKind::kParam) return false;
  if (EffectiveKind(a) != EffectiveKind(b)) return false;
  switch (a.kind) {
    case TypeKind::kOpaque:
    case TypeKind::kOptional:
    case TypeKind::kList:
    case TypeKind::kMap:
      if (a.name != b.name || a.params.size() != b.params.size()) return false;
      for (std::size_t i = 0; i < a.params.size(); ++i) {
        if (!IsEqualOrLessSpecific(*a.params[i], *b.params[i])) return false;
      }
      return true;
    case TypeKind::kType:
      return true;
    default:
      return TypesEqual(a, b);
  }
}

}  // namespace

std::pair<const Type*, bool> UnwrapOptional(const Type* type) {
  if (type->kind == TypeKind::kOptional && !type->params.empty()) return {type->params[0], true};
  return {type, false};
}

const Type* Inference::NewVariable() {
  return pool_.Param("_var" + std::to_string(next_variable_++));
}

const Type* Inference::Find(const Type* variable) const {
  if (variable->kind != TypeKind::kParam) return nullptr;
  const auto found = bindings_.find(variable->name);
  return found == bindings_.end() ? nullptr : found->second;
}

void Inference::Bind(const Type* variable, const Type* type) {
  const auto [slot, added] = bindings_.try_emplace(variable->name, type);
  log_.push_back({variable, added ? nullptr : slot->second});
  slot->second = type;
}

void Inference::RollBack(std::size_t mark) {
  while (log_.size() > mark) {
    const Undo& undo = log_.back();
    if (undo.previous == nullptr) {
      bindings_.erase(undo.variable->name);
    } else {
      bindings_[undo.variable->name] = undo.previous;
    }
    log_.pop_back();
  }
}

bool Inference::Assignable(const Type* from, const Type* to) {
  return AssignableList({&from, 1}, {&to, 1});
}

bool Inference::AssignableList(std::span<const Type* const> from, std::span<const Type* const> to) {
  const std::size_t mark = log_.size();
  const bool ok = CheckList(from, to);
  if (!ok) RollBack(mark);
  return ok;
}

bool Inference::CheckList(std::span<const Type* const> from, std::span<const Type* const> to) {
  if (from.size() != to.size()) return false;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!Check(from[i], to[i])) return false;
  }
  return true;
}

bool Inference::Check(const Type* from, const Type* to) {
  if (to->kind == TypeKind::kParam) {
    const auto [valid, bound] = CheckVariable(from, to);
    if (valid) return true;
    if (bound) return false;
  }
  if (from->kind == TypeKind::kParam) return CheckVariable(to, from).first;
  if (IsDynOrError(*from) || IsDynOrError(*to)) return true;
  if (from->kind == TypeKind::kNull) return NullAssignable(*to);
  if (to->kind == TypeKind::kNull) return NullAssignable(*from);
  switch (from->kind) {
    case TypeKind::kBool:
    case TypeKind::kBytes:
    case TypeKind::kDouble:
    case TypeKind::kInt:
    case TypeKind::kString:
    case TypeKind::kUint:
    case TypeKind::kWrapper:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
    case TypeKind::kStruct:
      return TypesEqual(*from, *to);
    case TypeKind::kType:
      return to->kind == TypeKind::kType;
    case TypeKind::kOpaque:
    case TypeKind::kOptional:
    case TypeKind::kList:
    case TypeKind::kMap:
      return from->kind == to->kind && from->name == to->name &&
             CheckList(from->params, to->params);
    default:
      return false;
  }
}

std::pair<bool, bool> Inference::CheckVariable(const Type* type, const Type* variable) {
  if (type->kind == variable->kind && TypesEqual(*type, *variable)) return {true, true};
  if (const Type* bound = Find(variable); bound != nullptr) {
    if (EffectiveKind(*type) == EffectiveKind(*bound) && TypesEqual(*type, *bound)) {
      return {true, true};
    }
    if (!Check(type, bound)) return {false, true};
    const Type* general = MostGeneral(type, bound);
    if (NotReferencedIn(variable, general)) Bind(variable, general);
    return {true, true};
  }
  if (!NotReferencedIn(variable, type)) return {false, false};
  Bind(variable, type);
  return {true, false};
}

bool Inference::NotReferencedIn(const Type* variable, const Type* within) const {
  if (TypesEqual(*variable, *within)) return false;
  switch (within->kind) {
    case TypeKind::kParam: {
      const Type* bound = Find(within);
      return bound == nullptr || NotReferencedIn(variable, bound);
    }
    case TypeKind::kOpaque:
    case TypeKind::kOptional:
    case TypeKind::kList:
    case TypeKind::kMap:
    case TypeKind::kType:
      for (const Type* param : within->params) {
        if (!NotReferencedIn(variable, param)) return false;
      }
      return true;
    default:
      return true;
  }
}

const Type* Inference::MostGeneral(const Type* a, const Type* b) {
  return IsEqualOrLessSpecific(*a, *b) ? a : b;
}

const Type* Inference::Join(const Type* previous, const Type* current) {
  if (previous == nullptr) return current;
  if (Assignable(previous, current)) {
    // cel-go keeps the later one of null and a nullable type; the specification the nullable one.
    if (null_joins_nullable_ && current->kind == TypeKind::kNull) return previous;
    return MostGeneral(previous, current);
  }
  return &types::kDyn;
}

const Type* Inference::Rebuild(const Type* type, std::span<const Type* const> params) {
  switch (type->kind) {
    case TypeKind::kList:
      return pool_.List(params[0]);
    case TypeKind::kMap:
      return pool_.Map(params[0], params[1]);
    case TypeKind::kOptional:
      return pool_.Optional(params[0]);
    case TypeKind::kType:
      return pool_.TypeOf(params[0]);
    case TypeKind::kOpaque:
      return pool_.Opaque(type->name, params);
    default:
      return type;
  }
}

const Type* Inference::Substitute(const Type* type, bool unbound_to_dyn) {
  for (int hops = 0; hops < kMaxTypeDepth; ++hops) {
    const Type* bound = Find(type);
    if (bound == nullptr) break;
    type = bound;
  }
  if (type->kind == TypeKind::kParam) return unbound_to_dyn ? &types::kDyn : type;
  if (type->params.empty() || type->kind == TypeKind::kWrapper) return type;
  constexpr std::size_t kInline = 4;
  std::array<const Type*, kInline> buffer{};
  std::vector<const Type*> spill;
  std::span<const Type*> params;
  if (type->params.size() <= kInline) {
    params = {buffer.data(), type->params.size()};
  } else {
    spill.resize(type->params.size());
    params = spill;
  }
  bool changed = false;
  for (std::size_t i = 0; i < params.size(); ++i) {
    params[i] = Substitute(type->params[i], unbound_to_dyn);
    changed = changed || params[i] != type->params[i];
  }
  return changed ? Rebuild(type, params) : type;
}

void Inference::CollectParams(const Type* type, Renaming& renaming) {
  if (type->kind == TypeKind::kParam) {
    for (const auto& entry : renaming) {
      if (entry.first == type->name) return;
    }
    renaming.emplace_back(type->name, NewVariable());
    return;
  }
  for (const Type* param : type->params) CollectParams(param, renaming);
}

const Type* Inference::Rename(const Type* type, const Renaming& renaming) {
  if (type->kind == TypeKind::kParam) {
    for (const auto& entry : renaming) {
      if (entry.first == type->name) return entry.second;
    }
    return type;
  }
  if (type->params.empty() || type->kind == TypeKind::kWrapper) return type;
  std::vector<const Type*> params;
  params.reserve(type->params.size());
  bool changed = false;
  for (const Type* param : type->params) {
    params.push_back(Rename(param, renaming));
    changed = changed || params.back() != param;
  }
  return changed ? Rebuild(type, params) : type;
}

void Inference::Instantiate(const OverloadDecl& overload, Instance& instance) {
  Renaming renaming;
  CollectParams(overload.result, renaming);
  for (const Type* param : overload.params) CollectParams(param, renaming);
  instance.params.clear();
  if (renaming.empty()) {
    instance.params = overload.params;
    instance.result = overload.result;
    return;
  }
  for (const Type* param : overload.params) instance.params.push_back(Rename(param, renaming));
  instance.result = Rename(overload.result, renaming);
}

}  // namespace portcullis::cel
