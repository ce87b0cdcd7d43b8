#include "policy/kyverno_cel/mutating_evaluate.h"

#include <utility>

#include "policy/admission/apply_mutation.h"
#include "policy/admission/field_error.h"
#include "policy/admission/mutation_values.h"
#include "policy/kyverno_cel/constraints.h"
#include "policy/kyverno_cel/explain.h"
#include "policy/kyverno_cel/mutating_targets.h"
#include "policy/kyverno_cel/produced.h"
#include "schema/type_table.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kNoExtraction =
    "extraction mode: mutation for custom workload CRDs is not yet supported";

const schema::TypeTable& TypesOf(const RequestContext& context) {
  return context.types != nullptr ? *context.types : schema::TypeTable::Builtin();
}

void Fail(std::string_view error, Evaluation& out) {
  out.Set(Outcome::kError, "evaluation", "failed to evaluate policy: " + std::string(error));
}

// All conditions. False: the policy ends here, and `out` says how.
bool Holds(const MutatingPolicy& policy, std::span<const Expression> conditions,
           std::string_view path, Activation& activation, RequestContext& context,
           Evaluation& out) {
  using State = exceptions::Conditions::State;
  const exceptions::Conditions result = exceptions::EvaluateConditions(
      conditions, true, activation, context.arena, activation.options());
  if (result.state == State::kTrue) return true;
  if (result.state == State::kFalse) {
    out.path = Child(Index(path, result.decided), "expression");
    out.Set(Outcome::kSkip, "", "skip");
  } else if (policy.deny) {
    Fail(result.error, out);
  } else {
    // Under failurePolicy Ignore the request goes on unchanged, and the report tells why.
    out.Set(Outcome::kSkip, "", "skip: " + result.error);
  }
  return false;
}

// The mutations of one policy on the object of one request.
class Run {
 public:
  Run(const MutatingPolicy& policy, Activation& activation, RequestContext& context,
      Evaluation& out)
      : policy_(policy), activation_(activation), context_(context), out_(out) {}

  void Evaluate(std::span<const Expression> conditions, std::string_view conditions_path) {
    const exceptions::Grants grants = GrantsOf(policy_, false, true, activation_, context_, out_);
    if (context_.observer != nullptr) Show(grants);
    if (grants.full) return Exempt(grants, out_);
    if (!grants.error.empty()) return Fail(grants.error, out_);
    activation_.BindExceptions(grants.images, grants.allowed_values);
    activation_.BindVariables();
    if (!Holds(policy_, conditions, conditions_path, activation_, context_, out_)) return;
    const doc::Value before = context_.request.object;
    if (!Mutate()) context_.request.object = before;
  }

 private:
  void Show(const exceptions::Grants& grants) {
    ExpressionDisplay display(policy_, grants, context_);
    display.ShowCommon();
    for (const Mutation& mutation : policy_.mutations) {
      display.Show(mutation.path, mutation.expression);
    }
  }

  bool Mutate() {
    std::string error;
    for (const Mutation& mutation : policy_.mutations) {
      AppliedMutation applied = Apply(mutation);
      if (!applied.error.empty()) {
        out_.path = mutation.path;
        out_.expression = mutation.expression.source;
        Fail(applied.error, out_);
        return false;
      }
      context_.request.object = applied.object;
    }
    if (!Annotate(policy_, activation_, context_, '"', out_, error)) {
      Fail(error, out_);
      return false;
    }
    out_.Set(Outcome::kPass, "", "success");
    return true;
  }

  AppliedMutation Apply(const Mutation& mutation) {
    const doc::Value value = cel::Evaluate(*mutation.expression.program, activation_,
                                           context_.arena, activation_.options())
                                 .value;
    AppliedMutation out;
    if (value.is_error()) {
      out.error = cel::ErrorMessage(value);
      Blame(mutation.expression, activation_, context_, out_);
      return out;
    }
    const match::AdmissionRequest& request = context_.request;
    if (!mutation.json_patch) {
      const schema::Kind* kind =
          TypesOf(context_).FindKind(request.kind.group, request.kind.version, request.kind.kind);
      const ObjectMerge how{kind == nullptr ? nullptr : kind->schema, request.kind,
                            policy_.replace_atomics, true};
      return ApplyObject(context_.arena, value, request.object, how);
    }
    std::vector<patch::Operation> operations;
    if (!ToOperations(context_.arena, value, operations, out.error)) return out;
    if (policy_.move_patch_paths && policy_.group) MovePaths(operations);
    return ApplyOperations(context_.arena, operations, request.object, context_.interrupt);
  }

  // Paths into a Pod become paths into the workload.
  void MovePaths(std::vector<patch::Operation>& operations) {
    const auto move = [this](std::optional<std::string_view>& path) {
      if (path) path = context_.arena.CopyString(autogen::MovePointer(*path, *policy_.group));
    };
    for (patch::Operation& operation : operations) {
      move(operation.path);
      move(operation.from);
    }
  }

  const MutatingPolicy& policy_;
  Activation& activation_;
  RequestContext& context_;
  Evaluation& out_;
};

// One target, with what concerns it kept apart from the trigger.
class TargetRun {
 public:
  TargetRun(const MutatingPolicy& policy, const Target& target, const doc::Value& trigger_request,
            RequestContext& trigger)
      : policy_(policy),
        request_(TargetRequest(target, trigger.request)),
        context_(request_, trigger.providers, trigger.types, trigger.arena),
        activation_(policy, context_) {
    context_.interrupt = trigger.interrupt;
    context_.explain_failures = trigger.explain_failures;
    activation_.Bind("request", trigger_request);
    activation_.Bind("namespaceObject", doc::Value::Null());
  }

  bool Matches(Evaluation& out) {
    // Objects that an expression chose need no rules.
    if (policy_.targets.constraints.rules.empty() && policy_.targets.expression) return true;
    const ConstraintsResult result = MatchConstraints(policy_.targets.constraints, context_);
    if (!result.error.empty()) {
      out.Set(Outcome::kError, "match", "failed to execute matching: " + result.error);
    }
    return result.matched;
  }

  void Evaluate(Evaluation& out) {
    Run(policy_, activation_, context_, out)
        .Evaluate(policy_.targets.conditions, "spec.targetMatchConditions");
  }

  const match::AdmissionRequest& request() const { return request_; }

 private:
  const MutatingPolicy& policy_;
  match::AdmissionRequest request_;
  RequestContext context_;
  Activation activation_;
};

// What the trigger's row says about all of its targets: errors first, then what was changed.
void Summarise(Evaluation of_target, const std::string& name, Evaluation& out) {
  if (of_target.outcome == Outcome::kError && out.outcome != Outcome::kError) {
    out.Set(Outcome::kError, of_target.rule, of_target.message + " (target " + name + ")");
    out.path = std::move(of_target.path);
    out.expression = std::move(of_target.expression);
  } else if (of_target.outcome == Outcome::kPass && out.outcome == Outcome::kSkip) {
    out.Set(Outcome::kPass, "", of_target.message);
    out.path.clear();
  }
  for (std::string& key : of_target.exceptions) out.exceptions.push_back(std::move(key));
  for (std::string& text : of_target.withheld) out.withheld.push_back(std::move(text));
}

}  // namespace

Evaluation EvaluateMutating(const MutatingPolicy& policy, const doc::Value& original,
                            RequestContext& context) {
  Evaluation out;
  const PolicyCommon* applicable = Applicable(policy, context, out);
  if (applicable == nullptr || out.matched) return out;
  const auto& rule = static_cast<const MutatingPolicy&>(*applicable);
  if (rule.group == autogen::Group::kExtract) {
    out.Set(Outcome::kSkip, "", std::string(kNoExtraction));
    return out;
  }
  Activation activation(rule, context);
  activation.KeepRequestObject(original);
  Run(rule, activation, context, out).Evaluate(rule.match_conditions, "spec.matchConditions");
  return out;
}

Evaluation EvaluateTargets(const MutatingPolicy& policy, RequestContext& context,
                           std::vector<ProducedObject>& produced) {
  Evaluation out;
  if (Applicable(policy, context, out) != &policy || out.matched) return out;
  Activation activation(policy, context);
  activation.BindExceptions({}, {});
  activation.BindVariables();
  if (!Holds(policy, policy.match_conditions, "spec.matchConditions", activation, context, out)) {
    return out;
  }
  FoundTargets found = FindTargets(policy, activation, context);
  if (!found.error.empty()) {
    Fail(found.error, out);
    return out;
  }
  doc::Value request;
  activation.Resolve("request", request);
  out.Set(Outcome::kSkip, "", "no existing object matches targetMatchConstraints");
  for (const Target& target : found.targets) {
    TargetRun run(policy, target, request, context);
    const std::string name = DescribeObject(target.object);
    Evaluation of_target;
    const bool matches = run.Matches(of_target);
    if (matches) run.Evaluate(of_target);
    if (!of_target.matched) continue;
    if (of_target.outcome == Outcome::kPass && of_target.rule.empty()) {
      TellProduced(kPatchedProperty, target.object, out);
      produced.push_back(
          {ProducedObject::Kind::kMutatedTarget, &policy.info, {}, run.request().object});
    }
    Summarise(std::move(of_target), name, out);
  }
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
