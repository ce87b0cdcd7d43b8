// Markdown for pull requests and job summaries: the counters, a table of findings, what was mutated
// or produced, and the diagnostics.

#include <cstdio>
#include <string>

#include "report/findings.h"
#include "report/spool.h"
#include "report/writers.h"

namespace portcullis::report {
namespace {

using policy::Outcome;

class MarkdownWriter : public Writer {
 public:
  explicit MarkdownWriter(const WriterOptions& options) : options_(options) {}

  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      if (!Wants(result.outcome)) continue;
      std::string place = result.location.ToString();
      if (place.empty()) place = results.file;
      rows_.Append("| " + std::string(policy::OutcomeName(result.outcome)) + " | " +
                   MarkdownCell(RuleName(result)) + " | " +
                   MarkdownCell(results.resource.ToString()) + " | " + MarkdownCell(place) + " | " +
                   MarkdownCell(FullMessage(result)) + " |\n");
    }
    if (results.patched)
      changes_.Append("- mutated " + MarkdownCell(results.resource.ToString()) + "\n");
    for (const Produced& produced : results.produced) {
      changes_.Append("- " + MarkdownCell(ProducedText(produced)) + "\n");
    }
  }

  void Add(const Diagnostic& diagnostic) override {
    std::string text = DiagnosticText(diagnostic, false);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    diagnostics_.Append("- " + MarkdownCell(text) + "\n");
  }

  bool Wants(Outcome outcome) const override { return options_.show_passes || IsFinding(outcome); }

  void Finish(const Summary& summary) override {
    const bool clean = summary.fail + summary.error == 0;
    Print("## Portcullis: " + std::string(clean ? "no failures" : "failures found") +
          "\n\n| pass | fail | warn | error | skip | mutated |\n|---|---|---|---|---|---|\n| " +
          std::to_string(summary.pass) + " | " + std::to_string(summary.fail) + " | " +
          std::to_string(summary.warn) + " | " + std::to_string(summary.error) + " | " +
          std::to_string(summary.skip) + " | " + std::to_string(summary.patched) + " |\n\n" +
          SummaryText(summary) + "\n");
    Section(
        "\n### Results\n\n| result | policy | resource | place | message "
        "|\n|---|---|---|---|---|\n",
        rows_);
    Section("\n### Changes\n\n", changes_);
    Section("\n### Diagnostics\n\n", diagnostics_);
  }

 private:
  static void Section(std::string_view head, Spool& body) {
    if (body.empty()) return;
    Print(head);
    body.Drain(stdout);
  }

  WriterOptions options_;
  Spool rows_, changes_, diagnostics_;
};

}  // namespace

std::unique_ptr<Writer> MakeMarkdownWriter(const WriterOptions& options) {
  return std::make_unique<MarkdownWriter>(options);
}

}  // namespace portcullis::report
