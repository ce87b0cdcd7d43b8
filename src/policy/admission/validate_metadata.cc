// Validation of ObjectMeta, as of every kind that is cluster-scoped and named by a DNS subdomain.

#include <algorithm>
#include <string>
#include <vector>

#include "base/gotext.h"
#include "base/validation.h"
#include "json/writer.h"
#include "policy/admission/decode.h"
#include "policy/admission/validate.h"

namespace portcullis::policy {
namespace {

using doc::Value;
using Entries = std::vector<std::pair<std::string_view, std::string_view>>;

constexpr std::size_t kAnnotationBytes = std::size_t{256} * 1024;
constexpr std::size_t kGeneratedPrefix = 58;  // what is kept of generateName
constexpr std::string_view kGeneratedSuffix = "abcde";

void AddAll(const base::Messages& messages, const std::string& path, std::string_view value,
            FieldErrors& errors) {
  for (const std::string& message : messages) errors.Invalid(path, value, message);
}

// A map of strings, in the order of its keys (the server's is random).
Entries Sorted(const Value& metadata, std::string_view member) {
  Entries out;
  const Value* map = Member(metadata, member);
  if (map == nullptr || !map->is_map()) return out;
  for (const doc::MapEntry& entry : map->as_map()) {
    out.emplace_back(entry.key.as_string(),
                     entry.value.is_string() ? entry.value.as_string() : std::string_view());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void ValidateLabels(const Value& metadata, FieldErrors& errors) {
  const std::string path = "metadata.labels";
  for (const auto& [key, value] : Sorted(metadata, "labels")) {
    AddAll(base::ValidateQualifiedName(key), path, key, errors);
    AddAll(base::ValidateLabelValue(value), path, value, errors);
  }
}

void ValidateAnnotations(const Value& metadata, FieldErrors& errors) {
  const std::string path = "metadata.annotations";
  std::size_t bytes = 0;
  for (const auto& [key, value] : Sorted(metadata, "annotations")) {
    std::string lower(key);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    AddAll(base::ValidateQualifiedName(lower), path, key, errors);
    bytes += key.size() + value.size();
  }
  if (bytes > kAnnotationBytes) errors.TooLong(path, kAnnotationBytes);
}

// A reference as the API server's error shows it.
std::string OwnerText(const Value& owner) {
  std::string out = "{";
  for (const std::string_view member : {"apiVersion", "kind", "name", "uid"}) {
    if (out.size() > 1) out += ',';
    base::AppendGoJsonString(out, member);
    out += ':';
    base::AppendGoJsonString(out, owner.StringAt(member));
  }
  for (const std::string_view member : {"controller", "blockOwnerDeletion"}) {
    const Value* flag = Member(owner, member);
    if (flag == nullptr || !flag->is_bool()) continue;
    out += ",\"" + std::string(member) + "\":" + (flag->as_bool() ? "true" : "false");
  }
  return out + "}";
}

void ValidateOwner(const Value& owner, const std::string& path, FieldErrors& errors) {
  const std::string_view api_version = owner.StringAt("apiVersion");
  if (api_version.empty()) {
    errors.Required(Child(path, "apiVersion"), "must not be empty");
  } else if (std::count(api_version.begin(), api_version.end(), '/') > 1 ||
             api_version.ends_with('/')) {
    errors.Invalid(Child(path, "apiVersion"), api_version,
                   "must be <group>/<version> or <version>");
  }
  for (const std::string_view member : {"kind", "name", "uid"}) {
    if (owner.StringAt(member).empty()) errors.Required(Child(path, member), "must not be empty");
  }
  if (api_version == "v1" && owner.StringAt("kind") == "Event") {
    errors.InvalidJson(path, OwnerText(owner), "/v1, Kind=Event is disallowed from being an owner");
  }
}

void ValidateOwners(const Value& metadata, FieldErrors& errors) {
  const std::string path = "metadata.ownerReferences";
  const auto owners = Items(metadata, "ownerReferences");
  std::string all = "[";
  for (const Value& owner : owners) all += (all.size() > 1 ? "," : "") + OwnerText(owner);
  all += ']';
  std::string first;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    ValidateOwner(owners[i], Index(path, i), errors);
    const Value* controller = Member(owners[i], "controller");
    if (controller == nullptr || !controller->is_bool() || !controller->as_bool()) continue;
    const std::string name =
        std::string(owners[i].StringAt("kind")) + "/" + std::string(owners[i].StringAt("name"));
    if (first.empty()) {
      first = name;
    } else {
      std::string detail = "Only one reference can have Controller set to true. Found \"true\" in ";
      detail += "references for " + first;
      detail += " and " + name;
      errors.InvalidJson(path, all, detail);
    }
  }
}

void ValidateFinalizers(const Value& metadata, FieldErrors& errors) {
  const std::string path = "metadata.finalizers";
  bool orphan = false;
  bool foreground = false;
  for (const Value& item : Items(metadata, "finalizers")) {
    const std::string_view name = item.is_string() ? item.as_string() : std::string_view();
    AddAll(base::ValidateQualifiedName(name), path, name, errors);
    orphan = orphan || name == "orphan";
    foreground = foreground || name == "foregroundDeletion";
  }
  if (orphan && foreground) {
    errors.InvalidJson(path, json::ToString(*Member(metadata, "finalizers")),
                       "finalizer orphan and foregroundDeletion cannot be both set");
  }
}

}  // namespace

std::string NameOf(const Value& object) {
  const Value* metadata = Member(object, "metadata");
  if (metadata == nullptr) return {};
  const std::string_view name = metadata->StringAt("name");
  const std::string_view generate = metadata->StringAt("generateName");
  if (!name.empty() || generate.empty()) return std::string(name);
  return std::string(generate.substr(0, kGeneratedPrefix)) + std::string(kGeneratedSuffix);
}

void ValidateMetadata(const Value& object, FieldErrors& errors) {
  const Value* member = Member(object, "metadata");
  const Value metadata = member == nullptr ? Value::EmptyMap() : *member;
  const std::string_view generate = metadata.StringAt("generateName");
  if (!generate.empty()) {
    AddAll(base::ValidateDns1123Subdomain(base::MaskTrailingDash(generate)),
           "metadata.generateName", generate, errors);
  }
  const std::string name = NameOf(object);
  if (name.empty()) {
    errors.Required("metadata.name", "name or generateName is required");
  } else {
    AddAll(base::ValidateDns1123Subdomain(name), "metadata.name", name, errors);
  }
  ValidateLabels(metadata, errors);
  ValidateAnnotations(metadata, errors);
  ValidateOwners(metadata, errors);
  ValidateFinalizers(metadata, errors);
}

}  // namespace portcullis::policy
