#include "input/check.h"

#include <string>

#include "base/gotext.h"

namespace portcullis::input {
namespace {

// Groups that Kubernetes reserves for itself: an unknown kind in them is a mistake unless it looks
// like an add-on's.
bool IsBuiltinGroup(const schema::TypeTable& types, std::string_view group) {
  if (group.empty()) return true;
  for (const schema::Kind* kind : types.All()) {
    if (kind->group == group) return true;
  }
  return false;
}

}  // namespace

std::optional<Diagnostic> CheckType(const Document& document, const schema::TypeTable& types) {
  const std::string_view api_version = document.api_version;
  const std::string_view kind = document.kind;
  if (document.role == DocumentRole::kToolConfig || types.FindKind(api_version, kind) != nullptr) {
    return std::nullopt;
  }
  const schema::GroupVersion gv = schema::ParseApiVersion(api_version);
  const bool is_lower = kind.front() >= 'a' && kind.front() <= 'z';
  const std::string near_version = types.ClosestApiVersion(api_version, kind);
  const bool group_is_known = IsBuiltinGroup(types, gv.group);
  // Foreign groups may well have a Service or a Job of their own. Without a dot a group is no
  // foreign one, and *.k8s.io is close enough for a warning.
  const bool group_is_foreign = !group_is_known && gv.group.find('.') != std::string_view::npos;
  const bool judges_version =
      !near_version.empty() && (!group_is_foreign || gv.group.ends_with(".k8s.io"));
  if (group_is_foreign && !judges_version && !is_lower) return std::nullopt;

  Diagnostic diagnostic;
  base::Error& error = diagnostic.error;
  error.code = base::ErrorCode::kNotFound;
  error.message =
      "no matches for kind " + base::GoQuote(kind) + " in version " + base::GoQuote(api_version);
  error.path = "kind";
  const doc::PathStep kind_step[] = {doc::PathStep("kind")};
  const doc::PathStep version_step[] = {doc::PathStep("apiVersion")};
  error.span = document.Locate(kind_step);
  if (group_is_foreign) diagnostic.severity = Severity::kWarning;
  if (judges_version) {
    error.hint = "did you mean apiVersion " + near_version + "?";
    error.path = "apiVersion";
    error.span = document.Locate(version_step);
    return diagnostic;
  }
  if (const std::string_view near = types.ClosestKind(kind, api_version); !near.empty()) {
    error.hint = "did you mean " + std::string(near) + "?";
  } else if (is_lower) {
    error.hint = "kinds begin with a capital letter";
  }
  return diagnostic;
}

}  // namespace portcullis::input
