#include "testfile/values.h"

#include <algorithm>

#include "doc/edit.h"
#include "testfile/fields.h"

namespace portcullis::testfile {
namespace {

using doc::Value;

// apiVersion, kind and metadata of a whole document.
void DecodeHead(Fields& fields, std::string_view expected, Problems& problems) {
  const std::string api_version = fields.Text("apiVersion");
  const std::string kind = fields.Text("kind");
  if (api_version.empty() || kind.empty()) {
    problems.Warning(
        std::string(expected) + " file without apiVersion or kind: a deprecated form", "",
        "write apiVersion: cli.kyverno.io/v1alpha1 and kind: " + std::string(expected));
  } else if (kind != expected) {
    // Kyverno does not look at the kind.
    problems.Warning("a document of kind " + std::string(expected) + " is expected, not " + kind,
                     "kind");
  }
  fields.Any("metadata");
}

ValueMap ToMap(const Value& value) {
  ValueMap out;
  if (!value.is_map()) return out;
  for (const doc::MapEntry& entry : value.as_map()) {
    out[std::string(entry.key.as_string())] = entry.value;
  }
  return out;
}

PolicyValues DecodePolicy(const Value& value, const std::string& path, Problems& problems) {
  Fields fields(value, path, problems);
  PolicyValues out;
  out.name = fields.Text("name");
  const std::vector<Value> resources = fields.Items("resources");
  for (std::size_t i = 0; i < resources.size(); ++i) {
    Fields resource(resources[i], fields.PathOf("resources", i), problems);
    std::string name = resource.Text("name");
    out.resources.emplace_back(std::move(name), ToMap(resource.Map("values")));
    resource.Finish();
  }
  const std::vector<Value> rules = fields.Items("rules");
  for (std::size_t i = 0; i < rules.size(); ++i) {
    Fields rule(rules[i], fields.PathOf("rules", i), problems);
    RuleValues& added = out.rules.emplace_back();
    added.name = rule.Text("name");
    added.values = ToMap(rule.Map("values"));
    for (const auto& [key, items] : ToMap(rule.Map("foreachValues"))) {
      if (!items.is_list()) continue;
      added.foreach_values[key] = {items.as_list().begin(), items.as_list().end()};
    }
    rule.Finish();
  }
  fields.Finish();
  return out;
}

Value MakeNamespace(std::string_view name, const Value& labels, base::Arena& arena) {
  doc::MapBuilder metadata;
  metadata.Set("name", doc::MakeString(arena, name));
  if (labels.is_map()) metadata.Set("labels", labels);
  doc::MapBuilder out;
  out.Set("apiVersion", Value::String("v1"));
  out.Set("kind", Value::String("Namespace"));
  out.Set("metadata", metadata.Build(arena));
  return out.Build(arena);
}

void AddNamespace(const Value& object, std::vector<Value>& out) {
  const auto name_of = [](const Value& value) {
    const Value* metadata = value.Find("metadata");
    return metadata == nullptr ? std::string_view() : metadata->StringAt("name");
  };
  const auto same = std::find_if(out.begin(), out.end(), [&](const Value& other) {
    return name_of(other) == name_of(object);
  });
  if (same != out.end()) {
    *same = object;
  } else {
    out.push_back(object);
  }
}

void DecodeNamespaces(Fields& fields, Values& out, base::Arena& arena, Problems& problems) {
  const std::vector<Value> selectors = fields.Items("namespaceSelector");
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    Fields entry(selectors[i], fields.PathOf("namespaceSelector", i), problems);
    const std::string name = entry.Text("name");
    entry.TextMap("labels");  // the types
    const Value labels = selectors[i].is_map() && selectors[i].Find("labels") != nullptr
                             ? *selectors[i].Find("labels")
                             : Value::Null();
    entry.Finish();
    AddNamespace(MakeNamespace(name, labels, arena), out.namespaces);
  }
  const std::vector<Value> namespaces = fields.Items("namespaces");
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    const std::string path = fields.PathOf("namespaces", i);
    Fields entry(namespaces[i], path, problems);
    const Value metadata = entry.Map("metadata");
    if (!metadata.is_map() || metadata.StringAt("name").empty()) {
      problems.Error(base::ErrorCode::kRequired, "a namespace needs metadata.name", path);
      continue;
    }
    Fields known(metadata, path + ".metadata", problems);
    known.TextMap("labels");  // the types; the rest is the object's own
    known.TextMap("annotations");
    Value object = doc::WithEntry(arena, namespaces[i], "apiVersion", Value::String("v1"));
    object = doc::WithEntry(arena, object, "kind", Value::String("Namespace"));
    AddNamespace(object, out.namespaces);
  }
}

TypeRef DecodeTypeRef(const Value& value, const std::string& path, Problems& problems) {
  Fields fields(value, path, problems);
  TypeRef out;
  out.name = fields.Text("name");
  out.kind = fields.Text("kind");
  out.group = fields.Text("group");
  out.version = fields.Text("version");
  for (const char* other :
       {"singularName", "namespaced", "verbs", "shortNames", "categories", "storageVersionHash"}) {
    fields.Any(other);
  }
  fields.Finish();
  return out;
}

}  // namespace

const Value* Values::Find(std::string_view key, std::string_view policy,
                          std::string_view resource) const {
  for (const PolicyValues& candidate : policies) {
    if (candidate.name != policy) continue;
    for (const auto& [name, values] : candidate.resources) {
      if (name != resource) continue;
      const auto it = values.find(key);
      if (it != values.end()) return &it->second;
    }
  }
  const auto it = globals.find(key);
  return it == globals.end() ? nullptr : &it->second;
}

Values DecodeValues(const Value& object, const std::string& path, base::Arena& arena,
                    Problems& problems) {
  Fields fields(object, path, problems);
  Values out;
  if (path.empty()) DecodeHead(fields, "Values", problems);
  out.globals = ToMap(fields.Map("globalValues"));
  const std::vector<Value> policies = fields.Items("policies");
  for (std::size_t i = 0; i < policies.size(); ++i) {
    out.policies.push_back(DecodePolicy(policies[i], fields.PathOf("policies", i), problems));
  }
  DecodeNamespaces(fields, out, arena, problems);
  const std::vector<Value> subresources = fields.Items("subresources");
  for (std::size_t i = 0; i < subresources.size(); ++i) {
    const std::string at = fields.PathOf("subresources", i);
    Fields entry(subresources[i], at, problems);
    TypeRef own = DecodeTypeRef(entry.Map("subresource"), at + ".subresource", problems);
    TypeRef parent = DecodeTypeRef(entry.Map("parentResource"), at + ".parentResource", problems);
    entry.Finish();
    out.subresources.emplace_back(std::move(own), std::move(parent));
  }
  fields.Finish();
  return out;
}

UserInfo DecodeUserInfo(const Value& root, Problems& problems) {
  Fields fields(root, "", problems);
  UserInfo out;
  DecodeHead(fields, "UserInfo", problems);
  out.roles = fields.Texts("roles");
  out.cluster_roles = fields.Texts("clusterRoles");
  out.user_info = fields.Map("userInfo");
  out.dry_run = fields.Flag("synchronize");
  Fields user(out.user_info, "userInfo", problems);
  user.Text("username");
  user.Text("uid");
  user.Texts("groups");
  Fields extra(user.Map("extra"), "userInfo.extra", problems);
  if (const Value* keys = out.user_info.is_map() ? out.user_info.Find("extra") : nullptr;
      keys != nullptr && keys->is_map()) {
    for (const doc::MapEntry& entry : keys->as_map()) {
      if (entry.key.is_string()) extra.Texts(entry.key.as_string());
    }
  }
  extra.Finish();
  user.Finish();
  fields.Finish();
  return out;
}

}  // namespace portcullis::testfile
