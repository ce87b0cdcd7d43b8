// `run: admit`: one admission request per resource, answered as the API server would.

#include "cases_part.h"
#include "cli/diagnostics.h"
#include "cli/policies.h"
#include "cli/world.h"
#include "engine/offline.h"
#include "patch/diff.h"
#include "schema/defaulting.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

// Collects diagnostics.
class Collector final : public report::Writer {
 public:
  explicit Collector(std::vector<std::string>& out) : out_(out) {}
  void Add(const report::ResourceResults&) override {}
  void Add(const report::Diagnostic& diagnostic) override {
    out_.push_back(report::DiagnosticText(diagnostic, false));
  }
  void Finish(const report::Summary&) override {}

 private:
  std::vector<std::string>& out_;
};

std::string IdOf(const Value& object, const schema::TypeTable& types) {
  const Value* metadata = object.Find("metadata");
  const schema::Kind* kind = types.FindKindOf(object);
  std::string_view ns = metadata == nullptr ? std::string_view() : metadata->StringAt("namespace");
  if (kind != nullptr && kind->namespaced && ns.empty()) ns = "default";
  return std::string(object.StringAt("apiVersion")) + "|" +
         ResourceId(object.StringAt("kind"), ns,
                    metadata == nullptr ? std::string_view() : metadata->StringAt("name"));
}

}  // namespace

Outcome RunAdmit(const CaseRun& run, base::Arena& arena) {
  Outcome outcome;
  outcome.is_admission = true;
  outcome.has_results = true;
  if (!run.Files("values").empty()) {
    outcome.unsupported = "`values` are not built";
    return outcome;
  }
  const auto paths = [&](const std::string& key) {
    std::vector<std::string> out;
    for (const std::string& file : run.Files(key)) out.push_back(run.dir + "/" + file);
    return out;
  };
  Collector collector(outcome.diagnostics);
  cli::DiagnosticSink sink(&collector, false, nullptr);
  const std::string answer = run.Word("authorizer");
  cli::World world(answer == "noOpinion" ? "no-opinion" : answer, sink);
  std::vector<std::string> files = paths("policies");
  for (std::string& file : paths("exceptions")) files.push_back(std::move(file));
  cli::Policies policies(files, world, sink);
  policies.Load();
  world.LoadCrds(paths("crds"));
  world.LoadNamespaces(paths("namespaces"));
  world.LoadParams(paths("params"));
  if (run.Has("userinfo")) world.LoadUser(run.dir + "/" + run.Word("userinfo"));
  const auto set = policies.Build(false);
  for (const std::string& text : outcome.diagnostics) {
    if (text.find("this version evaluates") != std::string::npos) outcome.unsupported = text;
  }
  if (!outcome.unsupported.empty()) return outcome;

  const auto operation =
      match::ParseOperation(run.Word("operation", "CREATE")).value_or(match::Operation::kCreate);
  std::vector<Value> objects = ReadObjects(run, "resources", arena);
  const std::vector<Value> old_objects = ReadObjects(run, "oldResources", arena);
  if (operation == match::Operation::kDelete && objects.empty()) objects = old_objects;
  const bool defaulting = run.Word("defaulting", "off") == "on";
  const auto complete = [&](const Value& value) {
    return defaulting && value.is_map() ? schema::Default(value, world.types(), arena) : value;
  };
  // A Namespace among the resources answers look-ups, too.
  engine::DocumentNamespaces namespaces(false);
  provider::Providers providers = world.providers();
  if (!run.Has("namespaces")) {
    for (const Value& object : objects) {
      if (object.StringAt("kind") == "Namespace") namespaces.Add(object, arena);
    }
    if (!namespaces.empty()) providers.namespaces = &namespaces;
  }
  std::vector<Value> patches;
  for (const Value& object : objects) {
    Value old;
    for (const Value& candidate : old_objects) {
      if (IdOf(candidate, world.types()) == IdOf(object, world.types())) old = candidate;
    }
    if (operation == match::Operation::kUpdate && old.is_null()) old = object;
    if (operation == match::Operation::kDelete && old.is_null()) old = object;
    engine::OfflineFacts facts;
    facts.operation = operation;
    facts.user_info = world.user().user_info;
    const Value before = complete(object);
    const auto request = engine::BuildRequest(before, complete(old), facts, world.types(), arena);
    if (!request.ok()) {
      outcome.unsupported = request.error().message;
      return outcome;
    }
    engine::AdmitOptions options;
    options.defaulting = defaulting;
    const engine::Answer result =
        engine::Admit(*set, *request, providers, &world.types(), arena, options);
    if (!result.allowed && !outcome.denied) {
      outcome.denied = true;
      outcome.code = result.status.code;
      outcome.reason = result.status.reason;
      outcome.message = result.status.message;
    }
    for (const std::string& warning : result.warnings) outcome.output += warning + "\n";
    if (!result.allowed || !result.mutated) continue;
    outcome.patched[IdOf(object, world.types())] =
        engine::RelativeToWritten(object, before, result.object, arena);
    const std::vector<patch::Operation> operations = patch::Diff(arena, before, result.object);
    const Value document = patch::ToDocument(arena, operations);
    patches.insert(patches.end(), document.as_list().begin(), document.as_list().end());
  }
  outcome.patch = doc::MakeList(arena, patches);
  for (const std::string& text : outcome.diagnostics) outcome.output += text;
  return outcome;
}

}  // namespace portcullis::conformance
