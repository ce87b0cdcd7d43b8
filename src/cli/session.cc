#include "cli/session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/object_checks.h"
#include "input/files.h"

namespace portcullis::cli {
namespace {

using doc::Value;

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

bool IsException(std::string_view api_version, std::string_view kind) {
  return input::RoleOf(api_version, kind) == input::DocumentRole::kException;
}

std::vector<std::string> Concat(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

}  // namespace

Session::Session(const Args& args, DiagnosticSink& sink)
    : args_(args),
      sink_(sink),
      world_(args.authorizer, sink),
      policies_(Concat(args.policies, args.exceptions), world_, sink) {}

void Session::Load() {
  policies_.SetFillMissing();
  policies_.Load();
  world_.SetTime(RunTime(args_));
  world_.LoadCrds(args_.crds);
  world_.LoadNamespaces(args_.namespaces);
  world_.LoadParams(args_.params);
  world_.LoadContexts(args_.context_files);
  if (!args_.targets.empty()) world_.LoadTargets(args_.targets);
  world_.LoadOldObjects(args_.old_file);
  if (!args_.old_file.empty() && args_.values_file.empty() && args_.operation == "CREATE") {
    base::Error unused(base::ErrorCode::kInvalid, "--old: a CREATE has no old object");
    unused.hint = "give --operation UPDATE";
    sink_.Warning(unused);
  }
  world_.LoadUser(args_.userinfo);
  if (!args_.values_file.empty()) values_.LoadFile(args_.values_file, sink_);
  values_.Set(args_.set_values, sink_);
  values_.Fill(world_);

  input::Diagnostics problems;
  std::vector<std::string> paths = args_.resources;
  if (paths.empty() && args_.operation == "DELETE") paths.push_back(args_.old_file);
  stream_ = std::make_unique<input::DocumentStream>(input::ExpandPaths(paths, &problems),
                                                    input::StreamOptions{kKeepLimit});
  std::size_t seen = 0;
  sink_.Take(problems, &seen);
  for (const auto& [form, files] :
       {std::pair{policy::DocumentForm::kAny, &args_.payloads},
        std::pair{policy::DocumentForm::kHttpRequest, &args_.http_payloads},
        std::pair{policy::DocumentForm::kEnvoyRequest, &args_.envoy_payloads}}) {
    if (files->empty()) continue;
    payloads_[form].Read(*files);
    seen = 0;
    sink_.Take(payloads_[form].diagnostics(), &seen);
  }
  LearnFromResources();
  set_ = policies_.Build(true);
  values_.WarnUnknownPolicies(*set_, sink_);
  policies_.WarnUnknownResources(*set_);
}

// First pass: what the evaluation of other objects needs.
void Session::LearnFromResources() {
  input::Document document;
  const auto filter = [this](std::string_view api_version, std::string_view kind) {
    return world_.IsOfUse(api_version, kind) || IsException(api_version, kind);
  };
  while (stream_->Next(&document, filter)) {
    if (document.role == input::DocumentRole::kException) {
      policies_.Add(document, stream_->is_kept());
    } else {
      world_.Learn(document, stream_->is_kept());
    }
  }
  stream_->Rewind();
}

void Session::EvaluateAll(const Take& take, policy::ExpressionObserver* observer) {
  Progress progress;
  std::size_t seen = 0;
  input::Document document;
  while (stream_->Next(&document)) {
    sink_.Take(stream_->diagnostics(), &seen);
    // Files of tools and exceptions are no objects under test.
    if (document.role == input::DocumentRole::kToolConfig ||
        document.role == input::DocumentRole::kException) {
      continue;
    }
    if (!IsFirst(document)) continue;
    if (!CheckObject(document, world_.types(), *set_, sink_)) continue;
    Evaluate(document, take, observer);
    progress.Step(resources_);
  }
  sink_.Take(stream_->diagnostics(), &seen);
  EvaluatePayloads(take, observer);
}

void Session::EvaluatePayloads(const Take& take, policy::ExpressionObserver* observer) {
  for (const auto& [form, payloads] : payloads_) {
    for (const input::Document& document : payloads.documents()) {
      arena_.Reset();
      engine::OfflineOptions options;
      options.observer = observer;
      engine::OfflineResult result;
      result.answer =
          engine::EvaluateDocument(*set_, form, document.root, world_.providers(), arena_, options);
      result.object = document.root;
      ++resources_;
      take(document, result);
    }
  }
}

// The same object twice would be one of two in a cluster: the first counts.
bool Session::IsFirst(const input::Document& document) {
  const std::string_view name = document.name();
  if (name.empty()) return true;
  // In a stream without end memory must not grow with it.
  constexpr std::size_t kMaxRemembered = 1'000'000;
  if (objects_.size() >= kMaxRemembered) return true;
  const std::string ns = NamespaceOf(document);
  std::string key(document.api_version);
  for (const std::string_view part : {document.kind, std::string_view(ns), name}) {
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

Value Session::OldObject(const input::Document& document) {
  // Values may make an UPDATE of what the command line creates.
  if (const Value* old = world_.OldObjectOf(document)) return *old;
  if (args_.operation == "CREATE" || args_.operation == "CONNECT") return Value::Null();
  if (args_.operation == "UPDATE" && !args_.old_file.empty()) {
    base::Error warning(base::ErrorCode::kNotFound,
                        "no old object of this kind and name: the update changes nothing");
    warning.span = document.Locate({});
    sink_.Warning(warning);
  }
  return document.root;
}

void Session::Evaluate(const input::Document& document, const Take& take,
                       policy::ExpressionObserver* observer) {
  arena_.Reset();
  engine::OfflineOptions options;
  options.defaulting = args_.defaulting;
  options.facts.user_info = world_.user().user_info;
  options.facts.dry_run = world_.user().dry_run;
  options.facts.operation =
      match::ParseOperation(args_.operation).value_or(match::Operation::kCreate);
  server_warnings_.clear();
  options.warnings = &server_warnings_;
  options.observer = observer;
  auto result = values_.Evaluate(*set_, document, OldObject(document), world_, arena_, options);
  if (!result.ok()) {
    base::Error error = result.TakeError();
    error.span = document.Locate({});
    sink_.Error(error);
    return;
  }
  ++resources_;
  if (!server_warnings_.empty()) ReportServerWarnings(document, server_warnings_, sink_);
  take(document, *result);
}

std::string Session::NamespaceOf(const input::Document& document) const {
  return world_.NamespaceOf(document);
}

report::ResourceId Session::IdOf(const input::Document& document) const {
  report::ResourceId id{std::string(document.api_version), std::string(document.kind),
                        NamespaceOf(document), std::string(document.name())};
  if (!id.name.empty()) return id;
  const Value* generate = doc::LookupKeys(document.root, {"metadata", "generateName"});
  if (generate != nullptr && generate->is_string()) {
    id.name = std::string(generate->as_string()) + "*";
  }
  return id;
}

bool CheckInputs(const Args& args) {
  const auto fail = [](const char* text) {
    std::fprintf(stderr, "error: %s\n", text);
    return false;
  };
  const auto uses_stdin = [](const std::vector<std::string>& paths) {
    return std::find(paths.begin(), paths.end(), "-") != paths.end();
  };
  if (!args.values_file.empty() && !args.set_values.empty()) {
    return fail("pass the values either using set flag or values_file flag");
  }
  if (args.policies.empty()) {
    return fail("no policies given: name files or folders, or - for standard input");
  }
  if (args.resources.empty() && args.payloads.empty() && args.http_payloads.empty() &&
      args.envoy_payloads.empty() && (args.old_file.empty() || args.operation != "DELETE")) {
    return fail("no resources given: name them with -r");
  }
  for (const auto* paths : {&args.policies, &args.resources}) {
    for (const std::string& path : *paths) {
      if (!path.starts_with("https://") && !path.starts_with("http://")) continue;
      std::fprintf(stderr, "error: %s: nothing is fetched here; name files or folders\n",
                   path.c_str());
      return false;
    }
  }
  if (uses_stdin(args.policies) && uses_stdin(args.resources)) {
    return fail("standard input can hold policies or resources, not both");
  }
  return true;
}

}  // namespace portcullis::cli
