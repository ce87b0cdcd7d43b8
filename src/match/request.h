#ifndef PORTCULLIS_MATCH_REQUEST_H_
#define PORTCULLIS_MATCH_REQUEST_H_

// An admission request as the policies of every family see it (spec/kubernetes-admission.md 1.2).
// Strings and values are borrowed: from the review's document or from static text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "doc/value.h"

namespace portcullis::match {

struct GroupVersionKind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  friend bool operator==(const GroupVersionKind&, const GroupVersionKind&) = default;
};

struct GroupVersionResource {
  std::string_view group;
  std::string_view version;
  std::string_view resource;
  friend bool operator==(const GroupVersionResource&, const GroupVersionResource&) = default;
};

// "apps/v1, Kind=Deployment", as Go prints it; "/v1, Kind=Pod" in the core group.
std::string ToString(const GroupVersionKind& kind);
// "apps/v1, Resource=deployments".
std::string ToString(const GroupVersionResource& resource);
// "deployments.apps"; "pods" in the core group.
std::string GroupResourceString(std::string_view group, std::string_view resource);
// "apps/v1"; "v1" in the core group.
std::string ApiVersionString(std::string_view group, std::string_view version);

struct GroupVersion {
  std::string_view group;
  std::string_view version;
};
// Splits an apiVersion at its slash; no slash: the core group.
GroupVersion SplitApiVersion(std::string_view api_version);

enum class Operation : std::uint8_t { kCreate, kUpdate, kDelete, kConnect };
inline constexpr std::size_t kOperationCount = 4;
std::string_view OperationName(Operation operation);
std::optional<Operation> ParseOperation(std::string_view name);

struct AdmissionRequest {
  std::string_view uid;
  GroupVersionKind kind;  // of `object`
  GroupVersionResource resource;
  std::string_view sub_resource;
  GroupVersionKind request_kind;  // of the original request, before any conversion
  GroupVersionResource request_resource;
  std::string_view request_sub_resource;
  std::string_view name;
  std::string_view ns;
  Operation operation = Operation::kCreate;
  doc::Value user_info;   // the review's userInfo, an object
  doc::Value object;      // null: absent
  doc::Value old_object;  // null: absent
  bool dry_run = false;
  doc::Value options;  // null for CONNECT
};

}  // namespace portcullis::match

#endif  // PORTCULLIS_MATCH_REQUEST_H_
