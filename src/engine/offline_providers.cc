#include "engine/offline_providers.h"

#include <algorithm>

#include "doc/edit.h"
#include "match/request.h"

namespace portcullis::engine {
namespace {

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";

// Where an object of a namespaced kind stands that names no namespace.
constexpr std::string_view kDefaultNamespace = "default";

doc::Value MapAt(const doc::Value& object, std::string_view name) {
  const doc::Value* member = object.Find(name);
  return member != nullptr && member->is_map() ? *member : doc::Value::EmptyMap();
}

}  // namespace

void DocumentNamespaces::Add(const doc::Value& object, base::Arena& arena) {
  const doc::Value metadata = MapAt(object, "metadata");
  const std::string name(metadata.StringAt("name"));
  const doc::Value labels =
      doc::WithEntry(arena, MapAt(metadata, "labels"), kNameLabel, doc::MakeString(arena, name));
  objects_[name] =
      doc::WithEntry(arena, object, "metadata", doc::WithEntry(arena, metadata, "labels", labels));
}

provider::Lookup DocumentNamespaces::Find(std::string_view name) const {
  const auto it = objects_.find(name);
  if (it != objects_.end()) return provider::Lookup::Found(it->second);
  return complete_ ? provider::Lookup::NotFound() : provider::Lookup::Unknown();
}

DocumentParams::Key DocumentParams::KeyOf(std::string_view api_version, std::string_view kind) {
  return {std::string(match::SplitApiVersion(api_version).group), std::string(kind)};
}

void DocumentParams::Add(const doc::Value& object) {
  const doc::Value metadata = MapAt(object, "metadata");
  auto& objects = objects_[KeyOf(object.StringAt("apiVersion"), object.StringAt("kind"))];
  objects[{std::string(metadata.StringAt("namespace")), std::string(metadata.StringAt("name"))}] = {
      object, count_++};
}

provider::Lookup DocumentParams::Find(std::string_view api_version, std::string_view kind,
                                      std::string_view ns, std::string_view name) const {
  const auto objects = objects_.find(KeyOf(api_version, kind));
  if (objects == objects_.end()) return provider::Lookup::NotFound();
  auto it = objects->second.find({std::string(ns), std::string(name)});
  if (it == objects->second.end() && ns == kDefaultNamespace) {
    it = objects->second.find({std::string(), std::string(name)});
  }
  return it == objects->second.end() ? provider::Lookup::NotFound()
                                     : provider::Lookup::Found(it->second.object);
}

std::vector<doc::Value> DocumentParams::List(std::string_view api_version, std::string_view kind,
                                             std::string_view ns) const {
  std::vector<doc::Value> out;
  const auto objects = objects_.find(KeyOf(api_version, kind));
  if (objects == objects_.end()) return out;
  std::vector<Entry> found;
  for (const auto& [key, entry] : objects->second) {
    const bool unnamed = ns == kDefaultNamespace && key.first.empty() &&
                         !objects->second.contains({std::string(ns), key.second});
    if (key.first == ns || unnamed) found.push_back(entry);
  }
  if (infer_kinds_) {
    std::sort(found.begin(), found.end(),
              [](const Entry& a, const Entry& b) { return a.number < b.number; });
  }
  for (const Entry& entry : found) out.push_back(entry.object);
  return out;
}

std::optional<bool> DocumentParams::Namespaced(std::string_view api_version,
                                               std::string_view kind) const {
  if (!infer_kinds_) return std::nullopt;
  const auto objects = objects_.find(KeyOf(api_version, kind));
  if (objects == objects_.end()) return std::nullopt;
  for (const auto& [key, entry] : objects->second) {
    if (!key.first.empty()) return true;
  }
  return false;
}

}  // namespace portcullis::engine
