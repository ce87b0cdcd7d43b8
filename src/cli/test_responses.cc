#include "cli/test_responses.h"

#include <algorithm>

#include "policy/family.h"

namespace portcullis::cli {
namespace {

using doc::Value;
using policy::Outcome;

bool IsNative(std::string_view kind) { return kind.ends_with("AdmissionPolicy"); }

// Of several rows of one native policy (validations, bindings, params) the one that decides.
int Weight(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSkip:
      return 0;
    case Outcome::kPass:
      return 1;
    case Outcome::kWarn:
      return 2;
    case Outcome::kFail:
    case Outcome::kError:
      return 3;
  }
  return 0;
}

bool IsEmptyMember(const Value* value) {
  return value == nullptr || value->is_null() ||
         ((value->is_map() || value->is_list()) && value->size() == 0);
}

// The rule that Kyverno shows for a policy without named rules.
std::string RuleOf(const policy::PolicyInfo& info, const std::string& rule) {
  if (!rule.empty()) return rule;
  const std::string_view kind = info.kind;
  const bool named =
      IsNative(kind) || kind.ends_with("GeneratingPolicy") || kind.ends_with("DeletingPolicy");
  return named ? info.name : std::string();
}

}  // namespace

bool IsPolicyKind(const input::Document& document) {
  switch (document.role) {
    case input::DocumentRole::kNativePolicy:
    case input::DocumentRole::kKyvernoPolicy:
    case input::DocumentRole::kKyvernoCelPolicy:
      return true;
    default:
      return false;
  }
}

bool RecordsEmpty(const input::Document& policy) {
  const std::string_view kind = policy.kind;
  if (kind == "ValidatingAdmissionPolicy" || kind.ends_with("ImageValidatingPolicy")) return true;
  if (kind == "MutatingAdmissionPolicy" || kind.ends_with("GeneratingPolicy") ||
      kind.ends_with("DeletingPolicy")) {
    return false;
  }
  if (policy.role != input::DocumentRole::kKyvernoCelPolicy) return true;
  const Value* constraints = doc::LookupKeys(policy.root, {"spec", "matchConstraints"});
  if (constraints == nullptr || !constraints->is_map()) return true;
  const Value* rules = constraints->Find("resourceRules");
  if (rules == nullptr || !rules->is_list() || rules->size() != 1) return true;
  const Value& rule = rules->as_list().front();
  return !IsEmptyMember(rule.Find("resourceNames")) ||
         !IsEmptyMember(constraints->Find("excludeResourceRules")) ||
         !IsEmptyMember(constraints->Find("namespaceSelector")) ||
         !IsEmptyMember(constraints->Find("objectSelector"));
}

bool LacksValidations(const input::Document& policy) {
  if (!policy.kind.ends_with("ValidatingPolicy") && policy.kind != "ValidatingAdmissionPolicy") {
    return false;
  }
  return IsEmptyMember(doc::LookupKeys(policy.root, {"spec", "validations"}));
}

ResponseBuilder::ResponseBuilder(const engine::OfflineResult& result, std::string trigger)
    : result_(result), trigger_(std::move(trigger)) {
  for (const policy::ResultRow& row : result.answer.rows) AddRow(row);
  for (const policy::ProducedObject& produced : result.answer.produced) {
    if (produced.kind != policy::ProducedObject::Kind::kGenerated) continue;
    testfile::Response& response = ResponseOf(*produced.policy);
    const std::string rule = RuleOf(*produced.policy, produced.rule);
    for (testfile::RuleResponse& candidate : response.rules) {
      if (candidate.rule == rule) candidate.generated.push_back(produced.object);
    }
  }
}

testfile::Response& ResponseBuilder::ResponseOf(const policy::PolicyInfo& info) {
  for (testfile::Response& response : responses_) {
    if (response.policy == info.name && response.policy_ns == info.ns &&
        response.policy_kind == info.kind) {
      return response;
    }
  }
  testfile::Response& added = responses_.emplace_back();
  added.policy = info.name;
  added.policy_ns = info.ns;
  added.policy_kind = info.kind;
  added.object = result_.object;
  return added;
}

void ResponseBuilder::AddRow(const policy::ResultRow& row) {
  const policy::PolicyInfo& info = *row.policy;
  testfile::Response& response = ResponseOf(info);
  if (row.object.is_map()) response.object = row.object;
  testfile::RuleResponse rule;
  rule.rule = RuleOf(info, row.rule);
  rule.outcome = row.outcome;
  rule.message = row.message;
  rule.exceptions = row.exceptions;
  rule.generates = std::string_view(info.kind).ends_with("GeneratingPolicy");
  if (IsNative(info.kind) && !response.rules.empty()) {
    testfile::RuleResponse& first = response.rules.front();
    if (Weight(rule.outcome) > Weight(first.outcome)) first = std::move(rule);
    return;
  }
  response.rules.push_back(std::move(rule));
}

std::vector<testfile::Response> ResponseBuilder::Take() { return std::move(responses_); }

void ResponseBuilder::AddTargets(std::vector<testfile::Subject>& targets) const {
  for (const policy::ProducedObject& produced : result_.answer.produced) {
    if (produced.kind != policy::ProducedObject::Kind::kMutatedTarget) continue;
    testfile::Subject subject;
    subject.api_version = produced.object.StringAt("apiVersion");
    subject.kind = produced.object.StringAt("kind");
    if (const Value* metadata = produced.object.Find("metadata"); metadata != nullptr) {
      subject.ns = metadata->StringAt("namespace");
      subject.name = metadata->StringAt("name");
    }
    auto same = std::find_if(targets.begin(), targets.end(), [&](const testfile::Subject& other) {
      return other.SameObject(subject);
    });
    if (same == targets.end()) same = targets.insert(targets.end(), std::move(subject));
    testfile::Response& response = same->responses.emplace_back();
    response.policy = produced.policy->name;
    response.policy_ns = produced.policy->ns;
    response.policy_kind = produced.policy->kind;
    response.object = produced.object;
    testfile::RuleResponse& rule = response.rules.emplace_back();
    rule.rule = RuleOf(*produced.policy, produced.rule);
    rule.message = "success";
  }
}

}  // namespace portcullis::cli
