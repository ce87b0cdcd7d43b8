#include "engine/offline_kyverno_context.h"

#include "doc/edit.h"
#include "doc/path.h"
#include "engine/offline.h"
#include "schema/schema.h"

namespace portcullis::engine {
namespace {

using doc::Value;
using provider::Lookup;
using provider::ResourceName;

constexpr std::string_view kDefaultNamespace = "default";

bool HasLabels(const Value& object, const Value& wanted) {
  if (!wanted.is_map()) return true;
  const Value* labels = doc::LookupKeys(object, {"metadata", "labels"});
  for (const doc::MapEntry& entry : wanted.as_map()) {
    const Value* label =
        labels != nullptr && entry.key.is_string() ? labels->Find(entry.key.as_string()) : nullptr;
    if (label == nullptr || !label->is_string() || !entry.value.is_string() ||
        label->as_string() != entry.value.as_string()) {
      return false;
    }
  }
  return true;
}

std::string ApiVersion(std::string_view group, std::string_view version) {
  std::string text(group);
  if (!group.empty()) text += '/';
  return text.append(version);
}

Value ListOf(std::span<const Value> items, base::Arena& arena) {
  const doc::MapEntry entries[] = {{Value::String("items"), doc::MakeList(arena, items)}};
  return doc::MakeMap(arena, entries);
}

}  // namespace

// ---- objects --------------------------------------------------------------------------------

DocumentKyvernoContext::Target DocumentKyvernoContext::Find(const ResourceName& resource) const {
  Target target;
  target.kind = types_.FindResource(resource.group, resource.version, resource.resource);
  if (target.kind != nullptr) {
    target.key = {std::string(resource.group), std::string(resource.version),
                  std::string(target.kind->kind)};
    const auto it = objects_.find(target.key);
    if (it != objects_.end()) target.objects = &it->second;
    return target;
  }
  const KindKey first{std::string(resource.group), std::string(resource.version), std::string()};
  for (auto it = objects_.lower_bound(first); it != objects_.end(); ++it) {
    const auto& [group, version, kind] = it->first;
    if (group != resource.group || version != resource.version) break;
    if (GuessPlural(kind) != resource.resource) continue;
    target.key = it->first;
    target.kind = types_.FindKind(group, version, kind);
    target.objects = &it->second;
    return target;
  }
  return target;
}

// Whether an object that names the namespace `own` is found in `ns`: cluster-scoped objects are in
// none, and namespaced ones that name none are in `default`.
bool DocumentKyvernoContext::IsIn(const Target& target, const std::string& own,
                                  std::string_view ns) const {
  if (target.kind != nullptr && !target.kind->namespaced) return ns.empty();
  if (own == ns) return !own.empty() || target.kind == nullptr;
  return own.empty() && ns == kDefaultNamespace;
}

const Value* DocumentKyvernoContext::FindIn(const Target& target, std::string_view ns,
                                            std::string_view name) const {
  if (target.objects == nullptr) return nullptr;
  for (const std::string_view own : {ns, std::string_view()}) {
    const auto it = target.objects->find({std::string(own), std::string(name)});
    if (it != target.objects->end() && IsIn(target, it->first.first, ns)) return &it->second;
  }
  // A cluster-scoped object may have been written with a namespace.
  if (target.kind == nullptr || target.kind->namespaced || !ns.empty()) return nullptr;
  for (const auto& [key, object] : *target.objects) {
    if (key.second == name) return &object;
  }
  return nullptr;
}

// The object as a server would give it.
Value DocumentKyvernoContext::Served(const Target& target, const Value& object,
                                     base::Arena& arena) const {
  const Value* metadata = object.Find("metadata");
  if (target.kind == nullptr || !target.kind->namespaced || metadata == nullptr ||
      metadata->Find("namespace") != nullptr) {
    return object;
  }
  return doc::WithEntry(
      arena, object, "metadata",
      doc::WithEntry(arena, *metadata, "namespace", Value::String(kDefaultNamespace)));
}

// The version in which objects of the kind are given, when it is not the one that was asked for.
std::string DocumentKyvernoContext::OtherVersion(const Target& target) const {
  const auto& [wanted_group, wanted_version, wanted_kind] = target.key;
  for (const auto& [key, objects] : objects_) {
    const auto& [group, version, kind] = key;
    if (group == wanted_group && kind == wanted_kind && version != wanted_version) return version;
  }
  return {};
}

Lookup DocumentKyvernoContext::GetResource(const ResourceName& resource, std::string_view ns,
                                           std::string_view name, base::Arena& arena) const {
  if (options_.strict && objects_.empty()) return Lookup::Unknown();
  if (!resource.subresource.empty() && resource.subresource != "status") {
    return Lookup::Failed(std::string(resource.resource)
                              .append("/")
                              .append(resource.subresource)
                              .append(" is not available offline"));
  }
  const Target target = Find(resource);
  if (const Value* object = FindIn(target, ns, name)) {
    return Lookup::Found(Served(target, *object, arena));
  }
  const std::string other = OtherVersion(target);
  if (target.objects == nullptr && !other.empty()) {
    return Lookup::Failed(std::string(resource.resource)
                              .append(" are given as ")
                              .append(ApiVersion(resource.group, other))
                              .append(", not as ")
                              .append(ApiVersion(resource.group, resource.version)));
  }
  return Lookup::NotFound();
}

Lookup DocumentKyvernoContext::ListResources(const ResourceName& resource, std::string_view ns,
                                             const Value& labels, base::Arena& arena) const {
  if (options_.strict && objects_.empty()) return Lookup::Unknown();
  const Target target = Find(resource);
  if (target.objects == nullptr) {
    const std::string other = OtherVersion(target);
    if (!other.empty()) {
      return Lookup::Failed(std::string(resource.resource)
                                .append(" are given as ")
                                .append(ApiVersion(resource.group, other))
                                .append(", not as ")
                                .append(ApiVersion(resource.group, resource.version)));
    }
    if (target.kind == nullptr) {
      return Lookup::Failed(std::string(resource.resource).append(" resource not found"));
    }
    return Lookup::Found(ListOf({}, arena));
  }
  std::vector<Value> items;
  for (const auto& [key, object] : *target.objects) {
    if ((ns.empty() || IsIn(target, key.first, ns)) && HasLabels(object, labels)) {
      items.push_back(Served(target, object, arena));
    }
  }
  return Lookup::Found(ListOf(items, arena));
}

Lookup DocumentKyvernoContext::PostResource(const ResourceName&, std::string_view, const Value&,
                                            base::Arena&) const {
  return Lookup::Failed("resource.post is not available offline");
}

Lookup DocumentKyvernoContext::ResourceOfKind(std::string_view group, std::string_view version,
                                              std::string_view kind, base::Arena& arena) const {
  std::string plural;
  if (const schema::Kind* known = types_.FindKind(group, version, kind)) {
    plural = known->plural;
  } else if (objects_.count({std::string(group), std::string(version), std::string(kind)}) != 0) {
    plural = GuessPlural(kind);
  }
  if (plural.empty()) {
    return Lookup::Failed(std::string("no matches for kind \"")
                              .append(kind)
                              .append("\" in version \"")
                              .append(ApiVersion(group, version))
                              .append("\""));
  }
  const doc::MapEntry entries[] = {
      {Value::String("group"), doc::MakeString(arena, group)},
      {Value::String("version"), doc::MakeString(arena, version)},
      {Value::String("resource"), doc::MakeString(arena, plural)},
  };
  return Lookup::Found(doc::MakeMap(arena, entries));
}

std::optional<bool> DocumentKyvernoContext::Namespaced(std::string_view api_version,
                                                       std::string_view kind) const {
  const schema::Kind* known = types_.FindKind(api_version, kind);
  if (known == nullptr) return std::nullopt;
  return known->namespaced;
}

// ---- HTTP, global context, images -----------------------------------------------------------

Lookup DocumentKyvernoContext::Http(const provider::HttpCall& call, base::Arena& arena) const {
  auto mock = mocks_.find(std::string(call.method).append(":").append(call.url));
  if (mock == mocks_.end()) mock = mocks_.find(call.url);
  if (mock == mocks_.end()) {
    return Lookup::Failed(std::string("no mock for ")
                              .append(call.method)
                              .append(" ")
                              .append(call.url)
                              .append(" (offline)"));
  }
  // Mocks are wrapped, live answers merged: both ways of writing a policy work.
  const Value& body = mock->second.body;
  doc::MapBuilder answer;
  answer.Set("body", body);
  answer.Set("statusCode", Value::Int(mock->second.status));
  if (body.is_map()) {
    for (const doc::MapEntry& entry : body.as_map()) {
      if (entry.key.is_string() && answer.Find(entry.key.as_string()) == nullptr) {
        answer.Set(entry.key, entry.value);
      }
    }
  }
  return Lookup::Found(answer.Build(arena));
}

base::Result<Value> DocumentKyvernoContext::Project(std::string_view expression, const Value& data,
                                                    base::Arena& arena) const {
  if (options_.jmespath) return options_.jmespath(expression, data, arena);
  constexpr std::string_view kOperators = "*|&(){}?`'\"@!=<>,: ";
  auto path = doc::ParsePath(expression);
  if (!path.ok() || expression.find_first_of(kOperators) != std::string_view::npos) {
    return base::Error(
        base::ErrorCode::kUnsupported,
        std::string("\"").append(expression).append("\" is no plain path such as a.b[0]"));
  }
  const Value* found = doc::Lookup(data, path.value());
  return found != nullptr ? *found : Value::Null();
}

Lookup DocumentKyvernoContext::GlobalReference(std::string_view name, std::string_view projection,
                                               base::Arena& arena) const {
  const auto it = entries_.find(name);
  if (it == entries_.end()) return Lookup::NotFound();
  const GlobalEntry& entry = it->second;
  if (!entry.problem.empty()) return Lookup::Failed(entry.problem);
  Value data = entry.data;
  if (entry.lists_objects) {
    const ResourceName resource{entry.group, entry.version, entry.resource, {}};
    Lookup listed = ListResources(resource, entry.ns, {}, arena);
    if (!listed.found()) return listed;
    data = *listed.object.Find("items");
  }
  if (projection.empty()) return Lookup::Found(data);
  for (const auto& [known, expression] : entry.projections) {
    if (known != projection) continue;
    base::Result<Value> projected = Project(expression, data, arena);
    if (!projected.ok()) return Lookup::Failed(projected.error().message);
    return Lookup::Found(*projected);
  }
  const Value* member = entry.lists_objects ? nullptr : data.Find(projection);
  if (member != nullptr) return Lookup::Found(*member);
  std::string text = std::string("projection \"")
                         .append(projection)
                         .append("\" not found in global context entry \"")
                         .append(name)
                         .append("\"");
  if (!entry.lists_objects && !data.is_map()) text += ": stored value is not an object";
  return Lookup::Failed(std::move(text));
}

Lookup DocumentKyvernoContext::ImageData(std::string_view image, base::Arena&) const {
  const auto it = images_.find(image);
  if (it != images_.end()) return Lookup::Found(it->second);
  return Lookup::Failed(
      std::string("image data for ").append(image).append(" not found in the context"));
}

}  // namespace portcullis::engine
