#ifndef PORTCULLIS_REPORT_TEST_REPORT_H_
#define PORTCULLIS_REPORT_TEST_REPORT_H_

// What the test command reports, independent of the format (spec/cli-and-server.md 2.14, design
// section 3). One document on standard output whatever the number of test files. Value types;
// writers are for one thread.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/results.h"

namespace portcullis::report {

struct TestRow {
  std::string policy, rule, resource;
  std::string expected, actual;
  bool ok = false;
  bool vacuous = false;  // passes although nothing was compared
  std::string reason;
  std::string message;
  Location location;  // of the expectation, when it failed
};

// One test document.
struct TestSuite {
  std::string file, name;
  std::vector<TestRow> rows;
  std::vector<Diagnostic> diagnostics;  // about the inputs of this document
};

struct TestSummary {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t warnings = 0;
  std::size_t broken = 0;  // test documents that could not run
};

struct TestWriterOptions {
  bool color = false;
  bool detailed = false;   // a message column
  bool fail_only = false;  // failed rows only
};

class TestWriter {
 public:
  virtual ~TestWriter() = default;
  virtual void Add(const TestSuite& suite) = 0;
  // `general`: diagnostics that belong to no test document.
  virtual void Finish(const TestSummary& summary, const std::vector<Diagnostic>& general) = 0;
};

// Formats: "table" (or "text"), "json", "yaml", "markdown", "junit". Null for another word.
std::unique_ptr<TestWriter> MakeTestWriter(std::string_view format,
                                           const TestWriterOptions& options);

// The formats, one file each.
std::unique_ptr<TestWriter> MakeTestTableWriter(const TestWriterOptions& options);
std::unique_ptr<TestWriter> MakeTestMachineWriter(const TestWriterOptions& options, bool yaml);
std::unique_ptr<TestWriter> MakeTestMarkdownWriter(const TestWriterOptions& options);
std::unique_ptr<TestWriter> MakeTestJunitWriter(const TestWriterOptions& options);

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_TEST_REPORT_H_
