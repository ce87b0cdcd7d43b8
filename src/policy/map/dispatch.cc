#include "policy/map/dispatch.h"

#include <utility>
#include <vector>

#include "base/gotext.h"
#include "doc/equal.h"
#include "policy/admission/convert.h"
#include "policy/admission/denial.h"
#include "policy/admission/evaluator.h"
#include "policy/admission/explain.h"
#include "policy/admission/invocation.h"
#include "policy/map/mutate.h"
#include "schema/type_table.h"

namespace portcullis::policy {
namespace {

// The object as policies that matched one kind see and change it.
struct WorkingCopy {
  match::GroupVersionKind kind;
  doc::Value object;
  bool written = false;
  bool go_structs = false;  // see MatchedView
};

struct Tuple {
  const MutatingPolicy* policy = nullptr;
  Invocation invocation;
  MatchedView view;
  std::size_t copy = 0;
};

class Dispatcher {
 public:
  Dispatcher(int pass, ReinvocationState& state, RequestContext& context, Verdict& verdict)
      : pass_(pass), state_(state), context_(context), verdict_(verdict) {}

  bool Run(std::span<const MutatingPolicy* const> policies) {
    for (const MutatingPolicy* policy : policies) {
      if (!Collect(*policy)) return false;
    }
    if (namespace_failure_) {
      verdict_.fatal = std::move(namespace_failure_);
      return false;
    }
    if (pass_ > 0 && state_.OutputChanged(context_.request.object)) state_.MarkPrevious();
    bool completed = true;
    for (Tuple& tuple : tuples_) {
      completed = Invoke(tuple);
      if (!completed) break;
    }
    if (completed && !tuples_.empty()) completed = WriteBack();
    if (!tuples_.empty()) state_.SetOutput(context_.request.object);
    if (completed && !denial_.causes.empty()) verdict_.denials.push_back(std::move(denial_));
    return completed && again_;
  }

 private:
  // All tuples are known before the first mutation: later ones do not change what matches.
  bool Collect(const MutatingPolicy& policy) {
    const bool unbound = policy.bindings.empty();
    PolicyInvocations found = CollectInvocations(policy.core, policy.bindings, unbound, context_);
    if (found.fatal) {
      verdict_.fatal = std::move(found.fatal);
      return false;
    }
    for (const ConfigError& error : found.errors) {
      Record(policy, error.binding, error.message, "Forbidden", {});
    }
    if (found.invocations.empty()) return true;
    ViewResult built = BuildView(found.match, context_);
    if (!built.conversion_error.empty()) {
      const BindingCore* last = nullptr;
      for (const Invocation& invocation : found.invocations) {
        if (invocation.binding != nullptr && invocation.binding == last) continue;
        last = invocation.binding;
        Record(policy, last, "failed to configure binding: " + built.conversion_error, "Forbidden",
               {});
      }
      return true;
    }
    if (built.fatal && !namespace_failure_) namespace_failure_ = std::move(built.fatal);
    const std::size_t copy = CopyFor(built.view);
    for (Invocation& invocation : found.invocations) {
      tuples_.push_back({&policy, std::move(invocation), built.view, copy});
    }
    return true;
  }

  std::size_t CopyFor(const MatchedView& view) {
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      if (copies_[i].kind == view.kind) return i;
    }
    copies_.push_back({view.kind, view.object});
    return copies_.size() - 1;
  }

  // False: the request ends here.
  bool Invoke(Tuple& tuple) {
    WorkingCopy& copy = copies_[tuple.copy];
    const MutatingPolicy& policy = *tuple.policy;
    const BindingCore* binding = tuple.invocation.binding;
    tuple.view.object = copy.object;
    if (context_.observer != nullptr) {
      ShowCommonExpressions(policy.core, tuple.invocation, tuple.view, context_);
    }
    const ConditionsResult conditions =
        EvaluateMatchConditions(policy.core, tuple.invocation, tuple.view, context_);
    // Match conditions leave the object so for whatever comes later.
    if (!policy.core.match_conditions.empty()) copy.go_structs = true;
    if (conditions.state == ConditionsResult::State::kError) {
      Record(policy, binding, conditions.error, "Invalid", "spec.matchConditions");
      return true;
    }
    if (conditions.state == ConditionsResult::State::kNotMatched) {
      AddRow(policy, binding, Outcome::kSkip, "match conditions aren't met",
             "spec.matchConditions");
      return true;
    }
    InvocationKey key{policy.core.info.name, binding != nullptr ? binding->name : std::string(),
                      tuple.invocation.param_key};
    if (pass_ > 0 && !state_.Marked(key)) return true;
    const doc::Value before = copy.object;
    if (!RunAll(tuple, copy)) return false;
    if (!doc::DataEqual(before, copy.object)) {
      state_.MarkPrevious();
      again_ = true;
    }
    if (policy.reinvoke_if_needed) state_.Keep(std::move(key));
    return true;
  }

  bool RunAll(Tuple& tuple, WorkingCopy& copy) {
    const MutatingPolicy& policy = *tuple.policy;
    const BindingCore* binding = tuple.invocation.binding;
    bool failed = false;
    const doc::Value before = copy.object;
    for (const Mutation& mutation : policy.mutations) {
      last_copy_ = tuple.copy;
      has_last_ = true;
      if (copy.object.is_null()) continue;
      tuple.view.object = copy.object;
      tuple.view.go_structs = copy.go_structs;
      MutationResult result = RunMutation(policy, mutation, tuple.invocation, tuple.view, context_);
      if (result.fatal) {
        verdict_.fatal = std::move(result.fatal);
        return false;
      }
      if (!result.error.empty()) {
        Record(policy, binding, result.error, "Invalid", mutation.path);
        if (verdict_.want_rows) verdict_.rows.back().expression = mutation.expression.source;
        failed = true;
        continue;
      }
      copy.object = result.object;
      copy.written = true;
    }
    if (!failed && pass_ == 0) {
      const bool changed = !doc::DataEqual(before, copy.object);
      AddRow(policy, binding, changed ? Outcome::kPass : Outcome::kSkip,
             changed ? "mutation is successfully applied" : "the mutation changes nothing", {});
      if (verdict_.want_rows) verdict_.rows.back().object = copy.object;
    }
    return true;
  }

  // The copy of the last tuple becomes the request's object. Whether or not it differs, a mutation
  // that was applied asks for another pass.
  bool WriteBack() {
    if (!has_last_) return true;
    const WorkingCopy& copy = copies_[last_copy_];
    if (!copy.written) return true;
    state_.MarkPrevious();
    again_ = true;
    const match::GroupVersionKind& wanted = context_.request.kind;
    doc::Value object = copy.object;
    if (copy.kind != wanted) {
      const auto converted =
          ConvertObject(object, copy.kind, wanted, context_.types, context_.arena);
      if (converted) object = *converted;
    }
    const std::string changed = ChangedKindError(object, wanted, context_.types);
    if (!changed.empty()) {
      verdict_.fatal = InternalErrorStatus(changed);
      return false;
    }
    context_.request.object = object;
    return true;
  }

  // An error of a policy. Under failurePolicy Ignore it only shows in the report.
  void Record(const MutatingPolicy& policy, const BindingCore* binding, const std::string& text,
              std::string_view reason, std::string_view path) {
    AddRow(policy, binding, Outcome::kError, text, path);
    if (!policy.core.fail) return;
    const std::string message =
        (binding != nullptr
             ? "policy '" + policy.core.info.name + "' with binding '" + binding->name + "'"
             : "policy " + base::GoQuote(policy.core.info.name)) +
        " denied request: " + text;
    if (denial_.causes.empty()) {
      denial_ = ForbiddenStatus(context_.request, {});
      denial_.message = message;
      denial_.reason = reason;
    }
    denial_.causes.push_back({"", message, ""});
  }

  void AddRow(const MutatingPolicy& policy, const BindingCore* binding, Outcome outcome,
              const std::string& message, std::string_view path) {
    if (!verdict_.want_rows) return;
    ResultRow row;
    row.policy = &policy.core.info;
    if (binding != nullptr) row.binding = binding->name;
    row.outcome = outcome;
    row.message = message;
    if (outcome == Outcome::kError && policy.core.fail) row.action = "Deny";
    row.policy_path = path;
    verdict_.rows.push_back(std::move(row));
  }

  int pass_;
  ReinvocationState& state_;
  RequestContext& context_;
  Verdict& verdict_;
  std::vector<Tuple> tuples_;
  std::vector<WorkingCopy> copies_;
  std::optional<Status> namespace_failure_;
  std::size_t last_copy_ = 0;
  bool has_last_ = false;
  bool again_ = false;
  Status denial_;
};

}  // namespace

bool DispatchMutations(std::span<const MutatingPolicy* const> policies, int pass,
                       ReinvocationState& state, RequestContext& context, Verdict& verdict) {
  if (context.request.operation == match::Operation::kDelete ||
      match::ExemptFromPolicies(context.request)) {
    return false;
  }
  return Dispatcher(pass, state, context, verdict).Run(policies);
}

}  // namespace portcullis::policy
