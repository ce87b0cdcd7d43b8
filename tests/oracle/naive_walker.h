#ifndef PORTCULLIS_TESTS_ORACLE_NAIVE_WALKER_H_
#define PORTCULLIS_TESTS_ORACLE_NAIVE_WALKER_H_

// A slow and obvious CEL evaluator: a straight reading of spec/cel.md 9 on the checked syntax tree.
// No plan, no slots, no folding, no recognised loops: comprehensions run as their expansion says,
// names are looked up in a chain of scopes. It is the oracle for the fast evaluator. No cost.

#include <string_view>

#include "base/arena.h"
#include "cel/check/checker.h"
#include "cel/check/env.h"
#include "cel/eval/program.h"
#include "doc/value.h"

namespace portcullis::oracle {

class NaiveWalker {
 public:
  NaiveWalker(const cel::CheckedAst& checked, const cel::Env& env, cel::Activation& activation,
              base::Arena& arena)
      : checked_(checked),
        ast_(checked.ast),
        activation_(activation),
        context_{arena, nullptr, &env.options} {}

  doc::Value Run() { return Eval(ast_.root, nullptr); }

 private:
  // A comprehension variable. One that is not ready has its initialiser evaluated at first use.
  struct Scope {
    const Scope* parent = nullptr;
    std::string_view name;
    mutable doc::Value value;
    mutable bool ready = true;
    cel::ExprId initialiser = cel::kNoExpr;
    const Scope* initialiser_scope = nullptr;
  };

  doc::Value Eval(cel::ExprId id, const Scope* scope);
  doc::Value Name(const cel::Expr& expr, const cel::Reference& reference, const Scope* scope);
  doc::Value Select(const doc::Value& operand, const doc::Value& key, bool optional);
  doc::Value Has(const doc::Value& operand, std::string_view field);
  doc::Value Logic(cel::ExprId id, bool conjunction, const Scope* scope);
  void Terms(cel::ExprId id, std::string_view name, const Scope* scope, bool deciding,
             doc::Value& failure, bool& decided);
  doc::Value Call(cel::ExprId id, const Scope* scope);
  doc::Value Operator(std::string_view name, const doc::Value& a, const doc::Value& b, bool& known);
  doc::Value Function(const cel::Expr& expr, const cel::Reference& reference, const Scope* scope);
  doc::Value Block(cel::ExprId id, const Scope* scope);
  doc::Value Aggregate(cel::ExprId id, const Scope* scope);
  doc::Value Loop(cel::ExprId id, const Scope* scope);

  const cel::CheckedAst& checked_;
  const cel::Ast& ast_;
  cel::Activation& activation_;
  cel::CallContext context_;
  doc::Value stop_;  // an internal error ends everything
};

}  // namespace portcullis::oracle

#endif  // PORTCULLIS_TESTS_ORACLE_NAIVE_WALKER_H_
