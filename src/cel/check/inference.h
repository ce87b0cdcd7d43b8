#ifndef PORTCULLIS_CEL_CHECK_INFERENCE_H_
#define PORTCULLIS_CEL_CHECK_INFERENCE_H_

// Type variables and their bindings during one check: cel-go's assignability rules
// (spec/cel.md 7.4). Not thread-safe; lives as long as one check.

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cel/check/type.h"

namespace portcullis::cel {

struct OverloadDecl;

class Inference {
 public:
  explicit Inference(TypePool& pool, bool null_joins_nullable = false)
      : pool_(pool), null_joins_nullable_(null_joins_nullable) {}

  // A fresh type variable `_varN`.
  const Type* NewVariable();

  // Is `from` assignable to `to`? Bindings that this needs are kept on success only.
  bool Assignable(const Type* from, const Type* to);
  // All or none.
  bool AssignableList(std::span<const Type* const> from, std::span<const Type* const> to);

  // The type with bound variables replaced; unbound ones become dyn if asked.
  const Type* Substitute(const Type* type, bool unbound_to_dyn);

  // The more general type of both, and the common type of two elements of an aggregate literal.
  static const Type* MostGeneral(const Type* a, const Type* b);
  const Type* Join(const Type* previous, const Type* current);

  // The parameters and result of an overload with its type parameters replaced by fresh variables.
  struct Instance {
    std::vector<const Type*> params;
    const Type* result = nullptr;
  };
  void Instantiate(const OverloadDecl& overload, Instance& instance);

 private:
  using Renaming = std::vector<std::pair<std::string_view, const Type*>>;

  const Type* Find(const Type* variable) const;
  void Bind(const Type* variable, const Type* type);
  void RollBack(std::size_t mark);

  bool Check(const Type* from, const Type* to);
  bool CheckList(std::span<const Type* const> from, std::span<const Type* const> to);
  // Returns {valid, had a binding}.
  std::pair<bool, bool> CheckVariable(const Type* type, const Type* variable);
  bool NotReferencedIn(const Type* variable, const Type* within) const;

  const Type* Rebuild(const Type* type, std::span<const Type* const> params);
  void CollectParams(const Type* type, Renaming& renaming);
  const Type* Rename(const Type* type, const Renaming& renaming);

  struct Undo {
    const Type* variable;
    const Type* previous;  // null: was unbound
  };

  TypePool& pool_;
  bool null_joins_nullable_;
  std::size_t next_variable_ = 0;
  absl::flat_hash_map<std::string_view, const Type*> bindings_;
  std::vector<Undo> log_;
};

// `optional_type(T)` -> T and true; any other type -> itself and false.
std::pair<const Type*, bool> UnwrapOptional(const Type* type);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_INFERENCE_H_
