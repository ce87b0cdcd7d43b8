#include "cel/eval/evaluator.h"

#include <limits>

#include "cel/eval/value_ops.h"

namespace portcullis::cel {

using doc::Value;

Evaluator::Evaluator(const Plan& plan, Activation& activation, base::Arena& arena,
                     const EvalOptions& options)
    : plan_(plan),
      activation_(activation),
      context_{arena, options.host, &plan.env->options},
      options_(options),
      stop_at_failed_argument_(plan.env->options.stop_at_failed_argument),
      limit_(options.cost_limit != 0 ? options.cost_limit : plan.env->options.cost_limit),
      trace_(options.trace) {
  if (limit_ == 0 || !options.track_cost) limit_ = std::numeric_limits<std::uint64_t>::max();
  const std::size_t variables = plan.variables.size();
  variables_ = arena.AllocateArray<Value>(variables);
  bound_ = arena.AllocateArray<Bound>(variables);
  for (std::size_t i = 0; i < variables; ++i) bound_[i] = Bound::kUnknown;
  locals_ = arena.AllocateArray<Slot>(plan.local_count);
  for (std::uint32_t i = 0; i < plan.local_count; ++i) locals_[i] = Slot{};
}

EvalResult Evaluator::Run() {
  const Value value = Eval(plan_.root);
  if (stopped()) return {stop_, stop_cost_};
  return {value, cost_};
}

void Evaluator::OutOfBudget(std::uint64_t cost) {
  if (stopped()) return;
  stop_cost_ = cost;
  auto* rep = context_.arena.New<doc::ErrorRep>();
  rep->message = "operation cancelled: actual cost limit exceeded";
  rep->kind = kErrorCostLimit;
  stop_ = Value::Error(rep);
}

Value Evaluator::EvalNode(const Node& node) {
  if (stopped()) [[unlikely]]
    return stop_;
  switch (node.op) {
    case Op::kConst:
      return plan_.constants[node.a];
    case Op::kFixed:
      Charge(node.b);
      return plan_.constants[node.a];
    case Op::kAttribute:
      return EvalAttribute(plan_.attributes[node.a], true);
    case Op::kPresence:
      return EvalPresence(plan_.attributes[node.a]);
    case Op::kAnd:
      return EvalAnd(node);
    case Op::kOr:
      return EvalOr(node);
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kCompare:
    case Op::kArithmetic:
    case Op::kIn:
      return EvalBinary(node);
    case Op::kNegate:
    case Op::kNot:
    case Op::kNotStrictlyFalse:
      return EvalUnary(node);
    case Op::kInSet:
      return EvalInSet(node);
    case Op::kMatches:
      return EvalMatches(node);
    case Op::kList:
      return EvalList(node);
    case Op::kMap:
      return EvalMap(node);
    case Op::kStruct:
      return EvalStruct(node);
    case Op::kCall:
    case Op::kDynamicCall:
      return EvalCall(node);
    case Op::kOptionalOr:
    case Op::kOptionalOrValue:
      return EvalOptionalOr(node);
    case Op::kBlock:
      return EvalBlock(node);
    case Op::kFold:
      return EvalFold(node);
    case Op::kNone:
      break;
  }
  return context_.Error("internal error: unexpected node");
}

Value EvaluateConstant(const Plan& plan, NodeId node, base::Arena& arena) {
  MapActivation nothing;
  EvalOptions options;
  options.track_cost = false;
  Evaluator evaluator(plan, nothing, arena, options);
  return evaluator.Eval(node);
}

}  // namespace portcullis::cel
