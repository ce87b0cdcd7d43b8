#include "base/arena.h"
#include "doc/path.h"
#include "embed/impl.h"
#include "portcullis/portcullis.h"
#include "yaml/locate.h"
#include "yaml/reader.h"
#include "yaml/split.h"

namespace portcullis {

using doc::Value;

struct PolicySetBuilder::State {
  std::shared_ptr<PolicySet::Impl> impl = std::make_shared<PolicySet::Impl>();
  engine::PolicySetBuilder policies;
  std::vector<Problem> problems;
  bool evaluate_unbound = false;

  void Report(const base::Error& error, std::string_view file, const yaml::Chunk& chunk,
              bool fatal);
  void Take(const Value& object, std::string_view file, const yaml::Chunk& chunk);
  void TakeDocument(const Value& document, std::string_view file, const yaml::Chunk& chunk);
};

void PolicySetBuilder::State::Report(const base::Error& error, std::string_view file,
                                     const yaml::Chunk& chunk, bool fatal) {
  Problem problem;
  problem.fatal = fatal;
  problem.file = std::string(file);
  problem.path = error.path;
  problem.message = error.message;
  problem.line = error.span.line;
  problem.column = error.span.column;
  // Loaders know the document at most: a path says more.
  if (problem.line == 0 || !error.path.empty()) {
    const auto path = doc::ParsePath(error.path);
    const doc::PathView view = path.ok() ? doc::PathView(*path) : doc::PathView();
    const doc::PathLocation location = yaml::Locate(chunk.text, view, chunk.first_line);
    problem.line = location.key.line;
    problem.column = location.key.column;
  }
  problems.push_back(std::move(problem));
}

void PolicySetBuilder::State::Take(const Value& object, std::string_view file,
                                   const yaml::Chunk& chunk) {
  const std::string_view api_version = object.StringAt("apiVersion");
  const std::string_view kind = object.StringAt("kind");
  if (api_version.empty() || kind.empty()) {
    Report(base::Error(base::ErrorCode::kRequired, "apiVersion and kind are required"), file, chunk,
           true);
    return;
  }
  if (policies.Handles(api_version, kind)) {
    policy::SourceDocument document;
    document.value = object;
    document.span = {std::string(file), chunk.first_line, 1};
    const policy::LoadReport report = policies.Add(document, policy::LoadMode::kStrict);
    for (const base::Error& error : report.errors) Report(error, file, chunk, true);
    for (const std::string& warning : report.warnings) {
      Report(base::Error(base::ErrorCode::kInvalid, warning), file, chunk, false);
    }
    return;
  }
  if (kind == "CustomResourceDefinition") {
    for (const base::Error& error : impl->types.AddCrd(object)) Report(error, file, chunk, true);
  } else if (kind == "Namespace" && api_version == "v1") {
    impl->namespaces.Add(object, impl->arena);
  } else {
    impl->rbac.Add(object);
  }
  impl->params.Add(object);
}

void PolicySetBuilder::State::TakeDocument(const Value& document, std::string_view file,
                                           const yaml::Chunk& chunk) {
  const Value* items = document.Find("items");
  if (items != nullptr && items->is_list() && document.StringAt("kind").ends_with("List")) {
    for (const Value& item : items->as_list()) Take(item, file, chunk);
  } else if (document.is_map()) {
    Take(document, file, chunk);
  } else {
    Report(base::Error(base::ErrorCode::kInvalid, "an object is expected"), file, chunk, true);
  }
}

PolicySetBuilder::PolicySetBuilder() : state_(std::make_unique<State>()) {}
PolicySetBuilder::~PolicySetBuilder() = default;

void PolicySetBuilder::EvaluateUnbound(bool on) { state_->evaluate_unbound = on; }

void PolicySetBuilder::Add(std::string_view text, std::string_view file_name) {
  base::Arena& arena = state_->impl->arena;
  const std::string_view kept = arena.CopyString(text);
  yaml::Splitter splitter(kept);
  yaml::Chunk chunk;
  while (true) {
    const auto more = splitter.Next(&chunk);
    if (!more.ok()) {
      state_->Report(more.error(), file_name, chunk, true);
      return;
    }
    if (!*more) return;
    if (!chunk.has_content) continue;
    yaml::ReadOptions options;
    options.strict = true;
    options.first_line = chunk.first_line;
    const auto document = yaml::Parse(chunk.text, arena, options);
    if (document.ok()) {
      state_->TakeDocument(*document, file_name, chunk);
    } else {
      state_->Report(document.error(), file_name, chunk, true);
    }
  }
}

const std::vector<Problem>& PolicySetBuilder::problems() const { return state_->problems; }

PolicySet PolicySetBuilder::Build() {
  std::shared_ptr<PolicySet::Impl> impl = std::move(state_->impl);
  impl->set = state_->policies.Build(state_->evaluate_unbound);
  state_ = std::make_unique<State>();
  return PolicySet(std::move(impl));
}

}  // namespace portcullis
