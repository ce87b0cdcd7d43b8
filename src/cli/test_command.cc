// `test`: runs test files as `kyverno test` does (spec/cli-and-server.md 2). One broken file never
// hides the results of another.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "cli/commands.h"
#include "cli/diagnostics.h"
#include "cli/test_source.h"
#include "cli/test_suite.h"
#include "report/test_report.h"
#include "testfile/case_selector.h"

namespace portcullis::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxFolderDepth = 256;

// Collects what goes through a DiagnosticSink.
class Collector final : public report::Writer {
 public:
  void Add(const report::ResourceResults&) override {}
  void Add(const report::Diagnostic& diagnostic) override { diagnostics_.push_back(diagnostic); }
  void Finish(const report::Summary&) override {}

  std::vector<report::Diagnostic> Take() { return std::exchange(diagnostics_, {}); }

 private:
  std::vector<report::Diagnostic> diagnostics_;
};

class TestRun {
 public:
  explicit TestRun(const Args& args)
      : args_(args),
        writer_(report::MakeTestWriter(
            args.format, {UseColor(args, STDOUT_FILENO), args.detailed_results, args.fail_only})),
        sink_(&collector_, UseColor(args, STDERR_FILENO)) {}

  int Run() {
    std::vector<std::string> messages;
    selector_ = testfile::CaseSelector::Parse(args_.test_case_selector, messages);
    for (const std::string& text : messages) {
      sink_.Error({base::ErrorCode::kInvalid, text});
    }
    if (args_.registry) {
      sink_.Warning({base::ErrorCode::kUnsupported,
                     "--registry: registries are not asked; give image data in a Context file"});
    }
    std::vector<std::string> paths = args_.test_paths;
    if (paths.empty()) paths.emplace_back(".");
    for (const std::string& path : paths) Find(path);
    general_ = collector_.Take();
    for (const std::string& file : files_) RunFile(file);
    if (documents_ == 0) ReportNoTests();
    std::vector<report::Diagnostic> late = collector_.Take();
    general_.insert(general_.end(), late.begin(), late.end());
    summary_.warnings = sink_.warnings();
    writer_->Finish(summary_, general_);
    return Status();
  }

 private:
  void Fail(const std::string& path, base::ErrorCode code, std::string message,
            std::string hint = {}) {
    base::Error error(code, std::move(message));
    error.span.file = path;
    error.hint = std::move(hint);
    sink_.Error(error);
  }

  void Find(const std::string& path) {
    if (path.starts_with("http://") || path.starts_with("https://")) {
      Fail(path, base::ErrorCode::kUnsupported, "git repositories are not read",
           "clone it and name the folder");
      return;
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
      FindBelow(path, 0);
    } else if (fs::exists(status)) {
      AddFile(path);
    } else {
      Fail(path, base::ErrorCode::kNotFound, "no such file or directory");
    }
  }

  // Test files below a folder in the order of their names; hidden folders count.
  void FindBelow(const fs::path& folder, int depth) {
    std::error_code error;
    if (depth > kMaxFolderDepth) {
      Fail(folder.string(), base::ErrorCode::kResourceLimit, "the folders nest too deep");
      return;
    }
    if (!folders_.insert(fs::canonical(folder, error).string()).second) return;
    std::vector<fs::directory_entry> entries;
    fs::directory_iterator it(folder, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) entries.push_back(*it);
    if (error) {
      Fail(folder.string(), base::ErrorCode::kIo, error.message());
      return;
    }
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) {
      const fs::path name = entry.path().filename();
      if (entry.is_directory(error)) {
        if (name != ".git") FindBelow(entry.path(), depth + 1);
      } else if (name == args_.test_file_name) {
        AddFile(entry.path().lexically_normal().string());
      }
    }
  }

  void AddFile(const std::string& path) {
    if (std::find(files_.begin(), files_.end(), path) == files_.end()) files_.push_back(path);
  }

  void RunFile(const std::string& path) {
    const std::size_t errors = sink_.errors();
    const TestSource source(path, sink_);
    if (sink_.errors() != errors || source.documents().empty()) {
      if (sink_.errors() == errors) ReportEmptyFile(path);
      report::TestSuite suite;
      suite.file = path;
      Finish(suite, errors);
    }
    for (const TestSource::Document& document : source.documents()) {
      const std::size_t before = sink_.errors();
      SuiteOutcome outcome = RunTestDocument(args_, source, document, selector_, sink_);
      if (!outcome.selected) {
        collector_.Take();
        continue;
      }
      ++documents_;
      Finish(outcome.report, before);
    }
  }

  void ReportEmptyFile(const std::string& path) {
    base::Error note(base::ErrorCode::kRequired, "the test file is empty: nothing is checked");
    note.span.file = path;
    sink_.Warning(note);
    ++documents_;
  }

  // Counts and hands on what one document, or a file that has none, gave.
  void Finish(report::TestSuite& suite, std::size_t errors_before) {
    suite.diagnostics = collector_.Take();
    if (suite.rows.empty() && sink_.errors() != errors_before) ++summary_.broken;
    if (suite.rows.empty() && sink_.errors() == errors_before && args_.strict) {
      report::TestRow row;
      row.resource = suite.file;
      row.reason = "the test checks nothing";
      row.message = row.reason;
      row.location.file = suite.file;
      suite.rows.push_back(std::move(row));
    }
    for (const report::TestRow& row : suite.rows) {
      ++(row.ok ? summary_.passed : summary_.failed);
    }
    writer_->Add(suite);
  }

  void ReportNoTests() {
    const std::string text = args_.require_tests ? "no tests found" : "No test yamls available";
    base::Error note(base::ErrorCode::kNotFound, text);
    note.hint = files_.empty() ? "test files are named " + args_.test_file_name
                               : "no result is selected by --test-case-selector";
    if (args_.require_tests) {
      sink_.Error(note);
    } else if (!args_.allow_empty) {
      sink_.Warning(note);
    }
  }

  int Status() const {
    if (sink_.errors() != 0) return kExitInput;
    if (summary_.failed != 0) return kExitFindings;
    if (summary_.passed == 0 && !args_.allow_empty) return kExitNothing;
    return kExitClean;
  }

  const Args& args_;
  std::unique_ptr<report::TestWriter> writer_;
  Collector collector_;
  DiagnosticSink sink_;
  testfile::CaseSelector selector_;
  std::vector<std::string> files_;
  std::set<std::string> folders_;  // against links that lead back
  std::size_t documents_ = 0;
  std::vector<report::Diagnostic> general_;
  report::TestSummary summary_;
};

}  // namespace

int RunTest(const Args& args) { return TestRun(args).Run(); }

}  // namespace portcullis::cli
