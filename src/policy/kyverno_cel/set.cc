#include "policy/kyverno_cel/set.h"

#include <string>

#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/evaluate.h"

namespace portcullis::policy::kyverno_cel {
namespace {

std::string Actions(const Policy& policy) {
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

void AddRow(const Policy& policy, const Evaluation& evaluation, Verdict& verdict) {
  if (!verdict.want_rows) return;
  ResultRow& row = verdict.rows.emplace_back();
  row.policy = &policy.info;
  row.rule = evaluation.rule;
  row.outcome =
      evaluation.outcome == Outcome::kFail && !policy.scored ? Outcome::kWarn : evaluation.outcome;
  row.message = evaluation.message;
  row.action = Actions(policy);
  if (evaluation.validation) {
    row.policy_path = Child(Index("spec.validations", *evaluation.validation), "expression");
    row.expression = policy.validations[*evaluation.validation].expression.source;
  }
}

}  // namespace

void Set::Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                   Verdict& verdict) const {
  std::string denied;
  for (const std::uint32_t number : candidates) {
    const Policy& policy = *policies_[number];
    const Evaluation evaluation = Evaluate(policy, context);
    if (!evaluation.matched) continue;
    AddRow(policy, evaluation, verdict);
    const bool failed = evaluation.outcome == Outcome::kFail;
    if (!failed && evaluation.outcome != Outcome::kError) continue;
    std::string text = "Policy " + policy.info.name + (failed ? " failed: " : " error: ");
    text += evaluation.message;
    if (policy.warn) verdict.warnings.push_back(text);
    if (policy.deny) {
      if (!denied.empty()) denied += "; ";
      denied += text;
    }
  }
  if (denied.empty()) return;
  // The answer of a webhook has neither reason nor details; the API server makes it a 400.
  Status status;
  status.code = 400;
  status.has_details = false;
  status.message = std::move(denied);
  verdict.denials.push_back(std::move(status));
}

}  // namespace portcullis::policy::kyverno_cel
