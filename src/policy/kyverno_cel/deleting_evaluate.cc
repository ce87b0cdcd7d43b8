#include "policy/kyverno_cel/deleting_evaluate.h"

#include "base/time.h"
#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/explain.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kPath = "spec.conditions";
constexpr std::int64_t kNanoseconds = 1'000'000'000;

class Run {
 public:
  Run(const DeletingPolicy& policy, RequestContext& context, Evaluation& out)
      : policy_(policy), context_(context), activation_(policy, context), out_(out) {}

  void Evaluate() {
    // There is no request, and a Namespace is in itself.
    activation_.Unbind("request");
    activation_.Unbind("oldObject");
    const match::AdmissionRequest& request = context_.request;
    if (request.kind.group.empty() && request.kind.kind == "Namespace") {
      activation_.Bind("namespaceObject", request.object);
    }
    activation_.BindVariables();
    const exceptions::Grants grants = GrantsOf(policy_, false, false, activation_, context_, out_);
    if (context_.observer != nullptr)
      ExpressionDisplay(policy_, grants, context_).ShowCommon(kPath);
    if (grants.full) return Exempt(grants, out_);
    if (!grants.error.empty()) return Fail(grants.error);
    activation_.BindExceptions(grants.images, grants.allowed_values);
    using State = exceptions::Conditions::State;
    const exceptions::Conditions conditions = exceptions::EvaluateConditions(
        policy_.match_conditions, true, activation_, context_.arena, activation_.options());
    switch (conditions.state) {
      case State::kError:
        return Fail(conditions.error);
      case State::kFalse:
        out_.path = Child(Index(kPath, conditions.decided), "expression");
        out_.expression = policy_.match_conditions[conditions.decided].source;
        Blame(policy_.match_conditions[conditions.decided], activation_, context_, out_);
        return out_.Set(Outcome::kFail, policy_.info.name, Subject() + " did not match");
      case State::kTrue:
        out_.Set(Outcome::kPass, policy_.info.name, Subject() + " matched");
        AddNextRun();
    }
  }

 private:
  // A payload has no kind.
  std::string Subject() const { return context_.request.kind.kind.empty() ? "json" : "resource"; }

  void Fail(std::string_view error) {
    out_.Set(Outcome::kError, policy_.info.name,
             "failed to evaluate policy: " + std::string(error));
  }

  // When the object goes, as far as the clock of the run can tell.
  void AddNextRun() {
    const provider::Clock* clock = context_.clock();
    if (clock == nullptr || !policy_.schedule) return;
    const std::int64_t now = clock->NowNanoseconds() / kNanoseconds;
    const auto next = policy_.schedule->Next(now);
    if (next) out_.properties.emplace_back("nextRun", base::FormatRfc3339({*next, 0, 0}));
  }

  const DeletingPolicy& policy_;
  RequestContext& context_;
  Activation activation_;
  Evaluation& out_;
};

}  // namespace

Evaluation EvaluateDeleting(const DeletingPolicy& policy, RequestContext& context) {
  Evaluation out;
  const PolicyCommon* applicable = Applicable(policy, context, out);
  if (applicable == nullptr || out.matched) return out;
  Run(policy, context, out).Evaluate();
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
