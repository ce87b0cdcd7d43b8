#include "cel/check/env.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/check.h"
#include "cel/check/well_known.h"

namespace portcullis::cel {

namespace {

// Type identifiers of the language itself: every environment has them.
struct StandardType {
  std::string_view name;
  const Type* type;
};
constexpr std::array kStandardTypes = {
    StandardType{"bool", &types::kBool},
    StandardType{"bytes", &types::kBytes},
    StandardType{"double", &types::kDouble},
    StandardType{"google.protobuf.Duration", &types::kDuration},
    StandardType{"google.protobuf.Timestamp", &types::kTimestamp},
    StandardType{"int", &types::kInt},
    StandardType{"list", &types::kList},
    StandardType{"map", &types::kMap},
    StandardType{"null_type", &types::kNull},
    StandardType{"string", &types::kString},
    StandardType{"type", &types::kType},
    StandardType{"uint", &types::kUint},
};

}  // namespace

struct Env::Impl {
  std::shared_ptr<const Env> parent;
  TypePool pool;
  std::vector<std::string_view> libraries;
  std::deque<FunctionDecl> functions;  // stable addresses
  absl::flat_hash_map<std::string_view, FunctionDecl*> function_index;
  absl::flat_hash_map<std::string_view, CostFunction> costs;
  std::deque<std::string> names;  // what the keys below view
  absl::flat_hash_map<std::string_view, const Type*> variables;
  absl::flat_hash_map<std::string_view, const Type*> type_names;
  std::vector<std::shared_ptr<const TypeProvider>> providers;

  // An existing declaration is replaced.
  void Declare(absl::flat_hash_map<std::string_view, const Type*>& table, std::string_view name,
               const Type* type) {
    const auto found = table.find(name);
    if (found != table.end()) {
      found->second = type;
      return;
    }
    table.emplace(names.emplace_back(name), type);
  }

  // The cost row of a function here or in an ancestor.
  CostFunction FindCost(std::string_view name) const {
    for (const Impl* impl = this; impl != nullptr; impl = impl->ParentImpl()) {
      const auto found = impl->costs.find(name);
      if (found != impl->costs.end()) return found->second;
    }
    return nullptr;
  }

  const Impl* ParentImpl() const { return parent == nullptr ? nullptr : parent->impl_.get(); }

  bool HasLibrary(std::string_view name) const {
    for (const Impl* impl = this; impl != nullptr; impl = impl->ParentImpl()) {
      if (std::find(impl->libraries.begin(), impl->libraries.end(), name) !=
          impl->libraries.end()) {
        return true;
      }
    }
    return false;
  }

  // The own declaration of a function, for adding to it: a copy of the parent's when there is one.
  FunctionDecl& OwnFunction(std::string_view name) {
    const auto found = function_index.find(name);
    if (found != function_index.end()) return *found->second;
    const FunctionDecl* inherited = parent == nullptr ? nullptr : parent->FindFunction(name);
    FunctionDecl& own = functions.emplace_back();
    if (inherited != nullptr) {
      own = *inherited;
    } else {
      own.name = name;
      own.cost = FindCost(name);
    }
    function_index.emplace(name, &own);
    return own;
  }

  void AddOverload(const Overload& overload) {
    FunctionDecl& function = OwnFunction(overload.function);
    for (const OverloadDecl& known : function.overloads) {
      if (known.spec->id == overload.id) return;
    }
    OverloadDecl& decl = function.overloads.emplace_back();
    decl.spec = &overload;
    ParseSignature(overload.signature, decl);
  }

  // "(T1, T2) -> R". Commas inside parentheses belong to a type.
  void ParseSignature(std::string_view text, OverloadDecl& decl) {
    PC_CHECK(!text.empty() && text.front() == '(');
    std::size_t depth = 1;
    std::size_t start = 1;
    std::size_t at = 1;
    for (; at < text.size() && depth > 0; ++at) {
      const char c = text[at];
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (depth == 0 || (depth == 1 && c == ',')) {
        const std::string_view param = Trim(text.substr(start, at - start));
        if (!param.empty()) decl.params.push_back(pool.Parse(param));
        start = at + 1;
      }
    }
    constexpr std::string_view kArrow = "->";
    std::string_view rest = Trim(text.substr(at));
    PC_CHECK(rest.substr(0, kArrow.size()) == kArrow);
    decl.result = pool.Parse(Trim(rest.substr(kArrow.size())));
  }

  static std::string_view Trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }
};

Env::Env() : impl_(std::make_unique<Impl>()) {}
Env::~Env() = default;

Env::Env(std::shared_ptr<const Env> parent) : impl_(std::make_unique<Impl>()) {
  options = parent->options;
  impl_->parent = std::move(parent);
}

void Env::AddLibrary(const Library& library) {
  if (impl_->HasLibrary(library.name)) return;
  impl_->libraries.push_back(library.name);
  for (const FunctionCost& row : library.costs) {
    impl_->costs.insert_or_assign(row.function, row.cost);
    if (FindFunction(row.function) != nullptr) impl_->OwnFunction(row.function).cost = row.cost;
  }
  for (const Overload& overload : library.overloads) impl_->AddOverload(overload);
  for (const TypeName& name : library.type_names) {
    AddTypeName(name.name, impl_->pool.Parse(name.type));
  }
}

void Env::AddVariable(std::string_view name, const Type* type) {
  impl_->Declare(impl_->variables, name, type);
}

void Env::AddTypeName(std::string_view name, const Type* type) {
  impl_->Declare(impl_->type_names, name, type);
}

void Env::AddProvider(std::shared_ptr<const TypeProvider> provider) {
  impl_->providers.push_back(std::move(provider));
}

TypePool& Env::types() { return impl_->pool; }

const FunctionDecl* Env::FindFunction(std::string_view name) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->ParentImpl()) {
    const auto found = impl->function_index.find(name);
    if (found != impl->function_index.end()) return found->second;
  }
  return nullptr;
}

const Type* Env::FindVariable(std::string_view name) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->ParentImpl()) {
    const auto found = impl->variables.find(name);
    if (found != impl->variables.end()) return found->second;
  }
  return nullptr;
}

const Type* Env::FindTypeName(std::string_view name) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->ParentImpl()) {
    const auto found = impl->type_names.find(name);
    if (found != impl->type_names.end()) return found->second;
  }
  for (const StandardType& standard : kStandardTypes) {
    if (standard.name == name) return standard.type;
  }
  return nullptr;
}

bool Env::HasStruct(std::string_view type_name) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->ParentImpl()) {
    for (const auto& provider : impl->providers) {
      if (provider->HasType(type_name)) return true;
    }
  }
  return WellKnownMessage(type_name) != nullptr;
}

const Type* Env::FindField(std::string_view type_name, std::string_view field) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->ParentImpl()) {
    for (const auto& provider : impl->providers) {
      if (provider->HasType(type_name)) return provider->FieldType(type_name, field);
    }
  }
  return WellKnownField(type_name, field);
}

std::vector<std::string> Env::FunctionNames() const {
  std::vector<std::string> names;
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->ParentImpl()) {
    for (const auto& entry : impl->function_index) names.emplace_back(entry.first);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> Env::VariableNames() const {
  std::vector<std::string> names;
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->ParentImpl()) {
    for (const auto& entry : impl->variables) names.emplace_back(entry.first);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace portcullis::cel
