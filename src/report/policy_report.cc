// Kyverno's merged report (spec/cli-and-server.md 1.8): one ClusterReport with the results of
// cluster-scoped policies, then one Report for each namespaced policy. Results are streamed into
// spools and written at the end, since reports of several policies interleave.

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "base/arena.h"
#include "json/writer.h"
#include "report/findings.h"
#include "report/members.h"
#include "report/spool.h"
#include "report/writers.h"
#include "yaml/writer.h"

namespace portcullis::report {
namespace {

using doc::Value;
using policy::Outcome;

constexpr std::string_view kApiVersion = "openreports.io/v1alpha1";
constexpr std::string_view kMessageSuffix = "Message";

class ReportWriter : public Writer {
 public:
  explicit ReportWriter(const WriterOptions& options) : options_(options) {}

  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      // Grouped by the scope of the policy, not of the resource.
      const std::string key =
          result.policy_namespace.empty() ? "" : result.policy_namespace + "/" + result.policy;
      auto& report = reports_[key];
      if (!report) report = std::make_unique<Report>();
      report->summary.Count(result.outcome);
      report->items.Append(Item(ResultDocument(results, result), report->count++));
      arena_.Reset();
    }
  }
  // Reports have no place for them; they are on standard error.
  void Add(const Diagnostic&) override {}

  void Finish(const Summary&) override {
    reports_.try_emplace("", std::make_unique<Report>());
    bool first = true;
    for (auto& [key, report] : reports_) {
      if (!first) Print("---\n");
      first = false;
      WriteReport(key, *report);
    }
  }

 private:
  struct Report {
    Summary summary;
    Spool items;
    std::size_t count = 0;
  };

  // Annotations that speak for the message: the family has put them there already.
  static bool IsMessageProperty(std::string_view name) {
    for (const Outcome outcome :
         {Outcome::kPass, Outcome::kFail, Outcome::kWarn, Outcome::kError, Outcome::kSkip}) {
      if (name == std::string(policy::OutcomeName(outcome)) + std::string(kMessageSuffix)) {
        return true;
      }
    }
    return name == "message";
  }

  Value PropertiesDocument(const Result& result) {
    Members out;
    const auto add = [&](std::string_view name, const std::string& text) {
      if (!text.empty()) out.Add(name, arena_.CopyString(text));
    };
    if (result.policy_kind == "MutatingAdmissionPolicy") {
      add("mapBinding", result.binding);
    } else {
      add("binding", result.binding);
    }
    add("exceptions", Joined(result.exceptions, ","));
    add("withheldExceptions", Joined(result.withheld_exceptions, "; "));
    // Where it stands: reports have no member for files.
    add("location", result.location.ToString());
    add("path", result.location.path);
    add("value", result.value);
    add("policyLocation", result.policy_location.ToString());
    for (const auto& [name, text] : result.properties) {
      if (!IsMessageProperty(name)) add(arena_.CopyString(name), text);
    }
    return out.Build(arena_);
  }

  static std::string Joined(const std::vector<std::string>& texts, std::string_view separator) {
    std::string out;
    for (const std::string& text : texts) out += (out.empty() ? "" : std::string(separator)) + text;
    return out;
  }

  Value ResultDocument(const ResourceResults& results, const Result& result) {
    Members out;
    const auto add = [](Members& map, std::string_view name, std::string_view text) {
      if (!text.empty()) map.Add(name, text);
    };
    add(out, "category", result.category);
    add(out, "message", result.message);
    out.Add("policy", arena_.CopyString(result.policy_namespace.empty()
                                            ? result.policy
                                            : result.policy_namespace + "/" + result.policy));
    const Value properties = PropertiesDocument(result);
    if (properties.size() != 0) out.Add("properties", properties);
    Members resource;
    add(resource, "apiVersion", results.resource.api_version);
    add(resource, "kind", results.resource.kind);
    add(resource, "name", results.resource.name);
    add(resource, "namespace", results.resource.ns);
    const Value item = resource.Build(arena_);
    out.Add("resources", doc::MakeList(arena_, {&item, 1}));
    out.Add("result", policy::OutcomeName(result.outcome));
    add(out, "rule", result.rule);
    out.Add("scored", Value::Bool(result.scored));
    add(out, "severity", result.severity);
    out.Add("source",
            result.source.empty() ? SourceOf(result.policy_kind) : std::string_view(result.source));
    constexpr std::int64_t kSecond = 1'000'000'000;
    Members time;
    time.Add("nanos", Value::Int(options_.now_ns % kSecond));
    time.Add("seconds", Value::Int(options_.now_ns / kSecond));
    out.Add("timestamp", time.Build(arena_));
    return out.Build(arena_);
  }

  std::string Item(const Value& document, std::size_t number) const {
    if (options_.as_json) return (number == 0 ? "\n  " : ",\n  ") + json::ToString(document);
    std::string out;
    std::string_view block;
    const std::string text = yaml::ToString(document);
    block = text;
    bool first = true;
    while (!block.empty()) {
      const std::size_t end = block.find('\n');
      out += first ? "- " : "  ";
      out += block.substr(0, end);
      out += '\n';
      first = false;
      block.remove_prefix(end == std::string_view::npos ? block.size() : end + 1);
    }
    return out;
  }

  void WriteReport(const std::string& key, Report& report) {
    const std::size_t slash = key.find('/');
    Members metadata;
    metadata.Add(
        "name", key.empty() ? std::string_view("merged") : std::string_view(key).substr(slash + 1));
    if (!key.empty()) metadata.Add("namespace", std::string_view(key).substr(0, slash));
    Members head;
    head.Add("apiVersion", kApiVersion);
    head.Add("kind", key.empty() ? "ClusterReport" : "Report");
    head.Add("metadata", metadata.Build(arena_));
    Members counts;
    for (const auto& [name, count] :
         {std::pair{"error", report.summary.error}, std::pair{"fail", report.summary.fail},
          std::pair{"pass", report.summary.pass}, std::pair{"skip", report.summary.skip},
          std::pair{"warn", report.summary.warn}}) {
      counts.Add(name, Value::Int(static_cast<std::int64_t>(count)));
    }
    Members tail;
    tail.Add("source", "");
    tail.Add("summary", counts.Build(arena_));
    if (options_.as_json) {
      std::string open = json::ToString(head.Build(arena_));
      open.pop_back();
      Print(open + ",\n \"results\": [");
      report.items.Drain(stdout);
      Print("],\n " + json::ToString(tail.Build(arena_)).substr(1) + "\n");
    } else {
      Print(yaml::ToString(head.Build(arena_)));
      Print(report.count == 0 ? "results: []\n" : "results:\n");
      report.items.Drain(stdout);
      Print(yaml::ToString(tail.Build(arena_)));
    }
    arena_.Reset();
  }

  WriterOptions options_;
  base::Arena arena_;
  std::map<std::string, std::unique_ptr<Report>> reports_;  // "" first: the cluster's
};

}  // namespace

std::unique_ptr<Writer> MakeReportWriter(const WriterOptions& options) {
  return std::make_unique<ReportWriter>(options);
}

}  // namespace portcullis::report
