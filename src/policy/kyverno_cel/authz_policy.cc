#include "policy/kyverno_cel/authz_policy.h"

#include <string>

#include "cel/kyverno/authz.h"
#include "policy/admission/decode.h"
#include "policy/kyverno_cel/activation.h"

namespace portcullis::policy::kyverno_cel {
namespace {

cel::AuthzMode ModeOf(const PolicyCommon& policy) {
  return policy.mode == Mode::kHttp ? cel::AuthzMode::kHttp : cel::AuthzMode::kEnvoy;
}

class Run {
 public:
  Run(const ValidatingPolicy& policy, RequestContext& context, Evaluation& out)
      : policy_(policy), context_(context), activation_(policy, context), out_(out) {}

  void Evaluate() {
    const doc::Value request =
        cel::CompleteAuthzRequest(ModeOf(policy_), context_.request.object, context_.arena);
    activation_.Bind("object", request);
    using State = exceptions::Conditions::State;
    const exceptions::Conditions conditions = exceptions::EvaluateConditions(
        policy_.match_conditions, policy_.fail, activation_, context_.arena, activation_.options());
    if (conditions.state == State::kError) return Set(Outcome::kError, conditions.error);
    if (conditions.state == State::kFalse) return Set(Outcome::kSkip, "request does not match");
    activation_.BindVariables();
    for (std::size_t i = 0; i < policy_.answers.size(); ++i) {
      const doc::Value value = cel::Evaluate(*policy_.answers[i].program, activation_,
                                             context_.arena, activation_.options())
                                   .value;
      if (value.is_null()) continue;
      out_.path = Child(Index("spec.validations", i), "expression");
      out_.expression = policy_.answers[i].source;
      return Answer(value);
    }
    Set(Outcome::kSkip, "request does not match");
  }

 private:
  void Answer(const doc::Value& value) {
    cel::AuthzAnswer answer;
    if (value.is_error()) {
      Set(Outcome::kError, std::string(cel::ErrorMessage(value)));
    } else if (!cel::ReadAuthzAnswer(value, answer)) {
      Set(Outcome::kError, "the expression yields neither an answer nor null");
    } else if (answer.allowed) {
      Set(Outcome::kPass, "request allowed");
    } else if (policy_.mode == Mode::kHttp) {
      Set(Outcome::kFail, "request denied, reason: " + std::string(answer.reason));
    } else {
      Set(Outcome::kFail, "request denied with status code " + std::to_string(answer.code));
    }
  }

  void Set(Outcome outcome, std::string message) {
    out_.Set(outcome, policy_.info.name, std::move(message));
  }

  const ValidatingPolicy& policy_;
  RequestContext& context_;
  Activation activation_;
  Evaluation& out_;
};

}  // namespace

void CompileAuthz(const doc::Value& spec, ValidatingPolicy& policy, FieldErrors& errors) {
  Scope scope(cel::KyvernoAuthzEnvironment(ModeOf(policy)));
  policy.match_conditions = CompileConditions(spec, "matchConditions", scope, errors);
  if (errors.empty()) CompileVariables(spec, scope, policy, errors);
  const auto items = Items(spec, "validations");
  for (std::size_t i = 0; i < items.size() && errors.empty(); ++i) {
    policy.answers.push_back(
        scope.Compile(items[i].StringAt("expression"), exceptions::ResultType::kAny,
                      Child(Index("spec.validations", i), "expression"), errors));
  }
}

Evaluation EvaluateAuthz(const ValidatingPolicy& policy, RequestContext& context) {
  Evaluation out;
  Run(policy, context, out).Evaluate();
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
