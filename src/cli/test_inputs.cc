#include "cli/test_inputs.h"

#include <algorithm>
#include <filesystem>

#include "cli/test_responses.h"
#include "doc/edit.h"
#include "input/files.h"
#include "testfile/fields.h"

namespace portcullis::cli {
namespace {

using doc::Value;
using testfile::Subject;

std::vector<std::string> Concat(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string Resolve(const std::string& folder, const std::string& file) {
  return (std::filesystem::path(folder) / file).lexically_normal().string();
}

std::vector<std::string> ResolveAll(const std::string& folder,
                                    const std::vector<std::string>& files) {
  std::vector<std::string> out;
  out.reserve(files.size());
  for (const std::string& file : files) out.push_back(Resolve(folder, file));
  return out;
}

// A file without a kind is taken for what it is named as.
bool ExpectKind(const Value& root, std::string_view expected, testfile::Problems& problems) {
  const std::string_view kind = root.is_map() ? root.StringAt("kind") : "";
  if (kind.empty() || kind == expected) return true;
  problems.Error(
      base::ErrorCode::kInvalid,
      "a document of kind " + std::string(expected) + " is expected, not " + std::string(kind),
      "kind");
  return false;
}

}  // namespace

TestInputs::TestInputs(const testfile::TestFile& test, const TestSource::Document& document,
                       std::string folder, std::int64_t now_ns, DiagnosticSink& sink)
    : test_(test),
      document_(document),
      folder_(std::move(folder)),
      sink_(sink),
      world_("", sink),
      policies_(ResolveAll(folder_, Concat(test.policies, test.exceptions)), world_, sink) {
  world_.SetTime(now_ns);
}

std::string TestInputs::PathOf(const std::string& file) const { return Resolve(folder_, file); }

std::vector<std::string> TestInputs::PathsOf(const std::vector<std::string>& files) const {
  return ResolveAll(folder_, files);
}

void TestInputs::Load() {
  policies_.SetFillMissing();
  policies_.Load();
  LoadClusterResources();
  world_.LoadParams(PathsOf(test_.param_resources));
  if (!test_.target_resources.empty()) world_.LoadTargets(PathsOf(test_.target_resources));
  input::Diagnostics problems;
  std::size_t seen = 0;
  input::StreamOptions keep;
  keep.keep_limit = std::uint64_t{1} << 40;  // rows refer to the objects
  stream_ = std::make_unique<input::DocumentStream>(
      input::ExpandPaths(PathsOf(test_.resources), &problems), keep);
  sink_.Take(problems, &seen);
  world_.KeepObjects();
  LearnFromResources();
  LoadPayloads();
  LoadValues();
  if (!test_.userinfo.empty()) world_.LoadUser(PathOf(test_.userinfo));
  LoadContext();
  for (const input::Document& document : resources_) {
    world_.AssumeNamespace(world_.NamespaceOf(document));
  }
  set_ = policies_.Build(true);
  CollectFacts();
}

void TestInputs::LoadValues() {
  if (!test_.values.is_null()) {
    values_.LoadInline(test_.values, document_, sink_);
  } else if (!test_.variables.empty()) {
    values_.LoadFile(PathOf(test_.variables), sink_);
  }
  values_.Fill(world_);
}

// What Kyverno's CEL libraries may look up.
void TestInputs::LoadContext() {
  testfile::Problems problems;
  engine::DocumentKyvernoContext& context = world_.kyverno();
  world_.SetContextFolder(folder_.empty() ? "." : folder_);
  if (!test_.api_call_responses.is_null()) {
    problems.errors = context.AddApiCallResponses(test_.api_call_responses, "apiCallResponses");
  }
  if (!test_.global_context_entries.is_null()) {
    base::ErrorList errors =
        context.AddGlobalContextEntries(test_.global_context_entries, "globalContextEntries");
    std::move(errors.begin(), errors.end(), std::back_inserter(problems.errors));
  }
  document_.Report(problems, sink_);
  if (!test_.context.empty()) {
    sources_.push_back(std::make_unique<TestSource>(PathOf(test_.context), sink_));
    for (const TestSource::Document& document : sources_.back()->documents()) {
      testfile::Problems own;
      if (ExpectKind(document.root, "Context", own)) {
        own.errors = context.AddContext(document.root);
      }
      document.Report(own, sink_);
    }
  }
}

void TestInputs::LoadPayloads() {
  for (const auto& [form, files] :
       {std::pair{policy::DocumentForm::kAny, &test_.json_payloads},
        std::pair{policy::DocumentForm::kHttpRequest, &test_.http_payloads},
        std::pair{policy::DocumentForm::kEnvoyRequest, &test_.envoy_payloads}}) {
    if (files->empty()) continue;
    payloads_[form].Read(PathsOf(*files));
    std::size_t seen = 0;
    sink_.Take(payloads_[form].diagnostics(), &seen);
  }
}

void TestInputs::LoadClusterResources() {
  for (const std::string& file : test_.cluster_resources) {
    sources_.push_back(std::make_unique<TestSource>(PathOf(file), sink_));
    for (const TestSource::Document& document : sources_.back()->documents()) {
      testfile::Problems problems;
      if (!ExpectKind(document.root, "ClusterResource", problems)) {
        document.Report(problems, sink_);
        continue;
      }
      testfile::Fields fields(document.root, "", problems);
      for (const char* head : {"apiVersion", "kind", "metadata"}) fields.Any(head);
      testfile::Fields spec(fields.Map("spec"), "spec", problems);
      world_.LoadCrds(PathsOf(spec.Texts("crds")));
      for (const Value& object : spec.Items("resources")) world_.AddObject(object);
      spec.Finish();
      fields.Finish();
      if (problems.errors.empty()) {
        problems.errors = world_.kyverno().AddClusterResource(document.root);
      }
      document.Report(problems, sink_);
    }
  }
}

void TestInputs::LearnFromResources() {
  input::Document document;
  std::size_t seen = 0;
  std::unordered_set<std::string> identities;
  while (stream_->Next(&document)) {
    if (document.role == input::DocumentRole::kToolConfig) continue;
    const std::string identity =
        std::string(document.api_version) + "\n" + std::string(document.kind) + "\n" +
        std::string(document.namespace_name()) + "\n" + std::string(document.name());
    if (!document.name().empty() && !identities.insert(identity).second) {
      base::Error warning(base::ErrorCode::kDuplicate,
                          "found duplicated resource " + std::string(document.kind) + " " +
                              std::string(document.name()) + ": the first one is evaluated");
      warning.span = document.Locate({});
      sink_.Warning(warning);
      continue;
    }
    world_.Learn(document, true);
    resources_.push_back(document);
  }
  sink_.Take(stream_->diagnostics(), &seen);
}

// As Kyverno shows it: kinds that nobody knows count as namespaced.
std::string TestInputs::SubjectNamespace(const input::Document& document) const {
  std::string ns = world_.NamespaceOf(document);
  if (!ns.empty()) return ns;
  const schema::TypeTable& types = world_.types();
  const bool known = types.FindKind(document.api_version, document.kind) != nullptr ||
                     types.PreferredKind(schema::ParseApiVersion(document.api_version).group,
                                         document.kind) != nullptr;
  return known ? "" : "default";
}

void TestInputs::CollectFacts() {
  for (const Policies::Source& source : policies_.sources()) {
    if (!IsPolicyKind(source.document)) continue;
    testfile::PolicyFact fact;
    fact.kind = source.document.kind;
    fact.name = source.document.name();
    fact.ns = source.document.namespace_name();
    if (!source.loaded) fact.problem = "Invalid policy";
    if (source.unsupported) {
      fact.problem = fact.kind + " " + fact.name + " is not supported yet";
    }
    if (source.loaded && LacksValidations(source.document)) {
      fact.vacuous = fact.kind + " " + fact.name + " has no validations: it passes everything";
      base::Error note(base::ErrorCode::kRequired, fact.vacuous, "spec.validations");
      note.span = source.document.Locate({});
      fact.span = note.span;
    }
    facts_.push_back(std::move(fact));
    documents_.push_back({&source.document, source.loaded && RecordsEmpty(source.document)});
  }
}

const Value* TestInputs::PolicyDocument(const testfile::Response& response) const {
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (facts_[i].name == response.policy && facts_[i].ns == response.policy_ns &&
        facts_[i].kind == response.policy_kind) {
      return &documents_[i].document->root;
    }
  }
  return nullptr;
}

// ---- evaluation ---------------------------------------------------------------------------------

void TestInputs::Evaluate() {
  EvaluateRun("", runs_[""]);
  EvaluatePayloads(runs_[""]);
  for (const testfile::Expectation& expectation : test_.results) {
    const std::string& operation = expectation.operation;
    if (operation.empty() || runs_.count(operation) != 0) continue;
    EvaluateRun(operation, runs_[operation]);
  }
}

void TestInputs::EvaluateRun(const std::string& operation, testfile::Evaluated& out) {
  for (const input::Document& document : resources_) EvaluateResource(document, operation, out);
}

void TestInputs::EvaluatePayloads(testfile::Evaluated& out) {
  const std::string prefix = folder_.empty() ? "" : folder_ + "/";
  for (const auto& [form, payloads] : payloads_) {
    for (const input::Document& document : payloads.documents()) {
      engine::OfflineOptions options;
      options.facts.user_info = world_.user().user_info;
      engine::OfflineResult result;
      result.answer =
          engine::EvaluateDocument(*set_, form, document.root, world_.providers(), arena_, options);
      result.object = document.root;
      Subject subject;
      subject.payload = true;
      subject.name = document.file;
      if (document.file.starts_with(prefix)) subject.name = document.file.substr(prefix.size());
      ResponseBuilder builder(result, subject.Key());
      subject.responses = builder.Take();
      out.triggers.push_back(std::move(subject));
    }
  }
}

void TestInputs::EvaluateResource(const input::Document& document, const std::string& operation,
                                  testfile::Evaluated& out) {
  Subject subject;
  subject.api_version = document.api_version;
  subject.kind = document.kind;
  subject.ns = SubjectNamespace(document);
  subject.name = document.name();

  engine::OfflineOptions options;
  options.defaulting = false;
  options.facts.user_info = world_.user().user_info;
  options.facts.dry_run = world_.user().dry_run;
  options.facts.operation = match::ParseOperation(operation).value_or(match::Operation::kCreate);
  auto result =
      values_.Evaluate(*set_, document, Value::Null(), world_, arena_, options, operation.empty());
  if (!result.ok()) {
    base::Error error = result.TakeError();
    error.span = document.Locate({});
    sink_.Error(error);
    return;
  }
  ResponseBuilder builder(*result, subject.Key());
  subject.responses = builder.Take();
  builder.AddTargets(out.targets);
  AddEmptyResponses(subject);
  out.triggers.push_back(std::move(subject));
}

void TestInputs::AddEmptyResponses(Subject& subject) const {
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (!documents_[i].records_empty) continue;
    const testfile::PolicyFact& fact = facts_[i];
    const bool answered = std::any_of(
        subject.responses.begin(), subject.responses.end(), [&](const testfile::Response& other) {
          return other.policy == fact.name && other.policy_ns == fact.ns &&
                 other.policy_kind == fact.kind;
        });
    if (answered) continue;
    testfile::Response& added = subject.responses.emplace_back();
    added.policy = fact.name;
    added.policy_ns = fact.ns;
    added.policy_kind = fact.kind;
    added.has_rules = fact.has_rules;
  }
}

base::Result<std::vector<Value>> TestInputs::Read(const std::string& file) {
  const auto known = expected_.find(file);
  if (known != expected_.end()) return known->second;
  const std::string paths[] = {PathOf(file)};
  input::Diagnostics problems;
  input::StreamOptions keep;
  keep.keep_limit = std::uint64_t{1} << 40;
  auto stream = std::make_unique<input::DocumentStream>(input::ExpandPaths(paths, &problems), keep);
  std::vector<Value> objects;
  input::Document document;
  while (stream->Next(&document)) objects.push_back(document.root);
  problems.insert(problems.end(), stream->diagnostics().begin(), stream->diagnostics().end());
  std::size_t seen = 0;
  sink_.Take(problems, &seen);
  expected_streams_[file] = std::move(stream);
  const auto error = std::find_if(problems.begin(), problems.end(), [](const auto& problem) {
    return problem.severity == input::Severity::kError;
  });
  if (error != problems.end() && objects.empty()) {
    return base::Error(base::ErrorCode::kIo,
                       error->error.span.ToString() + ": " + error->error.message);
  }
  expected_[file] = objects;
  return objects;
}

}  // namespace portcullis::cli
