#include "policy/map/go_values.h"

namespace portcullis::policy {
namespace {

using doc::Value;
using schema::NodeKind;
using schema::Schema;

constexpr int kMaxDepth = 1000;

bool IsSame(const Value& a, const Value& b) {
  if (a.is_map()) return b.is_map() && a.size() != 0 && a.as_map().data() == b.as_map().data();
  return a.is_list() && b.is_list() && a.size() != 0 && a.as_list().data() == b.as_list().data();
}

std::string StructReason(std::string_view type) {
  return "type conversion error from struct type " + std::string(type) + " to *structpb.Value";
}

std::string PlainReason(const Value& container) {
  return "type conversion error from '" +
         std::string(container.is_map() ? "map(dyn, dyn)" : "list(dyn)") + "' to '*structpb.Value'";
}

// "io.k8s.api.core.v1.PodSpec" -> "v1.PodSpec".
std::string_view ShortName(std::string_view type_name) {
  const std::size_t dot = type_name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return type_name;
  const std::size_t before = type_name.rfind('.', dot - 1);
  return before == std::string_view::npos ? type_name : type_name.substr(before + 1);
}

// Looks for `wanted` in `value`, a value of `schema`.
std::string Find(const Value& value, const Schema* schema, const Value& wanted, int depth) {
  if (depth > kMaxDepth || schema == nullptr) return {};
  if (schema->kind != NodeKind::kObject && schema->kind != NodeKind::kMap &&
      schema->kind != NodeKind::kList) {
    return {};  // scalars, and raw documents, which are written as they are
  }
  if (IsSame(value, wanted)) {
    return schema->kind == NodeKind::kObject ? StructReason(ShortName(schema->type_name))
                                             : PlainReason(value);
  }
  if (value.is_list()) {
    for (const Value& item : value.as_list()) {
      std::string reason = Find(item, schema->element, wanted, depth + 1);
      if (!reason.empty()) return reason;
    }
  } else if (value.is_map()) {
    for (const doc::MapEntry& entry : value.as_map()) {
      const Schema* below = schema->Child(entry.key.as_string());
      std::string reason = Find(entry.value, below, wanted, depth + 1);
      if (!reason.empty()) return reason;
    }
  }
  return {};
}

std::string FindInRequest(const Value& request, const Value& wanted) {
  if (!request.is_map()) return {};
  if (IsSame(request, wanted)) return StructReason("v1.AdmissionRequest");
  for (const doc::MapEntry& entry : request.as_map()) {
    const std::string_view name = entry.key.as_string();
    const bool kind = name == "kind" || name == "requestKind";
    const bool resource = name == "resource" || name == "requestResource";
    if (!kind && !resource && name != "userInfo") continue;
    if (IsSame(entry.value, wanted)) {
      return StructReason(kind       ? "v1.GroupVersionKind"
                          : resource ? "v1.GroupVersionResource"
                                     : "v1.UserInfo");
    }
    if (!entry.value.is_map()) continue;
    for (const doc::MapEntry& member : entry.value.as_map()) {
      if (IsSame(member.value, wanted)) return PlainReason(member.value);
      if (!member.value.is_map()) continue;
      for (const doc::MapEntry& extra : member.value.as_map()) {
        if (IsSame(extra.value, wanted)) return PlainReason(extra.value);
      }
    }
  }
  return {};
}

}  // namespace

void GoValues::Add(const Value& document, const Schema& schema) {
  if (document.is_map()) roots_.push_back({document, &schema});
}

std::string GoValues::Reason(const Value& container) const {
  for (const Root& root : roots_) {
    std::string reason = Find(root.document, root.schema, container, 0);
    if (!reason.empty()) return reason;
  }
  return FindInRequest(request_, container);
}

}  // namespace portcullis::policy
