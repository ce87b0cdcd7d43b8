#include "policy/kyverno_cel/evaluate.h"

#include "cel/kyverno/now.h"
#include "policy/blame.h"
#include "policy/kyverno_cel/constraints.h"

namespace portcullis::policy::kyverno_cel {
namespace {

// Keys that speak for the message of a report instead of being properties of it (2.8).
bool IsMessageKey(std::string_view key, Outcome outcome) {
  if (key == "message") return true;
  switch (outcome) {
    case Outcome::kPass:
      return key == "passMessage";
    case Outcome::kFail:
      return key == "failMessage";
    case Outcome::kWarn:
      return key == "warnMessage";
    case Outcome::kError:
      return key == "errorMessage";
    case Outcome::kSkip:
      return key == "skipMessage";
  }
  return false;
}

// Which of Kyverno's controllers reports the results of the policy.
std::string_view ProcessOf(const PolicyCommon& policy) {
  const std::string& kind = policy.info.kind;
  if (kind.ends_with("DeletingPolicy")) return {};
  if (policy.background && !kind.ends_with("GeneratingPolicy")) return "background scan";
  return policy.admission ? "admission review" : std::string_view();
}

std::string Actions(const PolicyCommon& policy) {
  std::string out;
  const auto add = [&](bool wanted, std::string_view name) {
    if (!wanted) return;
    if (!out.empty()) out += ',';
    out += name;
  };
  add(policy.deny, "Deny");
  add(policy.audit, "Audit");
  add(policy.warn, "Warn");
  return out;
}

}  // namespace

const PolicyCommon* Applicable(const PolicyCommon& policy, RequestContext& context,
                               Evaluation& out) {
  if (policy.mode == Mode::kJson) return &policy;
  if (!policy.info.ns.empty() && policy.info.ns != context.request.ns) return nullptr;
  const auto matches = [&](const PolicyCommon& rule) {
    const ConstraintsResult result = MatchConstraints(rule.constraints, context);
    if (!result.error.empty()) {
      out.Set(Outcome::kError, "match", "failed to execute matching: " + result.error);
    }
    return result.matched || !result.error.empty();
  };
  if (matches(policy)) return &policy;
  for (const auto& variant : policy.variants) {
    if (!matches(*variant)) continue;
    if (!out.matched && !variant->compile_error.empty()) {
      out.Set(Outcome::kError, "evaluation", "failed to compile policy: " + variant->compile_error);
    }
    return variant.get();
  }
  return nullptr;
}

exceptions::Grants GrantsOf(const PolicyCommon& policy, bool controls, bool partial,
                            Activation& activation, RequestContext& context, Evaluation& out) {
  if (policy.exceptions.empty()) return {};
  exceptions::GrantRules rules;
  rules.fail = policy.fail;
  rules.partial = partial;
  rules.controls = controls;
  rules.explain = context.explain_failures;
  rules.now_ns = cel::NowOf(&context);
  exceptions::Grants grants = exceptions::Evaluate(policy.exceptions, rules, activation,
                                                   context.arena, activation.options());
  // What narrows the policy leaves no mark on its result.
  if (grants.full) {
    for (const exceptions::PolicyException* exception : grants.granted) {
      out.exceptions.push_back(exception->Key());
    }
  }
  out.withheld = std::move(grants.withheld);
  return grants;
}

void Exempt(const exceptions::Grants& grants, Evaluation& out) {
  std::string message = grants.report_pass ? "rule is passed due to policy exception: "
                                           : "rule is skipped due to policy exception: ";
  message += exceptions::KeysOf(grants.granted);
  out.Set(grants.report_pass ? Outcome::kPass : Outcome::kSkip, "exception", std::move(message));
}

void Blame(const Expression& expression, Activation& activation, RequestContext& context,
           Evaluation& out) {
  if (!context.explain_failures) return;
  BlamedMember member = FindBlamedMember(*expression.program, activation, context.request.object,
                                         context.request.old_object, context);
  out.resource_path = std::move(member.path);
  out.value = std::move(member.value);
}

bool Annotate(const PolicyCommon& policy, Activation& activation, RequestContext& context,
              char quote, Evaluation& out, std::string& error) {
  for (const AuditAnnotation& annotation : policy.audit_annotations) {
    const doc::Value value =
        cel::Evaluate(*annotation.value.program, activation, context.arena, activation.options())
            .value;
    if (value.is_error()) {
      error = "failed to evaluate auditAnnotation ";
      error += quote + annotation.key + quote + ": ";
      error += cel::ErrorMessage(value);
      return false;
    }
    if (value.is_string() && value.size() != 0) {
      out.properties.emplace_back(annotation.key, value.as_string());
    }
  }
  return true;
}

void AddRow(const PolicyCommon& policy, const PolicyInfo& info, Evaluation evaluation,
            Verdict& verdict) {
  if (!verdict.want_rows) return;
  ResultRow& row = verdict.rows.emplace_back();
  row.policy = &info;
  row.rule = std::move(evaluation.rule);
  row.outcome =
      evaluation.outcome == Outcome::kFail && !info.scored ? Outcome::kWarn : evaluation.outcome;
  row.message = std::move(evaluation.message);
  row.action = Actions(policy);
  row.policy_path = std::move(evaluation.path);
  row.expression = std::move(evaluation.expression);
  row.path = std::move(evaluation.resource_path);
  row.value = std::move(evaluation.value);
  row.exceptions = std::move(evaluation.exceptions);
  row.withheld_exceptions = std::move(evaluation.withheld);
  const std::string* general = nullptr;
  const std::string* special = nullptr;
  for (const auto& [key, value] : evaluation.properties) {
    if (!IsMessageKey(key, row.outcome)) continue;
    (key == "message" ? general : special) = &value;
  }
  if (const std::string* text = general != nullptr ? general : special; text != nullptr) {
    row.message = *text;
  }
  row.properties = std::move(evaluation.properties);
  if (const std::string_view process = ProcessOf(policy); !process.empty()) {
    row.properties.emplace_back("process", process);
  }
}

IndexEntry IndexEntryOf(const PolicyCommon& policy) {
  // A rule without resources meets no request.
  if (policy.mode != Mode::kKubernetes) return {{match::Rule()}, false};
  IndexEntry out{policy.constraints.rules, false};
  for (const auto& variant : policy.variants) {
    // No rules match everything.
    if (out.rules.empty() || variant->constraints.rules.empty()) return {};
    out.rules.insert(out.rules.end(), variant->constraints.rules.begin(),
                     variant->constraints.rules.end());
  }
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
