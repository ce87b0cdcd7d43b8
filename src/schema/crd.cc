// TypeTable::AddCrd: the versions, names and subresources of a CustomResourceDefinition.

#include <algorithm>
#include <string>
#include <tuple>

#include "schema/crd_schema.h"
#include "schema/type_table.h"

namespace portcullis::schema {

namespace {

constexpr std::uint16_t kOddRank = 60000;  // names that are no Kubernetes version come last

bool TakeNumber(std::string_view& text, int& number) {
  std::size_t digits = 0;
  number = 0;
  while (digits < text.size() && digits < 4 && text[digits] >= '0' && text[digits] <= '9') {
    number = number * 10 + (text[digits++] - '0');
  }
  text.remove_prefix(digits);
  return digits > 0;
}

// v2 before v1 before v1beta2 before v1beta1 before v1alpha1.
std::uint16_t RankOf(std::string_view version) {
  int major = 0;
  int minor = 0;
  int stage = 0;
  if (!version.starts_with('v')) return kOddRank;
  version.remove_prefix(1);
  if (!TakeNumber(version, major)) return kOddRank;
  if (version.starts_with("beta")) {
    stage = 1;
    version.remove_prefix(4);
  } else if (version.starts_with("alpha")) {
    stage = 2;
    version.remove_prefix(5);
  }
  if (stage != 0 && !TakeNumber(version, minor)) return kOddRank;
  if (!version.empty()) return kOddRank;
  const int rank = stage * 10000 - std::min(major, 9) * 100 - std::min(minor, 99) + 1000;
  return static_cast<std::uint16_t>(rank);
}

void Require(std::string_view value, const char* path, base::ErrorList& errors) {
  if (value.empty()) errors.emplace_back(base::ErrorCode::kRequired, "Required value", path);
}

bool IsTrue(const doc::Value& map, std::string_view name) {
  const doc::Value* value = map.Find(name);
  return value != nullptr && value->is_bool() && value->as_bool();
}

std::string_view ShortNames(const doc::Value& names, base::Arena& arena) {
  const doc::Value* list = names.Find("shortNames");
  if (list == nullptr || !list->is_list()) return {};
  std::string joined;
  for (const doc::Value& name : list->as_list()) {
    if (!name.is_string()) continue;
    if (!joined.empty()) joined += ',';
    joined += name.as_string();
  }
  return arena.CopyString(joined);
}

// status and scale, as far as the version has them.
void AddSubresources(const doc::Value& version, Kind& kind, base::Arena& arena) {
  const doc::Value* declared = version.Find("subresources");
  if (declared == nullptr || !declared->is_map()) return;
  Subresource* subs = arena.AllocateArray<Subresource>(2);
  std::uint16_t count = 0;
  constexpr std::uint16_t kVerbs = kVerbGet | kVerbPatch | kVerbUpdate;
  if (declared->Find("status") != nullptr) {
    new (subs + count++) Subresource{"status", kind.group, kind.version, kind.kind, kVerbs};
  }
  if (declared->Find("scale") != nullptr) {
    new (subs + count++) Subresource{"scale", "autoscaling", "v1", "Scale", kVerbs};
  }
  kind.subresource_data = subs;
  kind.subresource_count = count;
}

}  // namespace

base::ErrorList TypeTable::AddCrd(const doc::Value& crd) {
  base::ErrorList errors;
  const doc::Value* spec = crd.Find("spec");
  if (crd.StringAt("kind") != "CustomResourceDefinition" || spec == nullptr || !spec->is_map()) {
    errors.emplace_back(base::ErrorCode::kRequired, "Required value", "spec");
    return errors;
  }
  if (crd.StringAt("apiVersion") != "apiextensions.k8s.io/v1") {
    errors.emplace_back(base::ErrorCode::kUnsupported,
                        "no matches for kind \"CustomResourceDefinition\" in version \"" +
                            std::string(crd.StringAt("apiVersion")) + "\"",
                        "apiVersion");
    return errors;
  }
  const doc::Value* names = spec->Find("names");
  const doc::Value no_names = doc::Value::EmptyMap();
  if (names == nullptr || !names->is_map()) names = &no_names;
  Kind shared;
  shared.custom = true;
  shared.group = arena_.CopyString(spec->StringAt("group"));
  shared.kind = arena_.CopyString(names->StringAt("kind"));
  shared.plural = arena_.CopyString(names->StringAt("plural"));
  shared.short_names = ShortNames(*names, arena_);
  shared.namespaced = spec->StringAt("scope") == "Namespaced";
  std::string singular(names->StringAt("singular", shared.kind));
  std::transform(singular.begin(), singular.end(), singular.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  shared.singular = arena_.CopyString(singular);
  shared.verbs = kVerbCreate | kVerbDelete | kVerbDeleteCollection | kVerbGet | kVerbList |
                 kVerbPatch | kVerbUpdate | kVerbWatch;
  Require(shared.group, "spec.group", errors);
  Require(spec->StringAt("scope"), "spec.scope", errors);
  Require(shared.plural, "spec.names.plural", errors);
  Require(shared.kind, "spec.names.kind", errors);

  const doc::Value* versions = spec->Find("versions");
  if (versions == nullptr || !versions->is_list() || versions->size() == 0) {
    errors.emplace_back(base::ErrorCode::kRequired, "Required value", "spec.versions");
    return errors;
  }
  std::vector<const Kind*> added;
  for (std::size_t i = 0; i < versions->size(); ++i) {
    const doc::Value& version = versions->as_list()[i];
    const std::string path = "spec.versions[" + std::to_string(i) + "]";
    const std::string_view name = arena_.CopyString(version.StringAt("name"));
    Require(name, (path + ".name").c_str(), errors);
    if (!IsTrue(version, "served")) continue;
    Kind* kind = arena_.New<Kind>(shared);
    kind->version = name;
    kind->rank = RankOf(name);
    AddSubresources(version, *kind, arena_);
    const doc::Value* wrapper = version.Find("schema");
    const doc::Value* schema = wrapper == nullptr ? nullptr : wrapper->Find("openAPIV3Schema");
    if (schema == nullptr || !schema->is_map()) {
      errors.emplace_back(base::ErrorCode::kRequired, "Required value: schemas are required",
                          path + ".schema.openAPIV3Schema");
      continue;
    }
    kind->schema =
        IsTrue(*spec, "preserveUnknownFields")
            ? AnyCustomSchema(arena_)
            : BuildCustomSchema(*schema, path + ".schema.openAPIV3Schema", arena_, errors);
    added.push_back(kind);
  }
  if (!errors.empty()) return errors;
  std::erase_if(custom_, [&](const Kind* old) {
    return old->group == shared.group && old->plural == shared.plural;
  });
  custom_.insert(custom_.end(), added.begin(), added.end());
  std::sort(custom_.begin(), custom_.end(), [](const Kind* a, const Kind* b) {
    return std::tie(a->kind, a->group, a->rank, a->version) <
           std::tie(b->kind, b->group, b->rank, b->version);
  });
  return errors;
}

}  // namespace portcullis::schema
