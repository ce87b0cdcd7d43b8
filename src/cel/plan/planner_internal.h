#ifndef PORTCULLIS_CEL_PLAN_PLANNER_INTERNAL_H_
#define PORTCULLIS_CEL_PLAN_PLANNER_INTERNAL_H_

// The planner's state, shared by planner.cc (structure), plan_call.cc (calls and folding) and
// plan_fold.cc (comprehensions). Not for use outside this folder.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/lib/value_text.h"
#include "cel/plan/plan.h"

namespace portcullis::cel {

class Planner {
 public:
  explicit Planner(Plan& plan) : plan_(plan), ast_(plan.checked.ast), env_(*plan.env) {}
  bool Run(std::string& failure);

 private:
  NodeId PlanExpr(ExprId id);
  NodeId PlanVariable(ExprId id, std::string_view name, bool maybe_local);
  NodeId PlanTypeValue(ExprId id, const Type* type);
  NodeId PlanSelect(ExprId id);
  NodeId PlanIndex(ExprId id, bool optional);
  NodeId PlanLogic(ExprId id, Op op);
  NodeId PlanConditional(ExprId id);
  NodeId PlanList(ExprId id);
  NodeId PlanMap(ExprId id);
  NodeId PlanStruct(ExprId id);
  NodeId PlanBlock(ExprId id);
  NodeId PlanCall(ExprId id);
  NodeId PlanOperator(ExprId id, Op op, std::uint8_t sub);
  NodeId PlanIn(ExprId id);
  NodeId PlanFunction(ExprId id);
  NodeId PlanFold(ExprId id);
  void RecognizeFold(const Comprehension& comprehension, Fold& fold);

  // Evaluates a node of constants now; `failed_` with the error's text when it fails.
  NodeId FixCall(NodeId call);
  NodeId FoldNow(NodeId node, ExprId expr);

  NodeId Emit(Node node, std::span<const NodeId> children);
  NodeId EmitConst(ExprId expr, const doc::Value& value);
  NodeId EmitAttribute(ExprId expr, Attribute attribute, std::span<const Qualifier> qualifiers,
                       Op op);
  NodeId Extend(ExprId id, NodeId operand, const Qualifier& qualifier, Op op);
  Qualifier FieldQualifier(std::string_view field, bool optional);
  Qualifier IndexQualifier(NodeId key, bool optional);
  bool IsConst(NodeId id) const;
  const doc::Value& ConstOf(NodeId id) const;
  std::uint32_t VariableSlot(std::string_view name);
  std::uint32_t PushLocal(std::string_view name);
  bool FindLocal(std::string_view name, std::uint32_t& slot) const;
  CostFunction CostOf(const Reference& reference) const;
  NodeId Fail(std::string message);

  Plan& plan_;
  const Ast& ast_;
  const Env& env_;
  struct Local {
    std::string_view name;
    std::uint32_t slot;
  };
  std::vector<Local> scope_;  // comprehension variables, inner last
  std::vector<std::unique_ptr<std::string>> block_names_;
  bool failed_ = false;
  std::string failure_;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_PLAN_PLANNER_INTERNAL_H_
