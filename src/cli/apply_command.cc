// `apply`: every policy on every resource, as a stream: memory does not grow with the number of
// resources (design section 3).

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "base/arena.h"
#include "cli/commands.h"
#include "cli/diagnostics.h"
#include "cli/mutated_output.h"
#include "cli/object_checks.h"
#include "cli/policies.h"
#include "cli/world.h"
#include "engine/offline.h"
#include "input/document_stream.h"
#include "input/files.h"
#include "report/results.h"
#include "yaml/locate.h"

namespace portcullis::cli {
namespace {

using doc::Value;
using policy::Outcome;

// Inputs above this size are read again on every pass instead of being kept.
constexpr std::uint64_t kKeepLimit = std::uint64_t{2} << 20;

// The line on a terminal that says how far a long run is.
class Progress {
 public:
  Progress() : on_(isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0) {}
  ~Progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Step(std::size_t count) {
    if (!on_ || count % 64 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(shown_ ? 200 : 1000)) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "\r%zu resources", count);
  }

 private:
  bool on_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class ApplyRun {
 public:
  explicit ApplyRun(const Args& args)
      : args_(args),
        writer_(report::MakeWriter(args.format, {UseColor(args, STDOUT_FILENO), args.show_passes,
                                                 args.detailed_results})),
        sink_(writer_.get(), UseColor(args, STDERR_FILENO)),
        world_(args.authorizer, sink_),
        policies_(args.policies, world_, sink_),
        mutated_(args.output_path) {}

  int Run() {
    if (auto opened = mutated_.Open(); !opened.ok()) sink_.Error(opened.error());
    policies_.Load();
    world_.LoadCrds(args_.crds);
    world_.LoadNamespaces(args_.namespaces);
    world_.LoadParams(args_.params);
    world_.LoadOldObjects(args_.old_file);
    world_.LoadUser(args_.userinfo);

    input::Diagnostics problems;
    std::vector<std::string> paths = args_.resources;
    if (paths.empty() && args_.operation == "DELETE" && !args_.old_file.empty()) {
      paths.push_back(args_.old_file);
    }
    input::DocumentStream stream(input::ExpandPaths(paths, &problems), {.keep_limit = kKeepLimit});
    std::size_t seen = 0;
    sink_.Take(problems, &seen);
    LearnFrom(stream);
    set_ = policies_.Build();
    summary_.policies = set_->policy_count();
    policies_.WarnUnknownResources(*set_);
    EvaluateAll(stream);
    if (summary_.resources != 0) policies_.WarnUnmatched(*set_, matched_);
    ReportNothing();
    writer_->Finish(summary_);
    return Status();
  }

 private:
  // First pass: what the evaluation of other objects needs.
  void LearnFrom(input::DocumentStream& stream) {
    input::Document document;
    const auto filter = [this](std::string_view api_version, std::string_view kind) {
      return world_.IsOfUse(api_version, kind);
    };
    while (stream.Next(&document, filter)) world_.Learn(document, stream.is_kept());
    stream.Rewind();
  }

  void EvaluateAll(input::DocumentStream& stream) {
    Progress progress;
    std::size_t seen = 0;
    input::Document document;
    while (stream.Next(&document)) {
      sink_.Take(stream.diagnostics(), &seen);
      // Files of tools are no objects.
      if (document.role == input::DocumentRole::kToolConfig) continue;
      if (!IsFirst(document)) continue;
      if (!CheckObject(document, world_.types(), sink_)) continue;
      Evaluate(document);
      progress.Step(summary_.resources);
    }
    sink_.Take(stream.diagnostics(), &seen);
  }

  // The same object twice would be one of two in a cluster: the first counts.
  bool IsFirst(const input::Document& document) {
    const std::string_view name = document.name();
    if (name.empty()) return true;
    std::string key(document.api_version);
    for (const std::string_view part : {document.kind, document.namespace_name(), name}) {
      key += '\n';
      key += part;
    }
    if (objects_.insert(std::hash<std::string>()(key)).second) return true;
    base::Error warning(base::ErrorCode::kDuplicate,
                        std::string(document.kind) + " " + std::string(name) +
                            " was given before: the first one is evaluated");
    warning.span = document.Locate({});
    sink_.Warning(warning);
    return false;
  }

  void Evaluate(const input::Document& document) {
    arena_.Reset();
    engine::OfflineOptions options;
    options.defaulting = args_.defaulting;
    options.facts.user_info = world_.user_info();
    const auto operation = match::ParseOperation(args_.operation);
    options.facts.operation = operation.value_or(match::Operation::kCreate);
    server_warnings_.clear();
    options.warnings = &server_warnings_;
    auto result = engine::EvaluateManifest(*set_, document.root, OldObject(document),
                                           world_.providers(), world_.types(), arena_, options);
    if (!result.ok()) {
      base::Error error = result.TakeError();
      error.span = document.Locate({});
      sink_.Error(error);
      return;
    }
    ++summary_.resources;
    if (!server_warnings_.empty()) ReportServerWarnings(document, server_warnings_, sink_);
    Report(document, *result);
  }

  Value OldObject(const input::Document& document) {
    if (args_.operation == "CREATE" || args_.operation == "CONNECT") return Value::Null();
    if (const Value* old = world_.OldObjectOf(document)) return *old;
    if (args_.operation == "UPDATE" && !args_.old_file.empty()) {
      base::Error warning(base::ErrorCode::kNotFound,
                          "no old object of this kind and name: the update changes nothing");
      warning.span = document.Locate({});
      sink_.Warning(warning);
    }
    return document.root;
  }

  void Report(const input::Document& document, const engine::OfflineResult& result) {
    report::ResourceResults out;
    std::optional<yaml::Locator> locator;
    bool explained = result.answer.allowed;
    for (const policy::ResultRow& row : result.answer.rows) {
      matched_.insert(row.policy);
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
      if (auto written = mutated_.Add(document.name(), result.object); !written.ok()) {
        sink_.Error(written.error());
      }
    }
    if (out.results.empty() && !out.patched) return;
    out.resource = {std::string(document.api_version), std::string(document.kind),
                    NamespaceOf(document), std::string(document.name())};
    if (out.resource.name.empty()) {
      const Value* generate = doc::LookupKeys(document.root, {"metadata", "generateName"});
      if (generate != nullptr && generate->is_string()) {
        out.resource.name = std::string(generate->as_string()) + "*";
      }
    }
    out.file = document.file;
    writer_->Add(out);
  }

  std::string NamespaceOf(const input::Document& document) const {
    const std::string_view written = document.namespace_name();
    const schema::Kind* kind = world_.types().FindKind(document.api_version, document.kind);
    if (kind != nullptr && !kind->namespaced) return {};
    if (!written.empty()) return std::string(written);
    return kind != nullptr ? "default" : "";
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
    out.expression = row.expression;
    out.value = row.value;
    out.location = Place(document, row.path, locator);
    const base::SourceSpan span = policies_.Locate(info, row.policy_path);
    out.policy_location = {span.file, span.line, span.column, row.policy_path};
    return out;
  }

  void ReportNothing() {
    if (args_.allow_empty) return;
    if (summary_.policies == 0) sink_.Warning({base::ErrorCode::kNotFound, "no policy was evaluated"});
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
    return kExitClean;
  }

  const Args& args_;
  std::unique_ptr<report::Writer> writer_;
  DiagnosticSink sink_;
  World world_;
  Policies policies_;
  MutatedOutput mutated_;
  std::shared_ptr<const engine::PolicySet> set_;
  base::Arena arena_;
  report::Summary summary_;
  std::vector<std::string> server_warnings_;
  std::unordered_set<const policy::PolicyInfo*> matched_;
  std::unordered_set<std::size_t> objects_;  // hashes of what was seen
};

}  // namespace

int RunApply(const Args& args) {
  if (args.policies.empty()) {
    std::fputs("error: no policies given: name files or folders, or - for standard input\n", stderr);
    return kExitInput;
  }
  if (args.resources.empty() && args.old_file.empty()) {
    std::fputs("error: no resources given: name them with -r\n", stderr);
    return kExitInput;
  }
  const auto uses_stdin = [](const std::vector<std::string>& paths) {
    return std::find(paths.begin(), paths.end(), "-") != paths.end();
  };
  if (uses_stdin(args.policies) && uses_stdin(args.resources)) {
    std::fputs("error: standard input can hold policies or resources, not both\n", stderr);
    return kExitInput;
  }
  return ApplyRun(args).Run();
}

}  // namespace portcullis::cli
