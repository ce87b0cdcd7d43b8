#include "cli/test_checks.h"

#include "assert/assertion_tree.h"
#include "doc/edit.h"

namespace portcullis::cli {
namespace {

using doc::Value;

Value Text(base::Arena& arena, std::string_view text) { return doc::MakeString(arena, text); }

// What `assert` and `error` are about.
Value RuleSubject(const testfile::RuleResponse& rule, const testfile::Response& response,
                  base::Arena& arena) {
  const bool mutates = response.policy_kind.find("Mutating") != std::string::npos;
  doc::MapBuilder out;
  out.Set("name", Text(arena, rule.rule));
  out.Set("ruleType", Value::String(rule.generates ? "Generation"
                                    : mutates      ? "Mutation"
                                                   : "Validation"));
  out.Set("message", Text(arena, rule.message));
  out.Set("status", Text(arena, policy::OutcomeName(rule.outcome)));
  doc::ListBuilder exceptions;
  for (const std::string& name : rule.exceptions) exceptions.Add(Text(arena, name));
  out.Set("exceptions", exceptions.Build(arena));
  return out.Build(arena);
}

class CheckRun {
 public:
  CheckRun(const testfile::Check& check, TestInputs& inputs, bool strict, testfile::Rows& out)
      : check_(check), inputs_(inputs), strict_(strict), out_(out) {}

  void Run() {
    const auto runs = inputs_.runs().find("");
    if (runs != inputs_.runs().end()) {
      for (const testfile::Subject& subject : runs->second.triggers) Visit(subject);
    }
    if (selected_ != 0 || broken_) return;
    const std::string text = "the check selects no result";
    out_.notes.emplace_back(base::ErrorCode::kNotFound, text, check_.path);
    if (!strict_) return;
    testfile::Row row = NewRow("", "", "");
    row.reason = text;
    row.message = text;
    out_.rows.push_back(std::move(row));
  }

 private:
  testfile::Row NewRow(std::string policy, std::string rule, std::string resource) const {
    testfile::Row row;
    row.policy = std::move(policy);
    row.rule = std::move(rule);
    row.resource = std::move(resource);
    row.path = check_.path;
    return row;
  }

  // Whether the tree holds; what cannot be evaluated becomes a failed row, once.
  bool Selects(const Value& tree, const Value& subject) {
    const assertion::Outcome outcome = assertion::Evaluate(tree, subject, inputs_.arena());
    if (!outcome.errors.empty()) Break(outcome);
    return outcome.holds();
  }

  void Break(const assertion::Outcome& outcome) {
    if (broken_) return;
    broken_ = true;
    testfile::Row row = NewRow("", "", "");
    row.reason = outcome.errors.front().message;
    row.message = outcome.errors.front().path + ": " + outcome.errors.front().message;
    out_.rows.push_back(std::move(row));
  }

  void Visit(const testfile::Subject& subject) {
    for (const testfile::Response& response : subject.responses) {
      if (broken_) return;
      const Value* policy = inputs_.PolicyDocument(response);
      if (!Selects(check_.match_resource, response.object)) continue;
      if (policy == nullptr || !Selects(check_.match_policy, *policy)) continue;
      for (const testfile::RuleResponse& rule : response.rules) {
        doc::MapBuilder name;
        name.Set("name", Text(inputs_.arena(), rule.rule));
        if (!Selects(check_.match_rule, name.Build(inputs_.arena()))) continue;
        ++selected_;
        Check(subject, response, rule);
      }
    }
  }

  void Check(const testfile::Subject& subject, const testfile::Response& response,
             const testfile::RuleResponse& rule) {
    const Value value = RuleSubject(rule, response, inputs_.arena());
    testfile::Row row = NewRow(response.policy, rule.rule, subject.Key());
    row.expected = "check";
    row.actual = policy::OutcomeName(rule.outcome);
    row.ok = true;
    row.reason = "Ok";
    row.message = rule.message;
    if (!check_.assert_tree.is_null()) {
      const assertion::Outcome outcome =
          assertion::Evaluate(check_.assert_tree, value, inputs_.arena());
      if (!outcome.errors.empty()) {
        Break(outcome);
        return;
      }
      if (!outcome.violations.empty()) {
        row.ok = false;
        row.reason = "Assertion failed";
        row.message.clear();
        for (const assertion::Violation& violation : outcome.violations) {
          if (!row.message.empty()) row.message += "\n";
          row.message += violation.path + ": " + violation.message;
        }
      }
    }
    if (row.ok && !check_.error_tree.is_null()) {
      const assertion::Outcome outcome =
          assertion::Evaluate(check_.error_tree, value, inputs_.arena());
      if (!outcome.errors.empty()) {
        Break(outcome);
        return;
      }
      if (outcome.holds()) {
        row.ok = false;
        row.reason = "The assertion succeeded but was expected to fail";
        row.message = row.reason;
      }
    }
    out_.rows.push_back(std::move(row));
  }

  const testfile::Check& check_;
  TestInputs& inputs_;
  bool strict_;
  testfile::Rows& out_;
  std::size_t selected_ = 0;
  bool broken_ = false;
};

}  // namespace

void RunChecks(std::span<const testfile::Check> checks, TestInputs& inputs, bool strict,
               testfile::Rows& out) {
  for (const testfile::Check& check : checks) CheckRun(check, inputs, strict, out).Run();
}

}  // namespace portcullis::cli
