// GitHub's tables, for job summaries and comments.

#include <cstdio>

#include "report/test_report.h"

namespace portcullis::report {
namespace {

// Text in a cell: no line breaks, no column separators, no markup.
std::string Cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '|':
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
        out += '\\';
        out += c;
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '\n':
        out += "<br>";
        break;
      case '\r':
        break;
      default:
        out += c;
    }
  }
  return out;
}

class MarkdownWriter final : public TestWriter {
 public:
  explicit MarkdownWriter(const TestWriterOptions& options) : options_(options) {}

  void Add(const TestSuite& suite) override {
    for (const Diagnostic& diagnostic : suite.diagnostics) diagnostics_.push_back(diagnostic);
    for (const TestRow& row : suite.rows) {
      if (options_.fail_only && row.ok) continue;
      if (file_ != suite.file + "\n" + suite.name) {
        file_ = suite.file + "\n" + suite.name;
        text_ += "\n### " + Cell(suite.file) +
                 (suite.name.empty() ? "" : " (" + Cell(suite.name) + ")") + "\n\n";
        text_ += "| ID | POLICY | RULE | RESOURCE | RESULT | REASON |";
        text_ += options_.detailed ? " MESSAGE |\n" : "\n";
        text_ += "|----|--------|------|----------|--------|--------|";
        text_ += options_.detailed ? "---------|\n" : "\n";
        id_ = 0;
      }
      text_ += "| " + std::to_string(++id_) + " | " + Cell(row.policy) + " | " + Cell(row.rule) +
               " | " + Cell(row.resource) + " | " + (row.ok ? "Pass" : "Fail") + " | " +
               Cell(row.reason) + " |";
      text_ += options_.detailed ? " " + Cell(row.message) + " |\n" : "\n";
    }
  }

  void Finish(const TestSummary& summary, const std::vector<Diagnostic>& general) override {
    diagnostics_.insert(diagnostics_.end(), general.begin(), general.end());
    if (!diagnostics_.empty()) text_ += "\n### Diagnostics\n\n";
    for (const Diagnostic& diagnostic : diagnostics_) {
      text_ += std::string("- **") +
               (diagnostic.severity == Severity::kError ? "error" : "warning") + "** " +
               Cell(diagnostic.location.ToString()) + ": " + Cell(diagnostic.message) +
               (diagnostic.hint.empty() ? "" : " (" + Cell(diagnostic.hint) + ")") + "\n";
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
