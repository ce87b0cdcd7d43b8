#include "cli/world.h"

#include "doc/edit.h"
#include "input/document_stream.h"
#include "input/files.h"

namespace portcullis::cli {

using doc::Value;

World::World(const std::string& authorizer, DiagnosticSink& sink)
    : sink_(sink),
      kyverno_(types_,
               {false, {}, [this](const std::string& file) { return ReadContextFile(file); }}) {
  using Answer = provider::AuthorizationDecision::Answer;
  if (!authorizer.empty()) {
    fixed_ = std::make_unique<engine::FixedAuthorizer>(authorizer == "allow"  ? Answer::kAllow
                                                       : authorizer == "deny" ? Answer::kDeny
                                                                              : Answer::kNoOpinion);
  }
  providers_.namespaces = &namespaces_;
  providers_.params = &params_;
  providers_.kyverno = &kyverno_;
  providers_.clock = &clock_;
  providers_.authorizer = &rbac_;
  if (fixed_) providers_.authorizer = fixed_.get();
}

void World::AddParamKind(std::string_view api_version, std::string_view kind) {
  param_kinds_.emplace(schema::ParseApiVersion(api_version).group, kind);
}

bool World::IsParamKind(std::string_view api_version, std::string_view kind) const {
  return !param_kinds_.empty() &&
         param_kinds_.count(
             {std::string(schema::ParseApiVersion(api_version).group), std::string(kind)}) != 0;
}

void World::AddParamRef(const Value& param_ref) {
  const std::string_view name = param_ref.StringAt("name");
  if (name.empty()) {
    any_param_ = true;
  } else {
    param_names_.emplace(name);
  }
}

// Of a million ConfigMaps hardly one is a parameter. Of unknown kinds every object is kept: it
// tells how the kind is scoped.
bool World::IsReferred(const input::Document& document) const {
  return any_param_ || param_names_.contains(document.name()) ||
         types_.FindKind(document.api_version, document.kind) == nullptr;
}

bool World::IsOfUse(std::string_view api_version, std::string_view kind) const {
  switch (input::RoleOf(api_version, kind)) {
    case input::DocumentRole::kCrd:
    case input::DocumentRole::kNamespace:
    case input::DocumentRole::kRbac:
      return true;
    case input::DocumentRole::kToolConfig:
      return false;
    default:
      return keeps_objects_ || IsParamKind(api_version, kind);
  }
}

Value World::Keep(const Value& value, bool is_kept) {
  return is_kept ? value : doc::DeepCopy(arena_, value);
}

void World::Report(const input::Document& document, const base::ErrorList& errors) {
  for (base::Error error : errors) {
    const auto path = doc::ParsePath(error.path);
    error.span = document.Locate(path.ok() ? doc::PathView(path.value()) : doc::PathView());
    sink_.Error(error);
  }
}

void World::AddCrd(const input::Document& document) {
  Report(document, types_.AddCrd(document.root));
}

void World::Learn(const input::Document& document, bool is_kept) {
  switch (document.role) {
    case input::DocumentRole::kCrd:
      AddCrd(document);
      break;
    case input::DocumentRole::kNamespace:
      namespaces_.Add(Keep(document.root, is_kept), arena_);
      break;
    case input::DocumentRole::kRbac:
      rbac_.Add(document.root);
      break;
    default:
      break;
  }
  if (IsParamKind(document.api_version, document.kind) && IsReferred(document)) {
    params_.Add(Keep(document.root, is_kept));
  }
  if (!keeps_objects_ || input::IsPolicyRole(document.role)) return;
  const Value kept = Keep(document.root, is_kept);
  kyverno_.AddResource(kept);
  if (document.kind == "GlobalContextEntry") Report(document, kyverno_.AddGlobalContextEntry(kept));
}

void World::AddNamespace(const Value& object) { namespaces_.Add(Keep(object, false), arena_); }

void World::AddObject(const Value& object) {
  const std::string_view api_version = object.StringAt("apiVersion");
  const std::string_view kind = object.StringAt("kind");
  switch (input::RoleOf(api_version, kind)) {
    case input::DocumentRole::kNamespace:
      AddNamespace(object);
      break;
    case input::DocumentRole::kRbac:
      rbac_.Add(object);
      break;
    default:
      break;
  }
  params_.Add(Keep(object, false));
}

void World::AssumeNamespace(std::string_view name) {
  if (name.empty() || namespaces_.Find(name).state != provider::Lookup::State::kUnknown) return;
  doc::MapBuilder metadata;
  metadata.Set("name", doc::MakeString(arena_, name));
  doc::MapBuilder object;
  object.Set("apiVersion", Value::String("v1"));
  object.Set("kind", Value::String("Namespace"));
  object.Set("metadata", metadata.Build(arena_));
  namespaces_.Add(object.Build(arena_), arena_);
}

template <typename F>
void World::ForEach(std::span<const std::string> paths, F&& take) {
  input::Diagnostics problems;
  std::size_t seen = 0;
  // One pass: what is of use is copied.
  input::DocumentStream stream(input::ExpandPaths(paths, &problems), {.keep_limit = 0});
  sink_.Take(problems, &seen);
  input::Document document;
  while (stream.Next(&document)) take(document);
  seen = 0;
  sink_.Take(stream.diagnostics(), &seen);
}

base::Result<std::vector<Value>> World::ReadContextFile(const std::string& file) {
  const std::size_t before = sink_.errors();
  std::vector<Value> out;
  const std::string paths[] = {context_folder_ + "/" + file};
  ForEach(paths,
          [&](const input::Document& document) { out.push_back(Keep(document.root, false)); });
  if (sink_.errors() == before) return out;
  return base::Error(base::ErrorCode::kIo, "the objects of " + file + " cannot be read");
}

void World::LoadCrds(std::span<const std::string> paths) {
  ForEach(paths, [&](const input::Document& document) {
    if (document.role == input::DocumentRole::kCrd) {
      AddCrd(document);
      return;
    }
    base::Error error(base::ErrorCode::kInvalid,
                      std::string(document.kind) + " is no CustomResourceDefinition");
    error.span = document.Locate({});
    sink_.Warning(error);
  });
}

void World::LoadNamespaces(std::span<const std::string> paths) {
  ForEach(paths, [&](const input::Document& document) {
    if (document.role == input::DocumentRole::kNamespace) {
      namespaces_.Add(Keep(document.root, false), arena_);
      return;
    }
    base::Error error(base::ErrorCode::kInvalid, std::string(document.kind) + " is no Namespace");
    error.span = document.Locate({});
    sink_.Warning(error);
  });
}

void World::LoadParams(std::span<const std::string> paths) {
  ForEach(paths, [&](const input::Document& document) {
    params_.Add(Keep(document.root, false));
    if (document.role == input::DocumentRole::kNamespace ||
        document.role == input::DocumentRole::kRbac || document.role == input::DocumentRole::kCrd) {
      Learn(document, false);
    }
  });
}

void World::LoadTargets(std::span<const std::string> paths) {
  KeepObjects();
  ForEach(paths, [&](const input::Document& document) { Learn(document, false); });
}

base::ErrorList World::AddContext(const input::Document& document) {
  const Value kept = Keep(document.root, false);
  if (document.kind == "Context") return kyverno_.AddContext(kept);
  if (document.kind == "GlobalContextEntry") return kyverno_.AddGlobalContextEntry(kept);
  if (document.kind != "ClusterResource") {
    return {base::Error(base::ErrorCode::kInvalid,
                        std::string(document.kind) + " is no Context, ClusterResource or "
                                                     "GlobalContextEntry",
                        "kind")};
  }
  base::ErrorList errors = kyverno_.AddClusterResource(kept);
  if (!errors.empty()) return errors;
  for (const std::string& file : engine::DocumentKyvernoContext::CrdFiles(kept)) {
    const std::string path[] = {context_folder_ + "/" + file};
    LoadCrds(path);
  }
  const Value* objects = doc::LookupKeys(kept, {"spec", "resources"});
  if (objects == nullptr || !objects->is_list()) return {};
  for (const Value& object : objects->as_list()) AddObject(object);
  return {};
}

void World::LoadContexts(std::span<const std::string> paths) {
  ForEach(paths, [&](const input::Document& document) {
    const std::size_t slash = document.file.rfind('/');
    context_folder_ =
        slash == std::string_view::npos ? "." : std::string(document.file.substr(0, slash));
    Report(document, AddContext(document));
  });
}

std::string World::NamespaceOf(const input::Document& document) const {
  const std::string_view written = document.namespace_name();
  const schema::Kind* kind = types_.FindKind(document.api_version, document.kind);
  if (kind == nullptr) {
    // A version that is not served any more has the scope of those that are.
    kind = types_.PreferredKind(schema::ParseApiVersion(document.api_version).group, document.kind);
  }
  if (kind == nullptr) return std::string(written);
  if (!kind->namespaced) return {};
  return written.empty() ? "default" : std::string(written);
}

World::ObjectKey World::KeyOf(const input::Document& document) const {
  const schema::GroupVersion version = schema::ParseApiVersion(document.api_version);
  return {std::string(version.group) + "/" + std::string(document.kind), NamespaceOf(document),
          std::string(document.name())};
}

void World::LoadOldObjects(const std::string& path) {
  if (path.empty()) return;
  const std::string paths[] = {path};
  ForEach(paths, [&](const input::Document& document) {
    old_objects_[KeyOf(document)] = Keep(document.root, false);
  });
}

const Value* World::OldObjectOf(const input::Document& document) const {
  if (old_objects_.empty()) return nullptr;
  const auto it = old_objects_.find(KeyOf(document));
  return it == old_objects_.end() ? nullptr : &it->second;
}

void World::LoadUser(const std::string& path) {
  if (path.empty()) return;
  user_file_ = std::make_unique<TestSource>(path, sink_);
  if (user_file_->documents().empty()) {
    if (user_file_->readable())
      sink_.Error({base::ErrorCode::kRequired, path + " holds no UserInfo"});
    return;
  }
  const TestSource::Document& document = user_file_->documents().front();
  testfile::Problems problems;
  user_ = testfile::DecodeUserInfo(document.root, problems);
  if (problems.errors.empty() && user_.user_info.is_null() && user_.roles.empty() &&
      user_.cluster_roles.empty()) {
    problems.Error(base::ErrorCode::kRequired,
                   "a user is expected: userInfo, roles or clusterRoles", "userInfo");
  }
  document.Report(problems, sink_);
}

}  // namespace portcullis::cli
