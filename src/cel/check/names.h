#ifndef PORTCULLIS_CEL_CHECK_NAMES_H_
#define PORTCULLIS_CEL_CHECK_NAMES_H_

// Name resolution (spec/cel.md 7.2): comprehension scopes, container, dotted names, types and
// constants. Used by the checker and by the resolution of unchecked trees; one per tree.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cel/check/checker.h"

namespace portcullis::cel {

// What an identifier stands for; kind kNone when it stands for nothing.
struct ResolvedName {
  Reference::Kind kind = Reference::Kind::kNone;
  std::string_view name;       // the full name, without a leading dot
  const Type* type = nullptr;  // of the expression: for type values type(T)
  doc::Value constant;
};

class NameResolver {
 public:
  NameResolver(const Env& env, Ast& ast, TypePool& pool) : env_(env), ast_(ast), pool_(pool) {}

  ResolvedName Identifier(std::string_view name);
  // The type that a struct literal names; variables do not count.
  ResolvedName TypeIdentifier(std::string_view name);
  // As Identifier for a chain of field selections, taken as one dotted name. Never a local
  // variable.
  ResolvedName Chain(ExprId select);
  const FunctionDecl* Function(std::string_view name);
  // The function named by receiver chain and function name, null if there is none.
  const FunctionDecl* NamespacedFunction(ExprId target, std::string_view name);

  // Comprehension variables. Scopes nest; leave them in reverse order.
  void EnterScope() { ++depth_; }
  void LeaveScope();
  void Declare(std::string_view name, const Type* type) { locals_.push_back({name, type, depth_}); }
  std::size_t depth() const { return depth_; }

 private:
  struct Local {
    std::string_view name;
    const Type* type;
    std::size_t depth;
  };

  const Local* FindLocal(std::string_view name) const;
  // Writes the dotted name of a pure chain of selections to text_. False if it is none, or if it
  // starts at a local variable and those are not wanted.
  bool Qualify(ExprId id, bool allow_local);
  ResolvedName Global(std::string_view name);
  ResolvedName Exact(std::string_view name);
  ResolvedName ExactType(std::string_view name);
  // Calls `visit` with each candidate name, container first, until it returns true.
  template <typename Visit>
  bool VisitCandidates(std::string_view name, Visit visit);

  const Env& env_;
  Ast& ast_;
  TypePool& pool_;
  std::vector<Local> locals_;
  std::size_t depth_ = 0;
  std::string text_;       // scratch: dotted names
  std::string candidate_;  // scratch: names with a container
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_NAMES_H_
