#include "chainsaw_part_cluster.h"

#include <filesystem>

#include "autogen/autogen.h"
#include "doc/edit.h"
#include "doc/equal.h"
#include "engine/offline.h"
#include "engine/offline_kyverno_context.h"
#include "engine/offline_providers.h"
#include "engine/rbac_authorizer.h"
#include "input/document_stream.h"
#include "input/files.h"
#include "patch/json_merge.h"
#include "patch/json_patch.h"
#include "patch/structured_merge.h"
#include "schema/defaulting.h"

namespace portcullis::conformance {
namespace {

using doc::Value;
using match::Operation;

// What policies make is written by Kyverno's background controller.
constexpr std::string_view kBackgroundUser =
    "system:serviceaccount:kyverno:kyverno-background-controller";
constexpr std::string_view kBackgroundGroups[] = {
    "system:serviceaccounts", "system:serviceaccounts:kyverno", "system:authenticated"};
// Objects that policies make trigger policies again; no suite goes deeper.
constexpr int kMaxDepth = 4;

std::string_view Text(const Value& map, std::string_view key) { return map.StringAt(key); }

Value Metadata(const Value& object) {
  const Value* metadata = object.Find("metadata");
  return metadata == nullptr ? Value::EmptyMap() : *metadata;
}

Value MakeObject(base::Arena& arena, std::string_view api_version, std::string_view kind,
                 std::string_view name) {
  doc::MapBuilder metadata;
  metadata.Set("name", doc::MakeString(arena, name));
  doc::MapBuilder object;
  object.Set("apiVersion", doc::MakeString(arena, api_version));
  object.Set("kind", doc::MakeString(arena, kind));
  object.Set("metadata", metadata.Build(arena));
  return object.Build(arena);
}

Value BackgroundUser(base::Arena& arena) {
  std::vector<Value> groups;
  for (const std::string_view group : kBackgroundGroups) groups.push_back(Value::String(group));
  doc::MapBuilder user;
  user.Set("username", Value::String(kBackgroundUser));
  user.Set("groups", doc::MakeList(arena, groups));
  return user.Build(arena);
}

}  // namespace

Cluster::Cluster(const std::string& crds, std::string suite_namespace, const Value& user)
    : namespace_(std::move(suite_namespace)), user_(user) {
  input::Diagnostics problems;
  const std::vector<std::string> paths = {crds};
  input::DocumentStream stream(input::ExpandPaths(paths, &problems));
  input::Document document;
  while (stream.Next(&document)) {
    if (document.kind == "CustomResourceDefinition") types_.AddCrd(document.root);
  }
  for (const std::string_view name :
       {std::string_view("default"), std::string_view("kube-system"),
        std::string_view("kube-public"), std::string_view("kube-node-lease"),
        std::string_view("kyverno"), std::string_view(namespace_)}) {
    if (name.empty()) continue;
    const Value labels = doc::WithEntry(arena_, Value::EmptyMap(), "kubernetes.io/metadata.name",
                                        doc::MakeString(arena_, name));
    const Value plain = MakeObject(arena_, "v1", "Namespace", name);
    const doc::Path path = {"metadata", "labels"};
    Store(doc::SetAt(arena_, plain, path, labels).value());
  }
  RebuildPolicies();
}

Cluster::Key Cluster::KeyOf(const Reference& reference) {
  return {std::string(match::SplitApiVersion(reference.api_version).group), reference.kind,
          reference.ns, reference.name};
}

Reference Cluster::ReferenceTo(const Value& document) const {
  const Value metadata = Metadata(document);
  Reference out{std::string(Text(document, "apiVersion")), std::string(Text(document, "kind")),
                std::string(Text(metadata, "namespace")), std::string(Text(metadata, "name"))};
  const schema::Kind* kind = types_.FindKind(out.api_version, out.kind);
  const bool namespaced = kind == nullptr || kind->namespaced;
  if (!namespaced) out.ns.clear();
  if (namespaced && out.ns.empty()) out.ns = namespace_.empty() ? "default" : namespace_;
  return out;
}

Value Cluster::WithNamespace(const Value& document) const {
  base::Arena& arena = const_cast<Cluster*>(this)->arena_;
  const Reference reference = ReferenceTo(document);
  const Value metadata = Metadata(document);
  Value changed = reference.ns.empty() ? doc::WithoutEntry(arena, metadata, "namespace")
                                       : doc::WithEntry(arena, metadata, "namespace",
                                                        doc::MakeString(arena, reference.ns));
  return doc::WithEntry(arena, document, "metadata", changed);
}

void Cluster::Store(const Value& object) { objects_[KeyOf(ReferenceTo(object))] = object; }

const Value* Cluster::Find(const Reference& reference) const {
  for (const auto* store : {&objects_, &policies_}) {
    if (const auto at = store->find(KeyOf(reference)); at != store->end()) return &at->second;
  }
  return nullptr;
}

std::vector<Value> Cluster::List(const Reference& reference) const {
  std::vector<Value> out;
  const Key wanted = KeyOf(reference);
  for (const auto* store : {&objects_, &policies_}) {
    for (const auto& [key, object] : *store) {
      if (std::get<0>(key) == std::get<0>(wanted) && std::get<1>(key) == std::get<1>(wanted) &&
          std::get<2>(key) == std::get<2>(wanted)) {
        out.push_back(object);
      }
    }
  }
  return out;
}

bool Cluster::IsPolicy(const Value& document) const {
  return engine::PolicySetBuilder().Handles(Text(document, "apiVersion"), Text(document, "kind"));
}

void Cluster::RebuildPolicies() {
  engine::PolicySetBuilder builder;
  for (const auto& [key, document] : policies_) {
    if (builder.Handles(Text(document, "apiVersion"), Text(document, "kind"))) {
      builder.Add({.value = document, .span = {}}, policy::LoadMode::kApiServer);
    }
  }
  set_ = builder.Build(false);
}

Reply Cluster::ApplyPolicy(const Value& document, bool replace) {
  Value object = WithNamespace(doc::DeepCopy(arena_, document));
  const Key key = KeyOf(ReferenceTo(object));
  if (const auto stored = policies_.find(key); stored != policies_.end() && !replace) {
    object = patch::ApplyMergePatch(arena_, stored->second, object);
  }
  schema::DefaultOptions options;
  options.plugins = false;
  object = schema::Default(object, types_, arena_, options);
  Reply reply;
  engine::PolicySetBuilder builder;
  if (builder.Handles(Text(object, "apiVersion"), Text(object, "kind"))) {
    const policy::LoadReport report =
        builder.Add({.value = object, .span = {}}, policy::LoadMode::kApiServer);
    reply.warnings = report.warnings;
    if (report.refusal) {
      reply.allowed = false;
      reply.message = report.refusal->message;
    } else if (!report.errors.empty()) {
      reply.allowed = false;
      reply.message = report.errors[0].path + ": " + report.errors[0].message;
    }
  } else if (Text(object, "kind") != "GlobalContextEntry") {
    reply.allowed = false;
    reply.message = "not built: policies of kind " + std::string(Text(object, "kind"));
  }
  if (reply.allowed) {
    policies_[key] = object;
    RebuildPolicies();
  }
  return reply;
}

Reply Cluster::Apply(const Value& manifest, const Value& user) {
  const Value object = WithNamespace(doc::DeepCopy(arena_, manifest));
  if (IsPolicy(object)) return ApplyPolicy(object, false);
  const Value* stored = Find(ReferenceTo(object));
  if (stored == nullptr) {
    return Send(Operation::kCreate, object, Value::Null(), {}, user, false, 0);
  }
  return Send(Operation::kUpdate, patch::ApplyMergePatch(arena_, *stored, object), *stored, {},
              user, false, 0);
}

Reply Cluster::Patch(const Reference& reference, std::string_view type, const Value& body,
                     std::string_view subresource, const Value& user) {
  const Value* stored = Find(reference);
  if (stored == nullptr) return {false, "the object to patch does not exist", {}};
  Value changed;
  if (type == "json") {
    const auto operations = patch::DecodeJsonPatch(body);
    if (!operations.ok()) return {false, operations.error().message, {}};
    const patch::JsonPatchResult result =
        patch::ApplyJsonPatch(arena_, *stored, operations.value());
    if (!result.ok()) return {false, result.error, {}};
    changed = result.value;
  } else if (type == "strategic") {
    // Lists with merge keys merge alike; the suites remove nothing with such patches.
    const schema::Kind* kind = types_.FindKind(reference.api_version, reference.kind);
    Value overlay =
        doc::WithEntry(arena_, body, "apiVersion", doc::MakeString(arena_, reference.api_version));
    overlay = doc::WithEntry(arena_, overlay, "kind", doc::MakeString(arena_, reference.kind));
    if (kind == nullptr) return {false, "no such kind", {}};
    const patch::MergeResult result = patch::ApplyConfiguration(arena_, *kind->schema, *stored,
                                                                overlay, {.replace_atomics = true});
    if (!result.ok()) return {false, result.error, {}};
    changed = result.value;
  } else {
    changed = patch::ApplyMergePatch(arena_, *stored, body);
  }
  return Send(Operation::kUpdate, changed, *stored, subresource, user, false, 0);
}

Reply Cluster::Scale(const Reference& reference, std::int64_t replicas, const Value& user) {
  const Value* stored = Find(reference);
  if (stored == nullptr) return {false, "the object to scale does not exist", {}};
  const auto scale = [&](const Value& count) {
    Value out = MakeObject(arena_, "autoscaling/v1", "Scale", reference.name);
    const doc::Path ns = {"metadata", "namespace"};
    out = doc::SetAt(arena_, out, ns, doc::MakeString(arena_, reference.ns)).value();
    return doc::WithEntry(arena_, out, "spec",
                          doc::WithEntry(arena_, Value::EmptyMap(), "replicas", count));
  };
  const Value* spec = stored->Find("spec");
  const Value* before = spec == nullptr ? nullptr : spec->Find("replicas");
  const Value now = scale(Value::Int(replicas));
  Reply reply = Send(Operation::kUpdate, now, scale(before == nullptr ? Value::Int(1) : *before),
                     "scale", user, false, 0);
  if (reply.allowed) {
    const doc::Path path = {"spec", "replicas"};
    Store(doc::SetAt(arena_, *stored, path, Value::Int(replicas)).value());
  }
  return reply;
}

Reply Cluster::Subresource(Operation operation, const Reference& reference,
                           std::string_view subresource, const Value& object, const Value& user) {
  if (Find(reference) == nullptr) return {false, "the parent object does not exist", {}};
  doc::Path path = {"metadata"};
  Value sent = doc::DeepCopy(arena_, object);
  if (sent.Find("metadata") == nullptr) {
    sent = doc::SetAt(arena_, sent, path, Value::EmptyMap()).value();
  }
  path = {"metadata", "name"};
  sent = doc::SetAt(arena_, sent, path, doc::MakeString(arena_, reference.name)).value();
  path = {"metadata", "namespace"};
  sent = doc::SetAt(arena_, sent, path, doc::MakeString(arena_, reference.ns)).value();
  return Send(operation, sent, Value::Null(), subresource, user, false, 0);
}

Reply Cluster::Delete(const Reference& reference, const Value& user) {
  const Key key = KeyOf(reference);
  if (policies_.erase(key) != 0) {
    RebuildPolicies();
    return {};
  }
  const auto stored = objects_.find(key);
  if (stored == objects_.end()) return {};
  const Value object = stored->second;
  Reply reply = Send(Operation::kDelete, Value::Null(), object, {}, user, false, 0);
  if (!reply.allowed) return reply;
  objects_.erase(key);
  if (reference.kind == "Namespace") {
    std::erase_if(objects_,
                  [&](const auto& item) { return std::get<2>(item.first) == reference.name; });
  }
  return reply;
}

Reply Cluster::Send(Operation operation, const Value& object, const Value& old_object,
                    std::string_view subresource, const Value& user, bool background, int depth) {
  const Value& subject = object.is_map() ? object : old_object;
  const bool whole = subresource.empty() || subresource == "ephemeralcontainers";
  schema::DefaultOptions defaults;
  defaults.plugins = false;
  const Value sent =
      object.is_map() && whole ? schema::Default(object, types_, arena_, defaults) : object;

  engine::DocumentNamespaces namespaces(true);
  engine::DocumentParams params(true);
  engine::RbacAuthorizer authorizer;
  engine::DocumentKyvernoContext context(types_);
  for (const auto& [key, stored] : objects_) {
    if (std::get<1>(key) == "Namespace") namespaces.Add(stored, arena_);
    params.Add(stored);
    authorizer.Add(stored);
    context.AddResource(stored);
  }
  if (Text(subject, "kind") == "Namespace") namespaces.Add(subject, arena_);
  for (const auto& [key, stored] : policies_) {
    if (std::get<1>(key) == "GlobalContextEntry") context.AddGlobalContextEntry(stored);
  }
  provider::Providers providers;
  providers.namespaces = &namespaces;
  providers.params = &params;
  providers.authorizer = &authorizer;
  providers.kyverno = &context;

  engine::OfflineFacts facts;
  facts.operation = operation;
  facts.default_namespace = namespace_;
  facts.user_info = background ? BackgroundUser(arena_) : user.is_null() ? user_ : user;
  auto request = engine::BuildRequest(sent, old_object, facts, types_, arena_);
  if (!request.ok()) return {false, request.error().message, {}};
  match::AdmissionRequest value = request.value();
  if (!subresource.empty()) {
    value.sub_resource = value.request_sub_resource = subresource;
    // The parent's resource; the kind is that of the object sent.
    if (subresource == "eviction" || subresource == "exec" || subresource == "scale") {
      const bool pods = subresource != "scale";
      value.resource = value.request_resource =
          pods ? match::GroupVersionResource{"", "v1", "pods"}
               : match::GroupVersionResource{"apps", "v1", "deployments"};
    }
  }
  engine::AdmitOptions options;
  options.want_rows = true;
  const engine::Answer answer = engine::Admit(*set_, value, providers, &types_, arena_, options);
  Reply reply{answer.allowed, answer.status.message, answer.warnings};
  if (!answer.allowed) return reply;
  if (operation != Operation::kDelete && operation != Operation::kConnect && whole) {
    Store(doc::DeepCopy(arena_, answer.object));  // constants of policies live as long as their set
    if (Text(answer.object, "kind") == "CustomResourceDefinition") types_.AddCrd(answer.object);
  }
  if (!whole) {
    PlayProduced(answer, depth);
    return reply;
  }
  // Policies that make objects run once the object is stored, and may read it.
  engine::DocumentKyvernoContext after(types_);
  for (const auto& [key, stored] : objects_) after.AddResource(stored);
  providers.kyverno = &after;
  PlayProduced(engine::Admit(*set_, value, providers, &types_, arena_, options), depth);
  return reply;
}

void Cluster::PlayProduced(const engine::Answer& answer, int depth) {
  if (depth >= kMaxDepth) return;
  for (const policy::ProducedObject& produced : answer.produced) {
    if (produced.kind == policy::ProducedObject::Kind::kDeleted) continue;
    const Value made = WithNamespace(doc::DeepCopy(arena_, produced.object));
    const Value* stored = Find(ReferenceTo(made));
    if (stored == nullptr) {
      Send(Operation::kCreate, made, Value::Null(), {}, Value::Null(), true, depth + 1);
      continue;
    }
    const Value old = *stored;
    const bool generated = produced.kind == policy::ProducedObject::Kind::kGenerated;
    const Value next = generated ? patch::ApplyMergePatch(arena_, old, made) : made;
    if (doc::DataEqual(next, old)) continue;
    Send(Operation::kUpdate, next, old, {}, Value::Null(), true, depth + 1);
  }
}

std::optional<Value> Cluster::AutogenStatus(const Reference& reference) {
  const auto stored = policies_.find(KeyOf(reference));
  if (stored == policies_.end()) return std::nullopt;
  const autogen::Generated generated = autogen::Generate(stored->second, arena_);
  doc::MapBuilder configs;
  for (const autogen::Variant& variant : generated.variants) {
    std::vector<Value> targets;
    for (const autogen::Target& target : variant.targets) {
      doc::MapBuilder out;
      if (!target.group.empty()) out.Set("group", doc::MakeString(arena_, target.group));
      out.Set("version", doc::MakeString(arena_, target.version));
      out.Set("resource", doc::MakeString(arena_, target.resource));
      out.Set("kind", doc::MakeString(arena_, target.kind));
      targets.push_back(out.Build(arena_));
    }
    doc::MapBuilder config;
    config.Set("targets", doc::MakeList(arena_, targets));
    config.Set("spec", variant.spec);
    configs.Set(doc::MakeString(arena_, variant.key).as_string(), config.Build(arena_));
  }
  Value status = Value::EmptyMap();
  if (!generated.variants.empty()) {
    status = doc::WithEntry(arena_, status, "configs", configs.Build(arena_));
  }
  return status;
}

}  // namespace portcullis::conformance
