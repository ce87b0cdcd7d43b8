// The CEL value of `request` (spec/kubernetes-admission.md 5.3): the members of the review's
// request without the objects; what is empty is absent.

#include <vector>

#include "policy/context.h"

namespace portcullis::policy {
namespace {

doc::Value Text(std::string_view text) { return doc::Value::String(text); }

doc::Value KindValue(const match::GroupVersionKind& kind, base::Arena& arena) {
  const doc::MapEntry entries[] = {{Text("group"), Text(kind.group)},
                                   {Text("version"), Text(kind.version)},
                                   {Text("kind"), Text(kind.kind)}};
  return doc::MakeMap(arena, entries);
}

doc::Value ResourceValue(const match::GroupVersionResource& resource, base::Arena& arena) {
  const doc::MapEntry entries[] = {{Text("group"), Text(resource.group)},
                                   {Text("version"), Text(resource.version)},
                                   {Text("resource"), Text(resource.resource)}};
  return doc::MakeMap(arena, entries);
}

bool Empty(const doc::Value& value) {
  return value.is_null() ||
         ((value.is_string() || value.is_list() || value.is_map()) && value.size() == 0);
}

doc::Value UserValue(const doc::Value& user, base::Arena& arena) {
  std::vector<doc::MapEntry> entries;
  if (user.is_map()) {
    for (const doc::MapEntry& entry : user.as_map()) {
      if (!Empty(entry.value)) entries.push_back(entry);
    }
  }
  return doc::MakeMap(arena, entries);
}

}  // namespace

const doc::Value& RequestContext::RequestValue(const match::GroupVersionKind& kind,
                                               const match::GroupVersionResource& resource) {
  if (request_value_ready_ && request_value_kind_ == kind && request_value_resource_ == resource) {
    return request_value_;
  }
  std::vector<doc::MapEntry> entries;
  entries.reserve(13);
  const auto add = [&](std::string_view name, const doc::Value& value) {
    entries.push_back({Text(name), value});
  };
  const auto add_text = [&](std::string_view name, std::string_view text) {
    if (!text.empty()) add(name, Text(text));
  };
  add("kind", KindValue(kind, arena));
  add("resource", ResourceValue(resource, arena));
  add_text("subResource", request.sub_resource);
  add("requestKind", KindValue(request.request_kind, arena));
  add("requestResource", ResourceValue(request.request_resource, arena));
  add_text("requestSubResource", request.request_sub_resource);
  add_text("name", request.name);
  add_text("namespace", request.ns);
  add("operation", Text(match::OperationName(request.operation)));
  add("userInfo", UserValue(request.user_info, arena));
  add("dryRun", doc::Value::Bool(request.dry_run));
  add("options", request.options);
  request_value_ = doc::MakeMap(arena, entries);
  request_value_kind_ = kind;
  request_value_resource_ = resource;
  request_value_ready_ = true;
  return request_value_;
}

const provider::Lookup& RequestContext::RequestNamespace() {
  if (!namespace_read_) {
    namespace_read_ = true;
    if (providers.namespaces != nullptr) namespace_ = providers.namespaces->Find(request.ns);
  }
  return namespace_;
}

}  // namespace portcullis::policy
