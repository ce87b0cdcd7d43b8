#ifndef PORTCULLIS_CEL_EVAL_PROGRAM_H_
#define PORTCULLIS_CEL_EVAL_PROGRAM_H_

// A compiled expression: parse, check, plan once; evaluate many times (spec/cel.md 1.4, 9, 18).
// A Program is immutable and may be evaluated by several threads at once, each with its own
// Activation and arena. Evaluation allocates only from the activation's arena.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "cel/check/checker.h"
#include "cel/check/env.h"
#include "doc/value.h"

namespace portcullis::cel {

class EvalHost;
class Trace;
struct Plan;  // cel/plan

// The program lists the names of the variables that it reads; an Activation gives their values.
class Program {
 public:
  ~Program();

  std::string_view source() const;
  const CheckedAst& checked() const;
  const Type& result_type() const { return *checked().result_type; }
  // Names of the variables it reads; index = slot. Dotted names stay whole.
  std::span<const std::string> variables() const;

  const Plan& plan() const { return *plan_; }

 private:
  friend struct ProgramBuilder;
  Program();
  std::unique_ptr<Plan> plan_;
};

// Why compilation failed.
struct CompileFailure {
  enum class Stage { kCompile, kPlan };
  Stage stage = Stage::kCompile;
  std::string message;  // rendered issues, or the plan-time message; without API prefixes
  // kPlan, checked: the result type, as the API names it. A wrong type is reported before a plan
  // that fails.
  std::string result_type;
};

struct CompileOptions {
  bool check = true;  // false: conformance `disableCheck`
};

// Null and `failure` filled when the expression does not compile. `env` must outlive the program.
std::shared_ptr<const Program> Compile(std::shared_ptr<const Env> env, std::string_view source,
                                       CompileFailure& failure, const CompileOptions& options = {});

// Supplies the values of variables by name at evaluation time.
class Activation {
 public:
  virtual ~Activation() = default;
  // Called at most once per variable and evaluation. Returns false when the name is unbound
  // (`no such attribute(s): NAME`).
  virtual bool Resolve(std::string_view name, doc::Value& out) = 0;
};

// Name -> value pairs.
class MapActivation : public Activation {
 public:
  void Bind(std::string_view name, const doc::Value& value) { values_.emplace_back(name, value); }
  bool Resolve(std::string_view name, doc::Value& out) override;

 private:
  std::vector<std::pair<std::string, doc::Value>> values_;
};

struct EvalOptions {
  EvalHost* host = nullptr;
  bool track_cost = true;
  std::uint64_t cost_limit = 0;  // 0 = the environment's
  const std::atomic<bool>* interrupt =
      nullptr;             // polled every 100 loop steps: `operation interrupted`
  Trace* trace = nullptr;  // records node values (explain); slow
};

struct EvalResult {
  doc::Value value;        // an error is a value of tag kError
  std::uint64_t cost = 0;  // as the API server counts it, also for errors
};

EvalResult Evaluate(const Program& program, Activation& activation, base::Arena& arena,
                    const EvalOptions& options = {});

// The message of an error value.
inline std::string_view ErrorMessage(const doc::Value& error) { return error.error()->message; }

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_PROGRAM_H_
