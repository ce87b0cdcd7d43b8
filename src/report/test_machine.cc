// JSON and YAML: the contract `portcullis/tests/v1` of design section 3.

#include <cstdio>

#include "base/arena.h"
#include "doc/edit.h"
#include "json/writer.h"
#include "report/test_report.h"
#include "yaml/writer.h"

namespace portcullis::report {
namespace {

using doc::Value;

class MachineWriter final : public TestWriter {
 public:
  MachineWriter(const TestWriterOptions& options, bool yaml) : options_(options), yaml_(yaml) {}

  void Add(const TestSuite& suite) override {
    doc::MapBuilder out;
    out.Set("file", Text(suite.file));
    out.Set("name", Text(suite.name));
    doc::ListBuilder rows;
    for (const TestRow& row : suite.rows) {
      if (!options_.fail_only || !row.ok) rows.Add(RowDocument(row));
    }
    out.Set("rows", rows.Build(arena_));
    tests_.Add(out.Build(arena_));
    for (const Diagnostic& diagnostic : suite.diagnostics) AddDiagnostic(diagnostic);
  }

  void Finish(const TestSummary& summary, const std::vector<Diagnostic>& general) override {
    for (const Diagnostic& diagnostic : general) AddDiagnostic(diagnostic);
    doc::MapBuilder out;
    out.Set("schema", Value::String("portcullis/tests/v1"));
    out.Set("tests", tests_.Build(arena_));
    out.Set("passed", Number(summary.passed));
    out.Set("failed", Number(summary.failed));
    out.Set("broken", Number(summary.broken));
    out.Set("warnings", Number(summary.warnings));
    out.Set("diagnostics", diagnostics_.Build(arena_));
    const Value document = out.Build(arena_);
    const std::string text =
        yaml_ ? yaml::ToString(document) : json::ToString(document, {.indent = 1}) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

 private:
  Value Text(std::string_view text) { return doc::MakeString(arena_, text); }
  static Value Number(std::size_t n) { return Value::Int(static_cast<std::int64_t>(n)); }

  void SetPlace(const Location& location, doc::MapBuilder& out) {
    out.Set("file", Text(location.file));
    out.Set("line", Value::Int(location.line));
    out.Set("column", Value::Int(location.column));
    out.Set("path", Text(location.path));
  }

  Value RowDocument(const TestRow& row) {
    doc::MapBuilder out;
    out.Set("policy", Text(row.policy));
    out.Set("rule", Text(row.rule));
    out.Set("resource", Text(row.resource));
    out.Set("expected", Text(row.expected));
    out.Set("actual", Text(row.actual));
    out.Set("ok", Value::Bool(row.ok));
    out.Set("reason", Text(row.reason));
    out.Set("message", Text(row.message));
    if (row.location.line != 0) {
      doc::MapBuilder place;
      SetPlace(row.location, place);
      out.Set("location", place.Build(arena_));
    }
    return out.Build(arena_);
  }

  void AddDiagnostic(const Diagnostic& diagnostic) {
    doc::MapBuilder out;
    out.Set("severity",
            Value::String(diagnostic.severity == Severity::kError ? "error" : "warning"));
    SetPlace(diagnostic.location, out);
    out.Set("message", Text(diagnostic.message));
    if (!diagnostic.hint.empty()) out.Set("hint", Text(diagnostic.hint));
    diagnostics_.Add(out.Build(arena_));
  }

  TestWriterOptions options_;
  bool yaml_;
  base::Arena arena_;
  doc::ListBuilder tests_;
  doc::ListBuilder diagnostics_;
};

}  // namespace

std::unique_ptr<TestWriter> MakeTestMachineWriter(const TestWriterOptions& options, bool yaml) {
  return std::make_unique<MachineWriter>(options, yaml);
}

}  // namespace portcullis::report
