#include "cli/test_suite.h"

#include <algorithm>
#include <filesystem>

#include "cli/test_checks.h"
#include "cli/test_inputs.h"
#include "testfile/match.h"
#include "testfile/test_file.h"

namespace portcullis::cli {
namespace {

// Keeps the expectations that the filter selects. False: there were some, and none is left.
bool Filter(const testfile::CaseSelector& selector, testfile::TestFile& test) {
  if (selector.selects_all() || test.results.empty()) return true;
  std::vector<testfile::Expectation> kept;
  for (testfile::Expectation& expectation : test.results) {
    if (selector.Select(expectation)) kept.push_back(std::move(expectation));
  }
  test.results = std::move(kept);
  return !test.results.empty();
}

report::TestRow ToReport(const testfile::Row& row, const TestSource::Document& document) {
  report::TestRow out;
  out.policy = row.policy;
  out.rule = row.rule;
  out.resource = row.resource;
  out.expected = row.expected;
  out.actual = row.actual;
  out.ok = row.ok;
  out.vacuous = row.vacuous;
  out.reason = row.reason;
  out.message = row.message;
  if (!row.ok) {
    const base::SourceSpan at = document.Locate(row.path);
    out.location = {at.file, at.line, at.column, row.path};
  }
  return out;
}

// Nothing is expected: the document would pass whatever its policies do.
void ReportEmpty(const Args& args, const TestSource& source, const TestSource::Document& document,
                 DiagnosticSink& sink, report::TestSuite& out) {
  base::Error note(base::ErrorCode::kRequired, "the test has no results: nothing is checked",
                   "results");
  note.span = document.Locate("");
  sink.Warning(note);
  if (!args.strict) return;
  report::TestRow row;
  row.resource = source.path();
  row.reason = note.message;
  row.message = note.message;
  row.location = {note.span.file, note.span.line, note.span.column, ""};
  out.rows.push_back(std::move(row));
}

// Policies that pass everything fail a strict test, whether or not a result names them.
void AddVacuousPolicies(std::span<const testfile::PolicyFact> policies, report::TestSuite& out) {
  for (const testfile::PolicyFact& policy : policies) {
    if (policy.vacuous.empty()) continue;
    report::TestRow row;
    row.policy = policy.ns.empty() ? policy.name : policy.ns + "/" + policy.name;
    row.reason = policy.vacuous;
    row.message = policy.vacuous;
    row.location = {policy.span.file, policy.span.line, policy.span.column, "spec.validations"};
    out.rows.push_back(std::move(row));
  }
}

}  // namespace

SuiteOutcome RunTestDocument(const Args& args, const TestSource& source,
                             const TestSource::Document& document,
                             const testfile::CaseSelector& selector, DiagnosticSink& sink) {
  SuiteOutcome out;
  out.report.file = source.path();
  testfile::Problems problems;
  testfile::TestFile test = testfile::DecodeTest(document.root, problems);
  out.report.name = test.name;
  document.Report(problems, sink);
  if (!problems.errors.empty()) return out;
  if (!Filter(selector, test)) {
    out.selected = false;
    return out;
  }
  if (test.results.empty() && test.checks.empty()) {
    ReportEmpty(args, source, document, sink, out.report);
    return out;
  }
  const std::string folder = std::filesystem::path(source.path()).parent_path().string();
  TestInputs inputs(test, document, folder, RunTime(args), sink);
  inputs.Load();
  inputs.Evaluate();
  testfile::Rows rows = testfile::MatchExpectations(
      {test.results, inputs.runs(), inputs.policies(), inputs, inputs.arena(), args.strict});
  RunChecks(test.checks, inputs, args.strict, rows);
  for (base::Error& note : rows.notes) {
    note.span = document.Locate(note.path);
    sink.Warning(note);
  }
  for (const testfile::Row& row : rows.rows) out.report.rows.push_back(ToReport(row, document));
  if (args.strict) AddVacuousPolicies(inputs.policies(), out.report);
  return out;
}

}  // namespace portcullis::cli
