#include "input/document.h"

#include <algorithm>

#include "yaml/locate.h"
#include "yaml/scalar.h"

namespace portcullis::input {
namespace {

std::string_view GroupOf(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

// The value of `line` if it is `key: value` with a value that needs no YAML reader.
bool PlainField(std::string_view line, std::string_view key, std::string_view* value) {
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') return false;
  line.remove_prefix(key.size() + 1);
  const std::size_t from = line.find_first_not_of(' ');
  if (from == 0 || from == std::string_view::npos) return false;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '/' || c == '-';
  };
  std::size_t to = from;
  while (to < line.size() && is_plain(line[to])) ++to;
  *value = line.substr(from, to - from);
  const std::string_view behind = line.substr(to);
  return !value->empty() && behind.find_first_not_of(" \r") == std::string_view::npos &&
         yaml::IsPlainString(*value);
}

}  // namespace

DocumentRole RoleOf(std::string_view api_version, std::string_view kind) {
  const std::string_view group = GroupOf(api_version);
  if (group == "admissionregistration.k8s.io") {
    if (kind == "ValidatingAdmissionPolicy" || kind == "MutatingAdmissionPolicy") {
      return DocumentRole::kNativePolicy;
    }
    if (kind == "ValidatingAdmissionPolicyBinding" || kind == "MutatingAdmissionPolicyBinding") {
      return DocumentRole::kNativeBinding;
    }
  } else if (group == "policies.kyverno.io") {
    return kind == "PolicyException" ? DocumentRole::kException : DocumentRole::kKyvernoCelPolicy;
  } else if (group == "kyverno.io") {
    if (kind == "PolicyException") return DocumentRole::kException;
    if (kind == "ClusterPolicy" || kind == "Policy" || kind == "CleanupPolicy" ||
        kind == "ClusterCleanupPolicy") {
      return DocumentRole::kKyvernoPolicy;
    }
  } else if (group == "apiextensions.k8s.io") {
    if (kind == "CustomResourceDefinition") return DocumentRole::kCrd;
  } else if (group == "rbac.authorization.k8s.io") {
    return DocumentRole::kRbac;
  } else if (group == "cli.kyverno.io" || group == "kustomize.config.k8s.io") {
    return DocumentRole::kToolConfig;
  } else if (api_version == "v1" && kind == "Namespace") {
    return DocumentRole::kNamespace;
  }
  return DocumentRole::kResource;
}

std::string_view Document::name() const {
  const doc::Value* metadata = root.Find("metadata");
  return metadata == nullptr ? std::string_view() : metadata->StringAt("name");
}

std::string_view Document::namespace_name() const {
  const doc::Value* metadata = root.Find("metadata");
  return metadata == nullptr ? std::string_view() : metadata->StringAt("namespace");
}

base::SourceSpan Document::Locate(doc::PathView path) const {
  const doc::Path paths[] = {doc::Path(path.begin(), path.end())};
  return LocateAll(paths).front();
}

std::vector<base::SourceSpan> Document::LocateAll(std::span<const doc::Path> paths) const {
  std::vector<doc::Path> full(paths.size(), prefix);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    full[i].insert(full[i].end(), paths[i].begin(), paths[i].end());
  }
  std::vector<base::SourceSpan> out;
  for (const doc::PathLocation& at : yaml::LocateAll(text, full, first_line)) {
    base::SourceSpan& span = out.emplace_back();
    span.file = file;
    span.line = at.key.line;
    span.column = at.key.column + (at.key.line == first_line ? first_column : 0);
  }
  return out;
}

bool ScanHead(std::string_view text, std::string_view* api_version, std::string_view* kind) {
  int kinds = 0;
  int versions = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    switch (line.front()) {
      case 'k':
        if (line.starts_with("kind")) {
          ++kinds;
          if (!PlainField(line, "kind", kind)) return false;
        }
        break;
      case 'a':
        if (line.starts_with("apiVersion")) {
          ++versions;
          if (!PlainField(line, "apiVersion", api_version)) return false;
        }
        break;
      // Other ways to write or to repeat those keys.
      case '"':
      case '\'':
      case '{':
      case '[':
      case '<':
      case '?':
      case '!':
      case '&':
      case '*':
      case '%':
      case '.':
        return false;
      default:
        break;
    }
  }
  return kinds == 1 && versions == 1 && !kind->ends_with("List");
}

}  // namespace portcullis::input
