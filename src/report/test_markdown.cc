// GitHub's tables, for job summaries and comments.

#include <cstdio>

#include "report/findings.h"
#include "report/test_report.h"

namespace portcullis::report {
namespace {

class MarkdownWriter final : public TestWriter {
 public:
  explicit MarkdownWriter(const TestWriterOptions& options) : options_(options) {}

  void Add(const TestSuite& suite) override {
    for (const Diagnostic& diagnostic : suite.diagnostics) diagnostics_.push_back(diagnostic);
    for (const TestRow& row : suite.rows) {
      if (options_.fail_only && row.ok) continue;
      if (file_ != suite.file + "\n" + suite.name) {
        file_ = suite.file + "\n" + suite.name;
        text_ += "\n### " + MarkdownCell(suite.file) +
                 (suite.name.empty() ? "" : " (" + MarkdownCell(suite.name) + ")") + "\n\n";
        text_ += "| ID | POLICY | RULE | RESOURCE | RESULT | REASON |";
        text_ += options_.detailed ? " MESSAGE |\n" : "\n";
        text_ += "|----|--------|------|----------|--------|--------|";
        text_ += options_.detailed ? "---------|\n" : "\n";
        id_ = 0;
      }
      text_ += "| " + std::to_string(++id_) + " | " + MarkdownCell(row.policy) + " | " +
               MarkdownCell(row.rule) + " | " + MarkdownCell(row.resource) + " | " +
               (row.ok ? "Pass" : "Fail") + " | " + MarkdownCell(row.reason) + " |";
      text_ += options_.detailed ? " " + MarkdownCell(row.message) + " |\n" : "\n";
    }
  }

  void Finish(const TestSummary& summary, const std::vector<Diagnostic>& general) override {
    diagnostics_.insert(diagnostics_.end(), general.begin(), general.end());
    if (!diagnostics_.empty()) text_ += "\n### Diagnostics\n\n";
    for (const Diagnostic& diagnostic : diagnostics_) {
      text_ += std::string("- **") +
               (diagnostic.severity == Severity::kError ? "error" : "warning") + "** " +
               MarkdownCell(diagnostic.location.ToString()) + ": " +
               MarkdownCell(diagnostic.message) +
               (diagnostic.hint.empty() ? "" : " (" + MarkdownCell(diagnostic.hint) + ")") + "\n";
    }
    text_ += "\nTest Summary: " + std::to_string(summary.passed) + " tests passed and " +
             std::to_string(summary.failed) + " tests failed\n";
    if (summary.broken != 0) {
      text_ += "\n" + std::to_string(summary.broken) + " test documents could not run\n";
    }
    std::fwrite(text_.data(), 1, text_.size(), stdout);
  }

 private:
  TestWriterOptions options_;
  std::string text_;
  std::string file_;
  std::size_t id_ = 0;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

std::unique_ptr<TestWriter> MakeTestMarkdownWriter(const TestWriterOptions& options) {
  return std::make_unique<MarkdownWriter>(options);
}

}  // namespace portcullis::report
