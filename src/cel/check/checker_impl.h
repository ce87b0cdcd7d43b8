#ifndef PORTCULLIS_CEL_CHECK_CHECKER_IMPL_H_
#define PORTCULLIS_CEL_CHECK_CHECKER_IMPL_H_

// The type checker itself (spec/cel.md 7), private to this folder. One instance checks one tree.
// Its parts stand in checker.cc (literals, comprehensions), checker_names.cc (identifiers,
// selections, struct literals) and checker_calls.cc (functions and overloads).

#include <string>
#include <string_view>
#include <vector>

#include "cel/check/checker.h"
#include "cel/check/inference.h"
#include "cel/check/names.h"

namespace portcullis::cel {

class Checker {
 public:
  Checker(const Env& env, CheckedAst& checked, Issues& issues)
      : env_(env),
        checked_(checked),
        ast_(checked.ast),
        issues_(issues),
        inference_(checked.pool, env.options.null_joins_nullable),
        names_(env, checked.ast, checked.pool) {}

  // Checks the whole tree and replaces the type variables in the recorded types.
  void Run();

 private:
  // The nodes of one kind each.
  void CheckNode(ExprId id);
  void CheckConst(ExprId id);
  void CheckIdent(ExprId id);
  void CheckSelect(ExprId id);
  void CheckOptionalSelect(ExprId id);
  void CheckCall(ExprId id);
  void CheckList(ExprId id);
  void CheckMap(ExprId id);
  void CheckStruct(ExprId id);
  void CheckComprehension(ExprId id);

  // The type of `operand.field`, with an error at `id` when there is no such field.
  const Type* FieldSelection(ExprId id, ExprId operand, std::string_view field, bool optional);
  const Type* LookupField(std::uint32_t position, std::string_view type_name,
                          std::string_view field);
  // The inner type of an optional element of a literal.
  const Type* OptionalElement(ExprId element, const Type* type);

  void ResolveOverload(ExprId id, const FunctionDecl& function, ExprId target);
  // `&&` and `||`: every argument is a bool.
  void ResolveLogic(ExprId id, const FunctionDecl& function,
                    const std::vector<const Type*>& arguments);
  bool Disabled(const OverloadDecl& overload) const;

  void Expect(ExprId id, const Type* type);
  void Mismatch(ExprId id, const Type& expected, const Type& found);
  void Undeclared(ExprId id, std::string_view name);
  void SetName(ExprId id, const ResolvedName& name);

  const Type* type(ExprId id) const { return checked_.types[id]; }
  void set_type(ExprId id, const Type* value) { checked_.types[id] = value; }

  const Env& env_;
  CheckedAst& checked_;
  Ast& ast_;
  Issues& issues_;
  Inference inference_;
  NameResolver names_;
  Inference::Instance instance_;  // scratch
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_CHECKER_IMPL_H_
