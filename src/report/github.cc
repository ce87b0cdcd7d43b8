// GitHub Actions workflow commands: one annotation per finding and diagnostic at its line, then the
// summary as plain text.

#include <string>

#include "report/findings.h"
#include "report/writers.h"

namespace portcullis::report {
namespace {

using policy::Outcome;

// Workflow commands end at a line break; properties end at `,` and `:` too.
std::string Escape(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void Annotate(std::string_view word, const Location& at, std::string_view title,
              std::string_view message) {
  std::string out = "::" + std::string(word) + " ";
  if (!at.file.empty() && at.file != "-") {
    out += "file=" + Escape(at.file, true) + ",";
    if (at.line != 0) out += "line=" + std::to_string(at.line) + ",";
    if (at.column != 0) out += "col=" + std::to_string(at.column) + ",";
  }
  Print(out + "title=" + Escape(title, true) + "::" + Escape(message, false) + "\n");
}

class GithubWriter : public Writer {
 public:
  explicit GithubWriter(const WriterOptions& options) : options_(options) {}

  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      if (!Wants(result.outcome)) continue;
      const std::string_view word = result.outcome == Outcome::kWarn ? "warning"
                                    : IsFinding(result.outcome)      ? "error"
                                                                     : "notice";
      Location at = result.location;
      if (at.file.empty()) at.file = results.file;
      Annotate(word, at, RuleName(result) + " " + std::string(policy::OutcomeName(result.outcome)),
               results.resource.ToString() + ": " + FullMessage(result));
    }
  }

  void Add(const Diagnostic& diagnostic) override {
    std::string text = diagnostic.message;
    if (!diagnostic.location.path.empty()) text = diagnostic.location.path + ": " + text;
    if (!diagnostic.hint.empty()) text += "\n" + diagnostic.hint;
    const bool error = diagnostic.severity == Severity::kError;
    Annotate(error ? "error" : "warning", diagnostic.location,
             error ? "portcullis: input" : "portcullis", text);
  }

  bool Wants(Outcome outcome) const override { return options_.show_passes || IsFinding(outcome); }

  void Finish(const Summary& summary) override { Print(SummaryText(summary) + "\n"); }

 private:
  WriterOptions options_;
};

}  // namespace

std::unique_ptr<Writer> MakeGithubWriter(const WriterOptions& options) {
  return std::make_unique<GithubWriter>(options);
}

}  // namespace portcullis::report
