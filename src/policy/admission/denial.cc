#include "policy/admission/denial.h"

#include "base/gotext.h"
#include "policy/admission/decode.h"

namespace portcullis::policy {

std::string DenialName(const match::AdmissionRequest& request) {
  if (!request.name.empty()) return std::string(request.name);
  if (request.object.is_null()) return "Unknown";
  const doc::Value* metadata = Member(request.object, "metadata");
  // Kinds without object metadata (PodExecOptions) have no place for a name.
  if (metadata == nullptr) return "Unknown/errorGettingName";
  std::string_view name = metadata->StringAt("name");
  if (name.empty()) name = metadata->StringAt("generateName");
  return name.empty() ? "Unknown" : std::string(name);
}

Status ForbiddenStatus(const match::AdmissionRequest& request, std::string_view text) {
  Status status;
  status.code = 403;
  status.reason = "Forbidden";
  status.name = DenialName(request);
  status.group = request.resource.group;
  status.kind = request.resource.resource;
  status.message = match::GroupResourceString(request.resource.group, request.resource.resource) +
                   " " + base::GoQuote(status.name) + " is forbidden: " + std::string(text);
  return status;
}

Status NamespaceNotFound(std::string_view name) {
  Status status;
  status.code = 404;
  status.reason = "NotFound";
  status.name = name;
  status.kind = "namespaces";
  status.message = "namespaces " + base::GoQuote(name) + " not found";
  return status;
}

Status InternalErrorStatus(std::string_view text) {
  Status status;
  status.code = 500;
  status.reason = "InternalError";
  status.message = "Internal error occurred: " + std::string(text);
  status.causes.push_back({"", std::string(text), ""});
  return status;
}

}  // namespace portcullis::policy
