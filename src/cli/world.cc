#include "cli/world.h"

#include "doc/edit.h"
#include "input/document_stream.h"
#include "input/files.h"

namespace portcullis::cli {

using doc::Value;

World::World(const std::string& authorizer, DiagnosticSink& sink) : sink_(sink) {
  using Answer = provider::AuthorizationDecision::Answer;
  if (!authorizer.empty()) {
    fixed_ = std::make_unique<engine::FixedAuthorizer>(authorizer == "allow"  ? Answer::kAllow
                                                       : authorizer == "deny" ? Answer::kDeny
                                                                              : Answer::kNoOpinion);
  }
  providers_.namespaces = &namespaces_;
  providers_.params = &params_;
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

bool World::IsOfUse(std::string_view api_version, std::string_view kind) const {
  switch (input::RoleOf(api_version, kind)) {
    case input::DocumentRole::kCrd:
    case input::DocumentRole::kNamespace:
    case input::DocumentRole::kRbac:
      return true;
    default:
      return IsParamKind(api_version, kind);
  }
}

Value World::Keep(const Value& value, bool is_kept) {
  return is_kept ? value : doc::DeepCopy(arena_, value);
}

void World::AddCrd(const input::Document& document) {
  for (base::Error error : types_.AddCrd(document.root)) {
    const auto path = doc::ParsePath(error.path);
    error.span = document.Locate(path.ok() ? doc::PathView(path.value()) : doc::PathView());
    sink_.Error(error);
  }
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
  if (IsParamKind(document.api_version, document.kind)) {
    params_.Add(Keep(document.root, is_kept));
  }
}

template <typename F>
void World::ForEach(std::span<const std::string> paths, F&& take) {
  input::Diagnostics problems;
  std::size_t seen = 0;
  input::DocumentStream stream(input::ExpandPaths(paths, &problems));
  sink_.Take(problems, &seen);
  input::Document document;
  while (stream.Next(&document)) take(document);
  seen = 0;
  sink_.Take(stream.diagnostics(), &seen);
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

World::ObjectKey World::KeyOf(const input::Document& document) {
  const schema::GroupVersion version = schema::ParseApiVersion(document.api_version);
  return {std::string(version.group) + "/" + std::string(document.kind),
          std::string(document.namespace_name()), std::string(document.name())};
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
  const std::string paths[] = {path};
  ForEach(paths, [&](const input::Document& document) {
    const Value* user = document.root.Find("userInfo");
    if (document.kind != "UserInfo" || user == nullptr || !user->is_map()) {
      base::Error error(base::ErrorCode::kInvalid,
                        "a UserInfo (cli.kyverno.io/v1alpha1) with an object userInfo is expected",
                        "userInfo");
      error.span = document.Locate({});
      sink_.Error(error);
      return;
    }
    user_info_ = Keep(*user, false);
  });
}

}  // namespace portcullis::cli
