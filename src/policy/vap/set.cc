#include "policy/vap/set.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/gotext.h"
#include "policy/admission/denial.h"
#include "policy/admission/invocation.h"
#include "policy/vap/evaluate.h"

namespace portcullis::policy::vap {
namespace {

constexpr std::string_view kFailureAnnotation =
    "validation.policy.admission.k8s.io/validation_failure";
constexpr std::size_t kMaxFailures = 50;
constexpr std::size_t kMaxAnnotationValue = 10 * 1024;

int CodeOf(std::string_view reason) {
  if (reason == "Forbidden") return 403;
  if (reason == "Unauthorized") return 401;
  if (reason == "RequestEntityTooLarge") return 413;
  return 422;
}

// Distinct values of one policy's audit annotations, by key, in order of first appearance.
class AnnotationCollector {
 public:
  void Add(const std::string& key, std::string value) {
    if (value.size() > kMaxAnnotationValue) value.resize(kMaxAnnotationValue);
    for (auto& entry : entries_) {
      if (entry.first != key) continue;
      if (std::find(entry.second.begin(), entry.second.end(), value) == entry.second.end()) {
        entry.second.push_back(std::move(value));
      }
      return;
    }
    entries_.push_back({key, {std::move(value)}});
  }

  void Publish(const std::string& policy, Verdict& verdict) const {
    for (const auto& [key, values] : entries_) {
      std::string joined;
      for (const std::string& value : values) {
        if (!joined.empty()) joined += ", ";
        joined += value;
      }
      verdict.AddAuditAnnotation(policy + "/" + key, joined);
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> entries_;
};

// Evaluates the policies of one request, one after another, into a Verdict.
class Run {
 public:
  Run(RequestContext& context, Verdict& verdict) : context_(context), verdict_(verdict) {}

  // False: the request has failed and nothing more is evaluated.
  bool EvaluatePolicy(const Policy& policy) {
    PolicyInvocations found =
        CollectInvocations(policy.core, policy.cores, !policy.core.info.bound, context_);
    if (found.fatal) {
      verdict_.fatal = std::move(found.fatal);
      return false;
    }
    if (!found.matched) return true;
    failed_ = false;
    passed_ = false;
    skipped_ = false;
    AnnotationCollector annotations;
    for (const ConfigError& error : found.errors) {
      if (error.binding == nullptr) ReportConfigError(policy, nullptr, error.message);
    }
    if (found.invocations.empty() && policy.bindings.empty()) return FinishPolicy(policy);

    const std::size_t count = std::max<std::size_t>(policy.bindings.size(), 1);
    for (std::size_t i = 0; i < count; ++i) {
      const Binding* binding = policy.bindings.empty() ? nullptr : policy.bindings[i];
      const BindingCore* core = binding == nullptr ? nullptr : &binding->core;
      for (const ConfigError& error : found.errors) {
        if (core != nullptr && error.binding == core) {
          ReportConfigError(policy, binding, error.message);
        }
      }
      const bool wanted = std::any_of(found.invocations.begin(), found.invocations.end(),
                                      [&](const Invocation& item) { return item.binding == core; });
      if (!wanted) continue;
      ViewResult view = BuildView(found.match, context_);
      if (!view.conversion_error.empty()) {
        ReportConfigError(policy, binding, "failed to configure binding: " + view.conversion_error);
        continue;
      }
      if (view.fatal) {
        verdict_.fatal = std::move(view.fatal);
        AddRow(policy, binding, Outcome::kError, verdict_.fatal->message, {});
        return false;
      }
      for (const Invocation& invocation : found.invocations) {
        if (invocation.binding != core) continue;
        const Evaluation evaluation = Evaluate(policy, invocation, view.view, context_);
        Apply(policy, binding, evaluation, annotations);
      }
    }
    annotations.Publish(policy.core.info.name, verdict_);
    return FinishPolicy(policy);
  }

  void PublishFailures() {
    if (failures_.empty()) return;
    std::string text = "[";
    for (std::size_t i = 0; i < failures_.size(); ++i) {
      if (i != 0) text += ',';
      text += failures_[i];
    }
    verdict_.AddAuditAnnotation(kFailureAnnotation, text + "]");
  }

 private:
  void Apply(const Policy& policy, const Binding* binding, const Evaluation& evaluation,
             AnnotationCollector& annotations) {
    static const std::vector<Action> kUnbound = {Action::kDeny};
    const std::vector<Action>& actions = binding == nullptr ? kUnbound : binding->actions;
    (evaluation.skipped ? skipped_ : passed_) = true;
    for (std::size_t i = 0; i < evaluation.decisions.size(); ++i) {
      const Decision& decision = evaluation.decisions[i];
      if (decision.error) failed_ = true;
      if (decision.error && !decision.deny) {
        AddRow(policy, binding, Outcome::kSkip, decision.message, PathOf(evaluation, i));
        Explain(policy, evaluation, i);
      }
      if (!decision.deny) continue;
      failed_ = true;
      AddRow(policy, binding, decision.error ? Outcome::kError : Outcome::kFail, decision.message,
             PathOf(evaluation, i));
      Explain(policy, evaluation, i);
      for (const Action action : actions) {
        switch (action) {
          case Action::kDeny:
            Deny(policy, binding, decision.message, decision.reason);
            break;
          case Action::kWarn:
            Warn(policy, binding, decision.message);
            break;
          case Action::kAudit:
            RecordFailure(policy, binding, decision.message, i);
            break;
        }
      }
    }
    for (const AnnotationResult& result : evaluation.annotations) {
      if (result.kind == AnnotationResult::Kind::kPublish) {
        annotations.Add(result.annotation->key, result.text);
      } else if (result.kind == AnnotationResult::Kind::kError) {
        failed_ = true;
        AddRow(policy, binding, Outcome::kError, result.text, {});
        Deny(policy, binding, result.text, {});
      }
    }
  }

  // Completes the row just added with what decided.
  void Explain(const Policy& policy, const Evaluation& evaluation, std::size_t index) {
    if (!verdict_.want_rows || evaluation.whole) return;
    ResultRow& row = verdict_.rows.back();
    row.path = evaluation.decisions[index].path;
    row.value = evaluation.decisions[index].value;
    row.expression = policy.validations[index].expression.source;
  }

  static std::string PathOf(const Evaluation& evaluation, std::size_t index) {
    if (evaluation.whole) return {};
    return "spec.validations[" + std::to_string(index) + "].expression";
  }

  void ReportConfigError(const Policy& policy, const Binding* binding, const std::string& message) {
    failed_ = true;
    AddRow(policy, binding, policy.core.fail ? Outcome::kError : Outcome::kSkip, message, {});
    if (policy.core.fail) Deny(policy, binding, message, {});
  }

  void Deny(const Policy& policy, const Binding* binding, const std::string& message,
            std::string_view reason) {
    std::string text = "ValidatingAdmissionPolicy '" + policy.core.info.name + "'";
    if (binding != nullptr) text += " with binding '" + binding->core.name + "'";
    text += " denied request: " + message;
    Status status = ForbiddenStatus(context_.request, text);
    status.reason = reason.empty() ? "Invalid" : std::string(reason);
    status.code = CodeOf(status.reason);
    status.causes.push_back({"", std::move(text), ""});
    verdict_.denials.push_back(std::move(status));
  }

  void Warn(const Policy& policy, const Binding* binding, const std::string& message) {
    verdict_.warnings.push_back("Validation failed for ValidatingAdmissionPolicy '" +
                                policy.core.info.name + "' with binding '" +
                                (binding == nullptr ? "" : binding->core.name) + "': " + message);
  }

  void RecordFailure(const Policy& policy, const Binding* binding, const std::string& message,
                     std::size_t index) {
    if (binding == nullptr || failures_.size() >= kMaxFailures) return;
    std::string text = "{\"message\":";
    base::AppendGoJsonString(text, message);
    text += ",\"policy\":";
    base::AppendGoJsonString(text, policy.core.info.name);
    text += ",\"binding\":";
    base::AppendGoJsonString(text, binding->core.name);
    text += ",\"expressionIndex\":" + std::to_string(index) + ",\"validationActions\":[";
    for (std::size_t i = 0; i < binding->actions.size(); ++i) {
      if (i != 0) text += ',';
      base::AppendGoJsonString(text, ActionName(binding->actions[i]));
    }
    failures_.push_back(text + "]}");
  }

  bool FinishPolicy(const Policy& policy) {
    if (!failed_) {
      if (passed_) {
        AddRow(policy, nullptr, Outcome::kPass, {}, {});
      } else if (skipped_) {
        AddRow(policy, nullptr, Outcome::kSkip, "match conditions aren't met", {});
      }
    }
    return true;
  }

  void AddRow(const Policy& policy, const Binding* binding, Outcome outcome,
              std::string_view message, std::string path) {
    if (!verdict_.want_rows) return;
    ResultRow& row = verdict_.rows.emplace_back();
    row.policy = &policy.core.info;
    row.outcome = outcome;
    row.message = message;
    row.policy_path = std::move(path);
    if (binding == nullptr) {
      row.action = "Deny";
      return;
    }
    row.binding = binding->core.name;
    for (const Action action : binding->actions) {
      if (!row.action.empty()) row.action += ',';
      row.action += ActionName(action);
    }
  }

  RequestContext& context_;
  Verdict& verdict_;
  std::vector<std::string> failures_;  // JSON objects
  bool failed_ = false;                // of the current policy
  bool passed_ = false;
  bool skipped_ = false;
};

}  // namespace

void Set::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                   Verdict& verdict) const {
  if (match::ExemptFromPolicies(context.request)) return;
  Run run(context, verdict);
  for (const std::uint32_t number : candidates) {
    // A report names every policy that meets the failure.
    if (!run.EvaluatePolicy(*policies_[number]) && !verdict.want_rows) return;
  }
  run.PublishFailures();
}

}  // namespace portcullis::policy::vap
