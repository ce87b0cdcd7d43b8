// JUnit XML: one suite per file of resources, one test case per result. The totals stand in the
// head, so everything is spooled. Problems of the inputs are a suite of their own: a reader of
// JUnit sees nothing else.

#include <cstdio>
#include <string>

#include "report/findings.h"
#include "report/spool.h"
#include "report/writers.h"

namespace portcullis::report {
namespace {

using policy::Outcome;

class JunitWriter : public Writer {
 public:
  explicit JunitWriter(const WriterOptions&) {}

  void Add(const ResourceResults& results) override {
    if (results.file != file_) {
      CloseSuite();
      file_ = results.file;
    }
    for (const Result& result : results.results) AddCase(results, result);
    for (const Produced& produced : results.produced) notes_ += ProducedText(produced) + "\n";
    if (results.patched) notes_ += "mutated " + results.resource.ToString() + "\n";
  }

  void Add(const Diagnostic& diagnostic) override {
    const bool error = diagnostic.severity == Severity::kError;
    const std::string text = DiagnosticText(diagnostic, false);
    if (!error) {
      warnings_ += text;
      return;
    }
    const std::string place = diagnostic.location.ToString();
    inputs_.Append("  <testcase classname=\"inputs\" name=\"" +
                   XmlText(place.empty() ? diagnostic.message : place) + "\"><error message=\"" +
                   XmlText(diagnostic.message) + "\">" + XmlText(text) + "</error></testcase>\n");
    ++input_errors_;
  }

  void Finish(const Summary&) override {
    CloseSuite();
    if (input_errors_ != 0 || !warnings_.empty()) {
      suites_.Append(" <testsuite name=\"inputs\"" + Counts({input_errors_, 0, input_errors_, 0}) +
                     ">\n");
      inputs_.DrainInto(suites_);
      if (!warnings_.empty()) {
        suites_.Append("  <system-err>" + XmlText(warnings_) + "</system-err>\n");
      }
      suites_.Append(" </testsuite>\n");
      total_.tests += input_errors_;
      total_.errors += input_errors_;
    }
    Print("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"portcullis\"" +
          Counts(total_) + ">\n");
    suites_.Drain(stdout);
    Print("</testsuites>\n");
  }

 private:
  struct Totals {
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  };

  static std::string Counts(const Totals& totals) {
    return " tests=\"" + std::to_string(totals.tests) + "\" failures=\"" +
           std::to_string(totals.failures) + "\" errors=\"" + std::to_string(totals.errors) +
           "\" skipped=\"" + std::to_string(totals.skipped) + "\"";
  }

  void AddCase(const ResourceResults& results, const Result& result) {
    ++suite_.tests;
    std::string out = "  <testcase classname=\"" + XmlText(RuleName(result)) + "\" name=\"" +
                      XmlText(results.resource.ToString()) + "\"";
    const Location& at = result.location;
    const std::string& file = at.file.empty() ? results.file : at.file;
    if (!file.empty()) out += " file=\"" + XmlText(file) + "\"";
    if (at.line != 0) out += " line=\"" + std::to_string(at.line) + "\"";
    const std::string message = XmlText(FullMessage(result));
    const std::string place = XmlText(at.ToString());
    switch (result.outcome) {
      case Outcome::kPass:
        out += "/>\n";
        break;
      case Outcome::kSkip:
        ++suite_.skipped;
        out += "><skipped message=\"" + message + "\"/></testcase>\n";
        break;
      case Outcome::kWarn:
        // No failure by the user's own choice (--audit-warn, unscored policies).
        out += "><system-out>warning: " + place + "&#10;" + message + "</system-out></testcase>\n";
        break;
      case Outcome::kFail:
        ++suite_.failures;
        out += "><failure type=\"fail\" message=\"" + message + "\">" + place + "&#10;" + message +
               "</failure></testcase>\n";
        break;
      case Outcome::kError:
        ++suite_.errors;
        out += "><error type=\"error\" message=\"" + message + "\">" + place + "&#10;" + message +
               "</error></testcase>\n";
        break;
    }
    cases_.Append(out);
  }

  void CloseSuite() {
    if (suite_.tests == 0 && notes_.empty()) return;
    suites_.Append(" <testsuite name=\"" + XmlText(file_ == "-" ? "standard input" : file_) + "\"" +
                   Counts(suite_) + ">\n");
    cases_.DrainInto(suites_);
    if (!notes_.empty()) suites_.Append("  <system-out>" + XmlText(notes_) + "</system-out>\n");
    suites_.Append(" </testsuite>\n");
    notes_.clear();
    total_.tests += suite_.tests;
    total_.failures += suite_.failures;
    total_.errors += suite_.errors;
    total_.skipped += suite_.skipped;
    suite_ = {};
  }

  std::string file_;
  Totals suite_, total_;
  Spool cases_, suites_, inputs_;
  std::size_t input_errors_ = 0;
  std::string warnings_;
  std::string notes_;
};

}  // namespace

std::unique_ptr<Writer> MakeJunitWriter(const WriterOptions& options) {
  return std::make_unique<JunitWriter>(options);
}

}  // namespace portcullis::report
