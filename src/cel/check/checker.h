#ifndef PORTCULLIS_CEL_CHECK_CHECKER_H_
#define PORTCULLIS_CEL_CHECK_CHECKER_H_

// Type checking and name resolution (spec/cel.md 7), and the AST validators (section 8).

#include <memory>
#include <vector>

#include "cel/check/env.h"
#include "cel/syntax/ast.h"
#include "cel/syntax/issues.h"

namespace portcullis::cel {

// What a node's name means. One per node of the tree.
struct Reference {
  enum class Kind : std::uint8_t {
    kNone,       // constants, literals, plain field selections, comprehensions
    kVariable,   // `name`; on a select node: the whole dotted chain is this variable
    kLocal,      // a comprehension variable (iteration, accumulator, bind): `name`
    kTypeValue,  // `type` is the type that the identifier stands for
    kConstant,   // `constant` (enum constants such as google.protobuf.NullValue.NULL_VALUE)
    kCall,       // candidates; `namespaced` when the receiver is part of the function's name
    kStruct,     // `name` is the resolved message name of a struct literal
  };
  Kind kind = Kind::kNone;
  bool namespaced = false;
  std::string_view name;  // owned by the Ast's arena or the Env
  const Type* type = nullptr;
  doc::Value constant;
  const FunctionDecl* function = nullptr;
  std::vector<const OverloadDecl*> overloads;  // exactly one: statically bound
};

struct CheckedAst {
  Ast ast;
  TypePool pool;                      // owns the types made while checking
  std::vector<Reference> references;  // by ExprId
  std::vector<const Type*> types;     // by ExprId; unbound parameters are dyn
  const Type* result_type = nullptr;  // of the root
};

// Checks `ast` (which it takes over). Returns false and fills `issues` on any error, validators'
// included. Thread-safe for one const Env.
bool Check(const Env& env, Ast ast, CheckedAst& checked, Issues& issues);

// Name resolution only, for the `disableCheck` cases of the conformance suite: every type is dyn,
// every call has all overloads of its name as candidates; unknown names stay kVariable / a null
// function and fail when evaluated.
void ResolveUnchecked(const Env& env, Ast ast, CheckedAst& checked);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_CHECKER_H_
