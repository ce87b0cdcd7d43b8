// SARIF 2.1.0: one run; every finding is a result at its line and column, diagnostics are
// notifications of the invocation. Results are streamed, the rules come behind them.

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/url_escape.h"
#include "json/writer.h"
#include "report/findings.h"
#include "report/members.h"
#include "report/spool.h"
#include "report/writers.h"

namespace portcullis::report {
namespace {

using doc::Value;
using policy::Outcome;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string_view LevelOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFail:
    case Outcome::kError:
      return "error";
    case Outcome::kWarn:
      return "warning";
    case Outcome::kPass:
    case Outcome::kSkip:
      return "none";
  }
  return "none";
}

std::string_view KindOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "pass";
    case Outcome::kSkip:
      return "notApplicable";
    default:
      return "fail";
  }
}

class SarifWriter : public Writer {
 public:
  explicit SarifWriter(const WriterOptions& options) : options_(options) {
    Print("{\"$schema\": \"" + std::string(kSchema) +
          "\",\n \"version\": \"2.1.0\",\n \"runs\": [{\n  \"columnKind\": "
          "\"unicodeCodePoints\",\n  \"results\": [");
  }

  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      if (!Wants(result.outcome)) continue;
      Print(results_++ == 0 ? "\n   " : ",\n   ");
      Print(json::ToString(ResultDocument(results, result)));
    }
    arena_.Reset();
  }

  void Add(const Diagnostic& diagnostic) override {
    Members message;
    message.Add("text", arena_.CopyString(diagnostic.hint.empty()
                                              ? diagnostic.message
                                              : diagnostic.message + "\n" + diagnostic.hint));
    Members out;
    out.Add("level", diagnostic.severity == Severity::kError ? "error" : "warning");
    out.Add("message", message.Build(arena_));
    if (!diagnostic.location.file.empty()) {
      const Value at = PlaceDocument(diagnostic.location, diagnostic.location.path, "member");
      out.Add("locations", doc::MakeList(arena_, {&at, 1}));
    }
    notifications_.Append((notification_count_++ == 0 ? "" : ",\n    ") +
                          json::ToString(out.Build(arena_)));
    if (diagnostic.severity == Severity::kError) successful_ = false;
    arena_.Reset();
  }

  bool Wants(Outcome outcome) const override { return options_.show_passes || IsFinding(outcome); }

  void Finish(const Summary& summary) override {
    Print("],\n  \"invocations\": [{\"executionSuccessful\": ");
    Print(successful_ ? "true" : "false");
    Print(", \"toolExecutionNotifications\": [");
    notifications_.Drain(stdout);
    Print("]}],\n  \"properties\": " + json::ToString(SummaryDocument(arena_, summary)));
    std::vector<Value> rules(rules_.size());
    for (const auto& [name, rule] : rules_) rules[rule.index] = RuleDocument(name, rule);
    Members driver;
    driver.Add("name", "portcullis");
    driver.Add("semanticVersion", PORTCULLIS_VERSION);
    driver.Add("rules", doc::MakeList(arena_, rules));
    Members tool;
    tool.Add("driver", driver.Build(arena_));
    Print(",\n  \"tool\": " + json::ToString(tool.Build(arena_)) + "}]}\n");
  }

 private:
  struct Rule {
    std::size_t index = 0;
    std::string policy_kind;
    std::string category;
    std::string severity;
  };

  // The number of the result's rule, registered at its first use.
  std::size_t RuleIndex(const Result& result) {
    const auto [at, is_new] = rules_.try_emplace(RuleName(result));
    if (is_new) {
      at->second = {rules_.size() - 1, result.policy_kind, result.category, result.severity};
    }
    return at->second.index;
  }

  Value RuleDocument(const std::string& name, const Rule& rule) {
    Members text;
    text.Add("text",
             arena_.CopyString(rule.policy_kind.empty() ? name : rule.policy_kind + " " + name));
    Members properties;
    if (!rule.category.empty()) properties.Add("category", rule.category);
    if (!rule.severity.empty()) {
      properties.Add("severity", rule.severity);
      // The scale on which code scanners show severities.
      properties.Add("security-severity", rule.severity == "critical" ? "9.5"
                                          : rule.severity == "high"   ? "8.0"
                                          : rule.severity == "medium" ? "5.5"
                                          : rule.severity == "low"    ? "3.0"
                                                                      : "0.0");
    }
    Members out;
    out.Add("id", name);
    out.Add("shortDescription", text.Build(arena_));
    out.Add("properties", properties.Build(arena_));
    return out.Build(arena_);
  }

  Value PlaceDocument(const Location& location, std::string_view logical, std::string_view kind) {
    Members artifact;
    const std::string& file = location.file;
    artifact.Add("uri", arena_.CopyString(
                            base::UrlEscape(file == "-" ? "stdin" : file, base::UrlPart::kPath)));
    Members physical;
    physical.Add("artifactLocation", artifact.Build(arena_));
    if (location.line != 0) {
      Members region;
      region.Add("startLine", Value::Int(location.line));
      if (location.column != 0) region.Add("startColumn", Value::Int(location.column));
      physical.Add("region", region.Build(arena_));
    }
    Members out;
    out.Add("physicalLocation", physical.Build(arena_));
    if (!logical.empty()) {
      Members name;
      name.Add("fullyQualifiedName", arena_.CopyString(logical));
      name.Add("kind", kind);
      const Value item = name.Build(arena_);
      out.Add("logicalLocations", doc::MakeList(arena_, {&item, 1}));
    }
    return out.Build(arena_);
  }

  Value ResultDocument(const ResourceResults& results, const Result& result) {
    Members out;
    out.Add("ruleId", arena_.CopyString(RuleName(result)));
    out.Add("ruleIndex", Value::Int(static_cast<std::int64_t>(RuleIndex(result))));
    out.Add("level", LevelOf(result.outcome));
    out.Add("kind", KindOf(result.outcome));
    Members message;
    const std::string text = FullMessage(result);
    message.Add("text", arena_.CopyString(text.empty() ? std::string("no message") : text));
    out.Add("message", message.Build(arena_));
    const Location at = result.location.file.empty()
                            ? Location{results.file, 0, 0, result.location.path}
                            : result.location;
    const Value place = PlaceDocument(at, results.resource.ToString(), "resource");
    out.Add("locations", doc::MakeList(arena_, {&place, 1}));
    if (!result.policy_location.file.empty()) {
      Members related;
      related.Add("physicalLocation",
                  *PlaceDocument(result.policy_location, {}, {}).Find("physicalLocation"));
      Members note;
      note.Add("text", "the deciding member of the policy");
      related.Add("message", note.Build(arena_));
      const Value item = related.Build(arena_);
      out.Add("relatedLocations", doc::MakeList(arena_, {&item, 1}));
    }
    Members properties;
    properties.Add("result", policy::OutcomeName(result.outcome));
    if (!result.action.empty()) properties.Add("action", result.action);
    if (!result.binding.empty()) properties.Add("binding", result.binding);
    if (!result.exceptions.empty()) {
      properties.Add("exceptions", TextList(arena_, result.exceptions));
    }
    out.Add("properties", properties.Build(arena_));
    return out.Build(arena_);
  }

  WriterOptions options_;
  base::Arena arena_;
  std::size_t results_ = 0;
  std::map<std::string, Rule> rules_;
  Spool notifications_;
  std::size_t notification_count_ = 0;
  bool successful_ = true;
};

}  // namespace

std::unique_ptr<Writer> MakeSarifWriter(const WriterOptions& options) {
  return std::make_unique<SarifWriter>(options);
}

}  // namespace portcullis::report
