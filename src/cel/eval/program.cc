#include "cel/eval/program.h"

#include <utility>

#include "cel/eval/evaluator.h"
#include "cel/plan/plan.h"
#include "cel/syntax/parser.h"

namespace portcullis::cel {

struct ProgramBuilder {
  static std::shared_ptr<const Program> Build(std::unique_ptr<Plan> plan) {
    std::shared_ptr<Program> program(new Program());
    program->plan_ = std::move(plan);
    return program;
  }
};

Program::Program() = default;
Program::~Program() = default;

std::string_view Program::source() const { return plan_->checked.ast.source; }
const CheckedAst& Program::checked() const { return plan_->checked; }
std::span<const std::string> Program::variables() const { return plan_->variables; }

std::shared_ptr<const Program> Compile(std::shared_ptr<const Env> env, std::string_view source,
                                       CompileFailure& failure, const CompileOptions& options) {
  Ast ast;
  Issues issues;
  failure.stage = CompileFailure::Stage::kCompile;
  if (!Parse(source, env->options.parser, ast, issues)) {
    failure.message = issues.Render(source);
    return nullptr;
  }
  auto plan = std::make_unique<Plan>();
  plan->env = std::move(env);
  if (options.check) {
    if (!Check(*plan->env, std::move(ast), plan->checked, issues)) {
      failure.message = issues.Render(source);
      return nullptr;
    }
  } else {
    ResolveUnchecked(*plan->env, std::move(ast), plan->checked);
  }
  if (!BuildPlan(*plan, failure.message)) {
    failure.stage = CompileFailure::Stage::kPlan;
    if (options.check) failure.result_type = RuntimeName(*plan->checked.result_type);
    return nullptr;
  }
  return ProgramBuilder::Build(std::move(plan));
}

bool MapActivation::Resolve(std::string_view name, doc::Value& out) {
  for (auto at = values_.rbegin(); at != values_.rend(); ++at) {
    if (at->first == name) {
      out = at->second;
      return true;
    }
  }
  return false;
}

EvalResult Evaluate(const Program& program, Activation& activation, base::Arena& arena,
                    const EvalOptions& options) {
  Evaluator evaluator(program.plan(), activation, arena, options);
  return evaluator.Run();
}

}  // namespace portcullis::cel
