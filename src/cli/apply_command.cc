// `apply`: every policy on every resource, as a stream: memory does not grow with the number of
// resources (design section 3).

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/mutated_output.h"
#include "cli/session.h"
#include "report/results.h"
#include "report/writers.h"
#include "yaml/locate.h"

namespace portcullis::cli {
namespace {

using policy::Outcome;

class ApplyRun {
 public:
  explicit ApplyRun(const Args& args)
      : args_(args),
        writer_(MakeWriter(args)),
        sink_(writer_.get(), UseColor(args, STDERR_FILENO)),
        session_(args, sink_),
        mutated_(args.output_path) {}

  int Run() {
    if (auto opened = mutated_.Open(); !opened.ok()) sink_.Error(opened.error());
    session_.Load();
    uses_.has_manifests = !args_.resources.empty();
    summary_.policies = session_.set().policy_count();
    session_.EvaluateAll([this](const input::Document& document,
                                const engine::OfflineResult& result) { Report(document, result); });
    summary_.resources = session_.resources();
    if (summary_.resources != 0) session_.policies().WarnUnused(session_.set(), uses_);
    ReportNothing();
    sink_.Finish();
    writer_->Finish(summary_);
    return Status();
  }

 private:
  static std::unique_ptr<report::Writer> MakeWriter(const Args& args) {
    report::WriterOptions options;
    options.color = UseColor(args, STDOUT_FILENO);
    options.show_passes = args.show_passes;
    options.detailed = args.detailed_results;
    options.as_json = args.report_as_json;
    options.now_ns = RunTime(args);
    if (args.quiet_headings && args.format == "text") return report::MakeObjectsWriter(options);
    return report::MakeWriter(args.format, options);
  }

  void Report(const input::Document& document, const engine::OfflineResult& result) {
    report::ResourceResults out;
    std::optional<yaml::Locator> locator;
    bool explained = result.answer.allowed;
    for (const policy::ResultRow& row : result.answer.rows) {
      Note(row);
      const Outcome outcome = Counted(row);
      summary_.Count(outcome);
      explained = explained || row.outcome == Outcome::kFail || row.outcome == Outcome::kError;
      if (writer_->Wants(outcome)) {
        out.results.push_back(MakeResult(document, row, outcome, locator));
      }
    }
    if (!explained) {
      // A refusal that belongs to no policy, such as a Namespace that does not exist.
      report::Result refusal;
      refusal.outcome = Outcome::kError;
      refusal.message = result.answer.status.message;
      refusal.action = "Deny";
      refusal.location = Place(document, "", locator);
      summary_.Count(refusal.outcome);
      out.results.push_back(std::move(refusal));
    }
    if (result.changed) {
      out.patched = true;
      out.object = result.object;
      ++summary_.patched;
      if (writer_->WantsChanges()) out.changes = Changes(document.root, result.object);
      Write(document.name(), "-mutated.yaml", result.object);
    }
    for (const policy::ProducedObject& produced : result.answer.produced) {
      uses_.policies.insert(produced.policy);
      AddProduced(produced, out);
    }
    if (out.results.empty() && !out.patched && out.produced.empty()) return;
    out.resource = session_.IdOf(document);
    out.file = document.file;
    writer_->Add(out);
  }

  void Note(const policy::ResultRow& row) {
    uses_.policies.insert(row.policy);
    uses_.exceptions.insert(row.exceptions.begin(), row.exceptions.end());
    for (const std::string& text : row.withheld_exceptions) {
      const std::size_t colon = text.find(": ");
      if (colon != std::string::npos) {
        uses_.withheld.try_emplace(text.substr(0, colon), text.substr(colon + 2));
      }
    }
  }

  void AddProduced(const policy::ProducedObject& produced, report::ResourceResults& out) {
    using Kind = policy::ProducedObject::Kind;
    const std::string& policy = produced.policy->name;
    out.produced.push_back(
        {produced.kind, policy, produced.policy->kind, produced.rule, produced.object});
    if (produced.kind == Kind::kGenerated) Write(policy, "-generated.yaml", produced.object);
    if (produced.kind == Kind::kMutatedTarget) {
      Write(report::IdOf(produced.object).name, "-mutated.yaml", produced.object);
    }
  }

  void Write(std::string_view name, std::string_view suffix, const doc::Value& object) {
    if (auto written = mutated_.Add(name, suffix, object); !written.ok()) {
      sink_.Error(written.error());
    }
  }

  // Failures that a cluster lets pass count as warnings on demand.
  Outcome Counted(const policy::ResultRow& row) const {
    if (row.outcome != Outcome::kFail || !args_.audit_warn) return row.outcome;
    return row.action.find("Deny") == std::string::npos ? Outcome::kWarn : Outcome::kFail;
  }

  static report::Location Place(const input::Document& document, const std::string& path,
                                std::optional<yaml::Locator>& locator) {
    if (!locator) locator.emplace(document.text, document.first_line);
    doc::Path full = document.prefix;
    if (const auto parsed = doc::ParsePath(path); parsed.ok()) {
      full.insert(full.end(), parsed->begin(), parsed->end());
    }
    const doc::PathLocation at = locator->Find(full);
    return {std::string(document.file), at.key.line, at.key.column, path};
  }

  report::Result MakeResult(const input::Document& document, const policy::ResultRow& row,
                            Outcome outcome, std::optional<yaml::Locator>& locator) {
    report::Result out;
    const policy::PolicyInfo& info = *row.policy;
    out.policy = info.name;
    out.policy_kind = info.kind;
    out.policy_namespace = info.ns;
    out.rule = row.rule;
    out.binding = row.binding;
    out.outcome = outcome;
    out.message = row.message;
    out.action = row.action;
    out.severity = info.severity;
    out.category = info.category;
    out.source = report::SourceOf(info.kind);
    out.scored = info.scored;
    out.exceptions = row.exceptions;
    out.withheld_exceptions = row.withheld_exceptions;
    out.properties = row.properties;
    out.expression = row.expression;
    out.value = row.value;
    out.location = Place(document, row.path, locator);
    const base::SourceSpan span = session_.policies().Locate(info, row.policy_path);
    out.policy_location = {span.file, span.line, span.column, row.policy_path};
    return out;
  }

  void ReportNothing() {
    if (args_.allow_empty) return;
    if (summary_.policies == 0) {
      sink_.Warning({base::ErrorCode::kNotFound, "no policy was evaluated"});
    }
    if (summary_.resources == 0) {
      sink_.Warning({base::ErrorCode::kNotFound, "no resource was evaluated"});
    }
  }

  int Status() const {
    if (sink_.errors() != 0) return kExitInput;
    if (summary_.fail + summary_.error != 0) return kExitFindings;
    if (!args_.allow_empty && (summary_.policies == 0 || summary_.resources == 0)) {
      return kExitNothing;
    }
    if (args_.strict && sink_.warnings() != 0) return kExitNothing;
    if (summary_.warn != 0 && args_.warn_exit_code != 0) return args_.warn_exit_code;
    if (summary_.pass == 0 && args_.warn_no_pass) return args_.warn_exit_code;
    return kExitClean;
  }

  const Args& args_;
  std::unique_ptr<report::Writer> writer_;
  DiagnosticSink sink_;
  Session session_;
  MutatedOutput mutated_;
  report::Summary summary_;
  Policies::Uses uses_;
};

}  // namespace

int RunApply(const Args& args) { return CheckInputs(args) ? ApplyRun(args).Run() : kExitInput; }

}  // namespace portcullis::cli
