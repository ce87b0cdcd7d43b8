// JUnit XML: one suite per test document, one test case per row. The totals stand in the head, so
// the suites wait in memory.

#include <cstdio>

#include "report/findings.h"
#include "report/test_report.h"

namespace portcullis::report {
namespace {

std::string Attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + XmlText(value) + "\"";
}

std::string Counts(std::size_t tests, std::size_t failures, std::size_t errors) {
  return Attribute("tests", std::to_string(tests)) +
         Attribute("failures", std::to_string(failures)) +
         Attribute("errors", std::to_string(errors));
}

class JunitWriter final : public TestWriter {
 public:
  explicit JunitWriter(const TestWriterOptions& options) : options_(options) {}

  void Add(const TestSuite& suite) override {
    std::string cases;
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    for (const TestRow& row : suite.rows) {
      if (options_.fail_only && row.ok) continue;
      ++tests;
      if (!row.ok) ++failures;
      cases += Case(row);
    }
    std::string warnings;
    for (const Diagnostic& diagnostic : suite.diagnostics) {
      if (diagnostic.severity == Severity::kError) {
        ++tests;
        ++errors;
        cases += ErrorCase(diagnostic);
      } else {
        warnings += DiagnosticText(diagnostic, false);
      }
    }
    const std::string name = suite.name.empty() ? suite.file : suite.file + " (" + suite.name + ")";
    Append(name, cases, warnings, tests, failures, errors);
  }

  void Finish(const TestSummary&, const std::vector<Diagnostic>& general) override {
    if (!general.empty()) {
      TestSuite suite;
      suite.file = "portcullis";
      suite.diagnostics = general;
      Add(suite);
    }
    const std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                             Attribute("name", "portcullis test") +
                             Counts(tests_, failures_, errors_) + ">\n" + text_ + "</testsuites>\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

 private:
  static std::string Case(const TestRow& row) {
    std::string class_name = row.policy;
    if (!row.rule.empty()) class_name += "/" + row.rule;
    std::string out =
        "  <testcase" + Attribute("classname", class_name) + Attribute("name", row.resource) + ">";
    const std::string place = row.location.ToString();
    const std::string detail = (place.empty() ? "" : place + "\n") + "Policy: " + row.policy +
                               "\nRule: " + row.rule + "\nResource: " + row.resource +
                               "\nExpected: " + row.expected + "\nActual: " + row.actual +
                               "\nMessage: " + row.message;
    if (!row.ok) {
      out += "<failure" + Attribute("message", row.reason) + ">" + XmlText(detail) + "</failure>";
    } else {
      out += "<system-out>" + XmlText("Reason: " + row.reason + "\n" + detail) + "</system-out>";
    }
    return out + "</testcase>\n";
  }

  static std::string ErrorCase(const Diagnostic& diagnostic) {
    const std::string place = diagnostic.location.ToString();
    return "  <testcase" + Attribute("classname", "inputs") +
           Attribute("name", place.empty() ? diagnostic.message : place) + "><error" +
           Attribute("message", diagnostic.message) + ">" +
           XmlText(DiagnosticText(diagnostic, false)) + "</error></testcase>\n";
  }

  void Append(const std::string& name, const std::string& cases, const std::string& warnings,
              std::size_t tests, std::size_t failures, std::size_t errors) {
    text_ +=
        " <testsuite" + Attribute("name", name) + Counts(tests, failures, errors) + ">\n" + cases;
    if (!warnings.empty()) text_ += "  <system-err>" + XmlText(warnings) + "</system-err>\n";
    text_ += " </testsuite>\n";
    tests_ += tests;
    failures_ += failures;
    errors_ += errors;
  }

  TestWriterOptions options_;
  std::string text_;
  std::size_t tests_ = 0;
  std::size_t failures_ = 0;
  std::size_t errors_ = 0;
};

}  // namespace

std::unique_ptr<TestWriter> MakeTestJunitWriter(const TestWriterOptions& options) {
  return std::make_unique<JunitWriter>(options);
}

}  // namespace portcullis::report
