#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/arena.h"
#include "base/suggest.h"
#include "doc/path.h"
#include "embed/documents.h"
#include "embed/impl.h"
#include "input/check.h"
#include "portcullis/portcullis.h"

namespace portcullis {

using input::DocumentRole;

struct PolicySetBuilder::State {
  std::shared_ptr<PolicySet::Impl> impl = std::make_shared<PolicySet::Impl>();
  engine::PolicySetBuilder policies;
  std::vector<Problem> problems;
  bool evaluate_unbound = false;
  bool looks_up_objects = false;  // any object may be meant

  // Policies and bindings by the place where they begin, which notes about the whole set name.
  std::map<std::string, input::Document> sources;
  std::map<std::string, std::string> places;  // kind and name of a policy -> where it was given
  std::vector<std::string> policy_names;
  std::set<std::pair<std::string, std::string>> param_kinds;  // group, kind
  // What may be a parameter: judged when every policy and CustomResourceDefinition is known.
  std::vector<input::Document> others;

  void Report(const base::Error& error, bool fatal);
  void ReportAt(const input::Document& document, base::Error error, bool fatal);
  void Take(const input::Document& document);
  void TakePolicy(const input::Document& document);
  void TakeContext(const input::Document& document);
  void Judge(const input::Document& document);
  void TakeNote(base::Error note);
};

void PolicySetBuilder::State::Report(const base::Error& error, bool fatal) {
  Problem problem;
  problem.fatal = fatal;
  problem.file = error.span.file;
  problem.line = error.span.line;
  problem.column = error.span.column;
  problem.path = error.path;
  problem.message = error.message;
  problem.hint = error.hint;
  problems.push_back(std::move(problem));
}

// With the place of the error's path in the document.
void PolicySetBuilder::State::ReportAt(const input::Document& document, base::Error error,
                                       bool fatal) {
  const auto path = doc::ParsePath(error.path);
  error.span = document.Locate(path.ok() ? doc::PathView(*path) : doc::PathView());
  Report(error, fatal);
}

void PolicySetBuilder::State::Take(const input::Document& document) {
  switch (document.role) {
    case DocumentRole::kNativePolicy:
    case DocumentRole::kNativeBinding:
    case DocumentRole::kKyvernoCelPolicy:
      TakePolicy(document);
      return;
    case DocumentRole::kException:
      if (policies.Handles(document.api_version, document.kind)) {
        TakePolicy(document);
      } else {
        others.push_back(document);
      }
      return;
    case DocumentRole::kToolConfig:
      TakeContext(document);
      return;
    case DocumentRole::kCrd:
      for (base::Error& error : impl->types.AddCrd(document.root)) {
        ReportAt(document, std::move(error), true);
      }
      break;
    case DocumentRole::kNamespace:
      impl->namespaces.Add(document.root, impl->arena);
      break;
    case DocumentRole::kRbac:
      if (!impl->rbac.Add(document.root)) others.push_back(document);
      break;
    default:
      others.push_back(document);
      break;
  }
  impl->params.Add(document.root);
  impl->kyverno.AddResource(document.root);
  if (document.kind == "GlobalContextEntry") {
    for (base::Error& error : impl->kyverno.AddGlobalContextEntry(document.root)) {
      ReportAt(document, std::move(error), true);
    }
  }
}

// What policies may look up, in the files of Kyverno's command line.
void PolicySetBuilder::State::TakeContext(const input::Document& document) {
  base::ErrorList errors;
  if (document.kind == "Context") {
    errors = impl->kyverno.AddContext(document.root);
  } else if (document.kind == "ClusterResource") {
    errors = impl->kyverno.AddClusterResource(document.root);
    if (!engine::DocumentKyvernoContext::CrdFiles(document.root).empty()) {
      errors.emplace_back(base::ErrorCode::kUnsupported,
                          "files are not read here: add the CustomResourceDefinitions themselves",
                          "spec.crds");
    }
  } else {
    others.push_back(document);
  }
  for (base::Error& error : errors) ReportAt(document, std::move(error), true);
}

void PolicySetBuilder::State::TakePolicy(const input::Document& document) {
  if (const auto unknown = input::CheckType(document, impl->types)) {
    Report(unknown->error, true);
    return;
  }
  policy::SourceDocument source;
  source.value = document.root;
  source.span = document.Locate({});
  sources[source.span.ToString()] = document;
  const policy::LoadReport report = policies.Add(source, policy::LoadMode::kStrict);
  for (const base::Error& error : report.errors) ReportAt(document, error, true);
  for (const std::string& warning : report.warnings) {
    ReportAt(document, {base::ErrorCode::kInvalid, warning}, false);
  }
  if (!report.errors.empty()) return;
  const std::string name(document.name());
  if (document.role == DocumentRole::kNativePolicy ||
      document.role == DocumentRole::kKyvernoCelPolicy) {
    policy_names.push_back(name);
  }
  looks_up_objects = looks_up_objects || engine::LooksUpObjects(document.root);
  const std::string key =
      std::string(document.kind) + '\n' + std::string(document.namespace_name()) + '\n' + name;
  const auto [place, is_new] = places.try_emplace(key, source.span.ToString());
  if (!is_new) {
    base::Error error(base::ErrorCode::kDuplicate, std::string(document.kind) + " " + name +
                                                       " replaces the one of the same name at " +
                                                       place->second);
    ReportAt(document, std::move(error), false);
    place->second = source.span.ToString();
  }
  const doc::Value* kind = doc::LookupKeys(document.root, {"spec", "paramKind"});
  if (kind != nullptr && kind->is_map()) {
    param_kinds.emplace(schema::ParseApiVersion(kind->StringAt("apiVersion")).group,
                        kind->StringAt("kind"));
  }
}

// A document that is neither a policy nor something that every policy may look up.
void PolicySetBuilder::State::Judge(const input::Document& document) {
  const std::string group(schema::ParseApiVersion(document.api_version).group);
  if (param_kinds.contains({group, std::string(document.kind)})) return;
  if (looks_up_objects && document.role == DocumentRole::kResource) return;
  if (const auto unknown = input::CheckType(document, impl->types)) {
    Report(unknown->error, unknown->severity == input::Severity::kError);
    return;
  }
  base::Error error(base::ErrorCode::kUnsupported, "", "kind");
  const bool policy = input::IsPolicyRole(document.role);
  if (policy) {
    error.message = std::string(document.kind) + " of " + std::string(document.api_version) +
                    " is not a policy that can be evaluated";
    error.hint =
        "this version evaluates ValidatingAdmissionPolicy, MutatingAdmissionPolicy and the kinds "
        "of policies.kyverno.io";
  } else {
    error.message = std::string(document.kind) + " " + std::string(document.name()) +
                    " is neither a policy nor a parameter of one";
  }
  ReportAt(document, std::move(error), policy);
}

// A note about the set as a whole; one with a path is a name that leads nowhere.
void PolicySetBuilder::State::TakeNote(base::Error note) {
  const auto source = sources.find(note.span.ToString());
  const auto path = doc::ParsePath(note.path);
  if (source == sources.end() || note.path.empty() || !path.ok()) {
    Report(note, false);
    return;
  }
  const doc::Value* name = doc::Lookup(source->second.root, *path);
  if (name != nullptr && name->is_string()) {
    const std::string_view near = base::ClosestName(name->as_string(), policy_names);
    if (!near.empty()) note.hint = "did you mean \"" + std::string(near) + "\"?";
  }
  // An exception without a policy exempts nothing; a binding without one enforces nothing.
  const bool fatal = source->second.role != DocumentRole::kException;
  ReportAt(source->second, std::move(note), fatal);
}

PolicySetBuilder::PolicySetBuilder() : state_(std::make_unique<State>()) {}
PolicySetBuilder::~PolicySetBuilder() = default;

void PolicySetBuilder::EvaluateUnbound(bool on) { state_->evaluate_unbound = on; }

void PolicySetBuilder::SetClock(std::function<std::int64_t()> clock) {
  state_->impl->clock.now = std::move(clock);
}

void PolicySetBuilder::Add(std::string_view text, std::string_view file_name) {
  base::Arena& arena = state_->impl->arena;
  const embed::Documents documents =
      embed::ReadDocuments(arena.CopyString(text), arena.CopyString(file_name), arena);
  for (const input::Diagnostic& problem : documents.problems) {
    state_->Report(problem.error, problem.severity == input::Severity::kError);
  }
  for (const input::Document& document : documents.objects) state_->Take(document);
}

const std::vector<Problem>& PolicySetBuilder::problems() const { return state_->problems; }

PolicySet PolicySetBuilder::Build() {
  const std::unique_ptr<State> state = std::exchange(state_, std::make_unique<State>());
  state->impl->set = state->policies.Build(state->evaluate_unbound);
  for (const input::Document& document : state->others) state->Judge(document);
  for (base::Error& note : state->impl->set->notes()) state->TakeNote(std::move(note));
  state->impl->problems = std::move(state->problems);
  return PolicySet(std::move(state->impl));
}

}  // namespace portcullis
