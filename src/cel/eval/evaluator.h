#ifndef PORTCULLIS_CEL_EVAL_EVALUATOR_H_
#define PORTCULLIS_CEL_EVAL_EVALUATOR_H_

// Walks a Plan: values, errors and cost as the API server's cel-go gives them (spec/cel.md 9, 18).
// One Evaluator per evaluation, on the stack of one thread. It allocates from the arena only.

#include <atomic>
#include <cstdint>

#include "base/arena.h"
#include "cel/check/library.h"
#include "cel/eval/program.h"
#include "cel/eval/trace.h"
#include "cel/plan/plan.h"
#include "doc/value.h"

namespace portcullis::cel {

// Kinds of ErrorRep::kind beyond the ordinary.
inline constexpr std::uint32_t kErrorCostLimit = 1;
inline constexpr std::uint32_t kErrorInterrupted = 2;

class Evaluator {
 public:
  Evaluator(const Plan& plan, Activation& activation, base::Arena& arena,
            const EvalOptions& options);

  EvalResult Run();

 private:
  friend doc::Value EvaluateConstant(const Plan& plan, NodeId node, base::Arena& arena);
  friend class BlameFinder;

  struct Slot {
    doc::Value value;
    NodeId lazy = 0;  // not evaluated yet: the initialiser
    bool ready = false;
  };
  enum class Bound : std::uint8_t { kUnknown, kBound, kUnbound };

  doc::Value Eval(NodeId id) {
    const doc::Value value = EvalNode(plan_.nodes[id]);
    if (trace_ != nullptr) [[unlikely]]
      trace_->Record(plan_.nodes[id].expr, value);
    return value;
  }
  doc::Value EvalNode(const Node& node);
  NodeId Child(const Node& node, std::size_t i) const { return plan_.children[node.first + i]; }

  // attributes (attribute.cc)
  doc::Value EvalAttribute(const Attribute& attribute, bool charge_base);
  doc::Value EvalPresence(const Attribute& attribute);
  // Applies qualifiers; false when the chain ended early with `value` as its result.
  bool Qualifiers(const Attribute& attribute, std::size_t count, doc::Value& value, bool& optional);
  bool BadPresence(const doc::Value& value) const;
  bool QualifierKey(const Qualifier& qualifier, doc::Value& key);
  bool Base(const Attribute& attribute, bool charge, doc::Value& value);
  doc::Value Variable(std::uint32_t slot);
  doc::Value Local(std::uint32_t slot);

  // operators and calls (call.cc)
  doc::Value EvalAnd(const Node& node);
  doc::Value EvalOr(const Node& node);
  doc::Value EvalBinary(const Node& node);
  doc::Value EvalUnary(const Node& node);
  doc::Value EvalInSet(const Node& node);
  doc::Value EvalMatches(const Node& node);
  doc::Value EvalCall(const Node& node);
  doc::Value EvalOptionalOr(const Node& node);
  doc::Value Dispatch(const CallTarget& target, std::span<const doc::Value> args);

  // aggregates (aggregate.cc)
  doc::Value EvalList(const Node& node);
  doc::Value EvalMap(const Node& node);
  doc::Value StrictKeyError(std::span<const doc::MapEntry> entries, const doc::Value& key);
  doc::Value EvalStruct(const Node& node);
  doc::Value EvalBlock(const Node& node);

  // comprehensions (fold.cc)
  class Range;
  doc::Value EvalFold(const Node& node);
  doc::Value FoldGeneric(const Fold& fold, Range& range);
  doc::Value FoldQuantifier(const Fold& fold, Range& range);
  doc::Value FoldExistsOne(const Fold& fold, Range& range);
  doc::Value FoldAppend(const Fold& fold, Range& range);
  doc::Value FoldInsert(const Fold& fold, Range& range);
  // True when the loop must stop: interrupted, out of budget or out of memory (`stop_` is set).
  bool LoopStep();
  // The boolean of a predicate, or `failed` with the error as `value`.
  bool Predicate(NodeId predicate, bool& truth, doc::Value& error);

  // Adds cost; beyond the limit evaluation stops, and what was reached then is the cost.
  void Charge(std::uint64_t cost) {
    cost_ += cost;
    if (cost_ > limit_) [[unlikely]]
      OutOfBudget(cost_);
  }
  // The cost of `count` nodes of cost 1, charged together.
  void ChargeUnits(std::uint64_t count) {
    cost_ += count;
    if (cost_ > limit_) [[unlikely]]
      OutOfBudget(limit_ + 1);
  }
  void OutOfBudget(std::uint64_t cost);
  // Ends the evaluation with an internal error: cel-go panics there, which nothing absorbs.
  doc::Value Abort(const doc::Value& error) {
    if (!stopped()) {
      stop_ = error;
      stop_cost_ = cost_;
    }
    return stop_;
  }
  static bool IsInternal(const doc::Value& value) {
    return value.is_error() && value.error()->message.starts_with("internal error: ");
  }
  bool stopped() const { return stop_.is_error(); }

  const Plan& plan_;
  Activation& activation_;
  CallContext context_;
  const EvalOptions& options_;
  const bool stop_at_failed_argument_;
  std::uint64_t cost_ = 0;
  std::uint64_t limit_;
  std::uint32_t loop_steps_ = 0;
  doc::Value stop_;  // the error that ended everything, never absorbed
  std::uint64_t stop_cost_ = 0;
  Trace* trace_ = nullptr;
  doc::Value* variables_ = nullptr;
  Bound* bound_ = nullptr;
  Slot* locals_ = nullptr;
};

// Evaluates a node that reads no variables, while planning.
doc::Value EvaluateConstant(const Plan& plan, NodeId node, base::Arena& arena);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_EVALUATOR_H_
