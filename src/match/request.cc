#include "match/request.h"

namespace portcullis::match {
namespace {

constexpr std::string_view kOperationNames[kOperationCount] = {"CREATE", "UPDATE", "DELETE",
                                                               "CONNECT"};

}  // namespace

std::string ApiVersionString(std::string_view group, std::string_view version) {
  std::string out(group);
  if (!group.empty()) out += '/';
  out += version;
  return out;
}

std::string ToString(const GroupVersionKind& kind) {
  std::string out(kind.group);
  out += '/';
  out += kind.version;
  out += ", Kind=";
  out += kind.kind;
  return out;
}

std::string ToString(const GroupVersionResource& resource) {
  std::string out(resource.group);
  out += '/';
  out += resource.version;
  out += ", Resource=";
  out += resource.resource;
  return out;
}

std::string GroupResourceString(std::string_view group, std::string_view resource) {
  std::string out(resource);
  if (!group.empty()) {
    out += '.';
    out += group;
  }
  return out;
}

GroupVersion SplitApiVersion(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {{}, api_version};
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

std::string_view OperationName(Operation operation) {
  return kOperationNames[static_cast<std::size_t>(operation)];
}

std::optional<Operation> ParseOperation(std::string_view name) {
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    if (kOperationNames[i] == name) return static_cast<Operation>(i);
  }
  return std::nullopt;
}

}  // namespace portcullis::match
