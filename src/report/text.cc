// The format for people: failures grouped by file, each with its place, the policy, the resource,
// the path, the offending value and the message; then one line of summary.

#include <cstdio>

#include "report/findings.h"
#include "report/terminal.h"
#include "report/writers.h"
#include "yaml/writer.h"

namespace portcullis::report {
namespace {

using policy::Outcome;

std::string Count(std::size_t n, std::string_view singular, std::string_view plural) {
  return std::to_string(n) + " " + std::string(n == 1 ? singular : plural);
}

class TextWriter : public Writer {
 public:
  explicit TextWriter(const WriterOptions& options) : options_(options), style_(options.color) {}

  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      if (Wants(result.outcome)) Show(results, result);
    }
    if (results.patched) ShowPatched(results);
    for (const Produced& produced : results.produced) ShowProduced(results, produced);
  }
  void Add(const Diagnostic&) override {}
  bool Wants(Outcome outcome) const override { return options_.show_passes || IsFinding(outcome); }
  bool WantsChanges() const override { return true; }

  void Finish(const Summary& summary) override {
    std::string line = Count(summary.resources, "resource", "resources") + ", " +
                       Count(summary.policies, "policy", "policies") + ": ";
    line += style_.Green("pass: " + std::to_string(summary.pass)) + ", ";
    const auto part = [&](std::size_t n, std::string_view word, bool red) {
      const std::string text = std::string(word) + ": " + std::to_string(n);
      return n == 0 ? text : (red ? style_.Red(text) : style_.Yellow(text));
    };
    // The counters are written as Kyverno's CLI writes them.
    line += part(summary.fail, "fail", true) + ", " + part(summary.warn, "warn", false) + ", " +
            part(summary.error, "error", true) + ", skip: " + std::to_string(summary.skip);
    if (summary.patched != 0) line += ", mutated: " + std::to_string(summary.patched);
    Print((file_.empty() ? "" : "\n") + line + "\n");
  }

 private:
  void Heading(const std::string& file) {
    if (file == file_) return;
    Print((file_.empty() ? "" : "\n") + style_.Bold(file == "-" ? "standard input" : file) + "\n");
    file_ = file;
  }

  void Show(const ResourceResults& results, const Result& result) {
    Heading(results.file);
    std::string place;
    if (result.location.line != 0) {
      place = std::to_string(result.location.line) + ":" + std::to_string(result.location.column);
    }
    if (place.size() < 7) place.append(7 - place.size(), ' ');
    std::string policy = result.policy;
    if (!result.rule.empty()) policy += "/" + result.rule;
    std::string line = "  " + style_.Dim(place) + " " + style_.Outcome(result.outcome) + "  " +
                       style_.Bold(policy) + "  " + results.resource.ToString();
    if (!result.action.empty() && result.action != "Deny") line += "  [" + result.action + "]";
    Print(line + "\n");
    if (result.outcome == Outcome::kPass) return;
    const std::string& detail = result.message;
    Print(Indent(detail, 10));
    if (!result.location.path.empty()) {
      std::string where = result.location.path;
      where += result.value.empty() ? " is not set" : " = " + result.value;
      Print(Indent(where, 10));
    }
    for (const std::string& withheld : result.withheld_exceptions) {
      Print(Indent("not exempted by " + withheld, 10));
    }
    if (result.policy_location.line != 0) {
      std::string source = "policy " + result.policy_location.ToString();
      if (!result.binding.empty() && result.binding != result.policy) {
        source += ", binding " + result.binding;
      }
      Print("          " + style_.Dim(source) + "\n");
    }
  }

  void ShowPatched(const ResourceResults& results) {
    Heading(results.file);
    Print("          " + style_.Green("mutated") + "  " + results.resource.ToString() + "\n");
    for (const Change& change : results.changes) {
      std::string line;
      if (change.before.empty()) {
        line = style_.Green("+ " + change.path + ": " + Short(change.after));
      } else if (change.after.empty()) {
        line = style_.Red("- " + change.path + ": " + Short(change.before));
      } else {
        line = style_.Yellow("~ " + change.path + ": " + Short(change.before) + " -> " +
                             Short(change.after));
      }
      Print("          " + line + "\n");
    }
  }

  // What else the policies did: the object itself as YAML, unless it would be removed.
  void ShowProduced(const ResourceResults& results, const Produced& produced) {
    Heading(results.file);
    Print("          " + style_.Green(ProducedText(produced)) + "  for " +
          results.resource.ToString() + "\n");
    if (produced.kind == policy::ProducedObject::Kind::kDeleted) return;
    constexpr int kIndent = 12;
    Print(yaml::ToString(produced.object, {.sort_keys = false, .indent = kIndent}));
  }

  static std::string Short(const std::string& json) {
    constexpr std::size_t kMax = 120;
    if (json.size() <= kMax) return json;
    std::size_t cut = kMax;
    while (cut > 0 && (static_cast<unsigned char>(json[cut]) & 0xC0U) == 0x80U) --cut;
    return json.substr(0, cut) + "...";
  }

  WriterOptions options_;
  Style style_;
  std::string file_;
};

class TableWriter : public Writer {
 public:
  explicit TableWriter(const WriterOptions& options) : options_(options), style_(options.color) {
    std::vector<std::string> header = {"POLICY", "RULE", "RESOURCE", "RESULT", "PLACE"};
    if (options.detailed) header.emplace_back("MESSAGE");
    table_ = Table(header);
  }

  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      std::vector<std::string> row = {
          result.policy, result.rule.empty() ? "-" : result.rule, results.resource.ToString(),
          std::string(policy::OutcomeName(result.outcome)), result.location.ToString()};
      if (options_.detailed) row.push_back(result.message.substr(0, result.message.find('\n')));
      table_.Add(std::move(row));
    }
    // Columns are aligned in batches, so that memory stays bounded.
    constexpr std::size_t kBatch = 2000;
    if (table_.size() >= kBatch) Flush();
  }
  void Add(const Diagnostic&) override {}

  void Finish(const Summary& summary) override {
    Flush();
    Print("\n" + SummaryText(summary) + "\n");
  }

 private:
  void Flush() {
    if (table_.size() == 0) return;
    Print(table_.Render(style_));
    std::vector<std::string> header = {"POLICY", "RULE", "RESOURCE", "RESULT", "PLACE"};
    if (options_.detailed) header.emplace_back("MESSAGE");
    table_ = Table(header);
  }

  WriterOptions options_;
  Style style_;
  Table table_{{}};
};

}  // namespace

std::unique_ptr<Writer> MakeTextWriter(const WriterOptions& options) {
  return std::make_unique<TextWriter>(options);
}
std::unique_ptr<Writer> MakeTableWriter(const WriterOptions& options) {
  return std::make_unique<TableWriter>(options);
}

}  // namespace portcullis::report
