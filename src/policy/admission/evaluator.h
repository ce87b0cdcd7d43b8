#ifndef PORTCULLIS_POLICY_ADMISSION_EVALUATOR_H_
#define PORTCULLIS_POLICY_ADMISSION_EVALUATOR_H_

// Evaluation of the expressions of one invocation: variables on demand, budgets, error texts
// (spec/kubernetes-admission.md 1.9, 2.10, 5.7, 5.8). Lives for one phase: variables are computed
// once per Evaluator, as the API server computes them once per phase.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/eval/host_type.h"
#include "cel/eval/program.h"
#include "doc/value.h"
#include "policy/admission/core.h"
#include "policy/admission/invocation.h"
#include "policy/context.h"

namespace portcullis::policy {

inline constexpr std::uint64_t kEvaluationBudget = 10'000'000;
inline constexpr std::uint64_t kMatchConditionBudget = 2'500'000;
inline constexpr std::string_view kBudgetMessage =
    "validation failed due to running out of cost budget, no further validation rules will be run";

struct Evaluated {
  enum class State { kValue, kError, kOutOfBudget };
  State state = State::kValue;
  doc::Value value;   // kValue
  std::string error;  // kError: "expression '...' resulted in error: ...", "compilation error: ..."
};

class Evaluator final : public cel::Activation {
 public:
  // What the phase binds beside object, oldObject, request, params.
  struct Bindings {
    bool authorizer = true;
    bool namespace_object = true;
    bool variables = true;
  };

  // Everything is borrowed.
  Evaluator(const PolicyCore& policy, const Invocation& invocation, const MatchedView& view,
            RequestContext& context, const Bindings& bindings, std::uint64_t budget);

  Evaluated Evaluate(const Expression& expression);
  std::uint64_t remaining() const { return budget_; }

  bool Resolve(std::string_view name, doc::Value& out) override;

  // The value of variable `name`, computed at its first use. False: there is none.
  bool Variable(std::string_view name, doc::Value& out);

 private:
  struct VariableState {
    bool done = false;
    bool running = false;
    doc::Value value;
  };

  const PolicyCore& policy_;
  const Invocation& invocation_;
  const MatchedView& view_;
  RequestContext& context_;
  Bindings bindings_;
  std::uint64_t budget_;
  std::uint64_t variable_cost_ = 0;  // of the expression being evaluated
  VariableState* states_ = nullptr;  // one per variable, in the arena
};

// The truth table of matchConditions (1.9).
struct ConditionsResult {
  enum class State { kMatched, kNotMatched, kError };
  State state = State::kMatched;
  std::string error;
};
ConditionsResult EvaluateMatchConditions(const PolicyCore& policy, const Invocation& invocation,
                                         const MatchedView& view, RequestContext& context);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_EVALUATOR_H_
