#include "engine/review.h"

#include <vector>

#include "base/base64.h"
#include "json/writer.h"

namespace portcullis::engine {
namespace {

using doc::Value;

Value Text(base::Arena& arena, std::string_view text) { return doc::MakeString(arena, text); }

match::GroupVersionKind ReadKind(const Value* value) {
  if (value == nullptr) return {};
  return {value->StringAt("group"), value->StringAt("version"), value->StringAt("kind")};
}

match::GroupVersionResource ReadResource(const Value* value) {
  if (value == nullptr) return {};
  return {value->StringAt("group"), value->StringAt("version"), value->StringAt("resource")};
}

Value MemberOrNull(const Value& map, std::string_view name) {
  const Value* member = map.Find(name);
  return member == nullptr ? Value::Null() : *member;
}

base::Error Bad(std::string path, std::string_view message) {
  return base::Error(base::ErrorCode::kInvalid, "malformed request: " + std::string(message),
                     std::move(path));
}

std::string_view JsonTypeName(const Value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  return value.is_list() ? "array" : "number";
}

// An object that is none cannot be judged by any policy.
std::string ObjectProblem(const Value& value, std::string_view which) {
  if (value.is_null() || value.is_map()) return {};
  return "failed to convert " + std::string(which) +
         " raw to unstructured: failed to convert raw to unstructured: json: cannot unmarshal " +
         std::string(JsonTypeName(value)) + " into Go value of type map[string]interface {}";
}

}  // namespace

base::Result<match::AdmissionRequest> ReadRequest(const Value& request) {
  if (!request.is_map()) return Bad("request", "the AdmissionReview has no request");
  match::AdmissionRequest out;
  const auto operation = match::ParseOperation(request.StringAt("operation"));
  if (!operation) {
    return Bad("request.operation",
               "unknown operation \"" + std::string(request.StringAt("operation")) + "\"");
  }
  out.operation = *operation;
  out.uid = request.StringAt("uid");
  out.kind = ReadKind(request.Find("kind"));
  out.resource = ReadResource(request.Find("resource"));
  if (out.resource.resource.empty())
    return Bad("request.resource", "the request names no resource");
  out.sub_resource = request.StringAt("subResource");
  const Value* request_kind = request.Find("requestKind");
  const Value* request_resource = request.Find("requestResource");
  out.request_kind = request_kind == nullptr ? out.kind : ReadKind(request_kind);
  out.request_resource =
      request_resource == nullptr ? out.resource : ReadResource(request_resource);
  out.request_sub_resource = request.Find("requestSubResource") == nullptr
                                 ? out.sub_resource
                                 : request.StringAt("requestSubResource");
  out.name = request.StringAt("name");
  out.ns = request.StringAt("namespace");
  out.user_info = MemberOrNull(request, "userInfo");
  out.object = MemberOrNull(request, "object");
  out.old_object = MemberOrNull(request, "oldObject");
  if (std::string text = ObjectProblem(out.object, "new"); !text.empty()) {
    return base::Error(base::ErrorCode::kInvalid, std::move(text), "request.object");
  }
  if (std::string text = ObjectProblem(out.old_object, "old"); !text.empty()) {
    return base::Error(base::ErrorCode::kInvalid, std::move(text), "request.oldObject");
  }
  const Value* dry_run = request.Find("dryRun");
  out.dry_run = dry_run != nullptr && dry_run->is_bool() && dry_run->as_bool();
  out.options = MemberOrNull(request, "options");
  return out;
}

base::Result<match::AdmissionRequest> ReadReview(const Value& review) {
  if (review.StringAt("kind") != "AdmissionReview") {
    return Bad("kind", "an AdmissionReview is expected, not a \"" +
                           std::string(review.StringAt("kind")) + "\"");
  }
  const Value* request = review.Find("request");
  if (request == nullptr || !request->is_map()) {
    return Bad("request", "the AdmissionReview has no request");
  }
  PC_ASSIGN(match::AdmissionRequest out, ReadRequest(*request));
  const bool changes =
      out.operation == match::Operation::kCreate || out.operation == match::Operation::kUpdate;
  if (changes && out.object.is_null()) {
    return Bad("request.object", "a request of operation " +
                                     std::string(match::OperationName(out.operation)) +
                                     " must have an object");
  }
  if (out.operation == match::Operation::kDelete && out.object.is_null() &&
      out.old_object.is_null()) {
    return Bad("request.oldObject", "a request of operation DELETE must have an old object");
  }
  return out;
}

Value StatusValue(const policy::Status& status, base::Arena& arena) {
  std::vector<doc::MapEntry> entries;
  const auto add = [&](std::vector<doc::MapEntry>& list, std::string_view name,
                       std::string_view text) {
    if (!text.empty()) list.push_back({Value::String(name), Text(arena, text)});
  };
  entries.push_back({Value::String("kind"), Value::String("Status")});
  entries.push_back({Value::String("apiVersion"), Value::String("v1")});
  entries.push_back({Value::String("metadata"), Value::EmptyMap()});
  entries.push_back({Value::String("status"), Value::String("Failure")});
  add(entries, "message", status.message);
  add(entries, "reason", status.reason);
  if (status.has_details) {
    std::vector<doc::MapEntry> details;
    add(details, "name", status.name);
    add(details, "group", status.group);
    add(details, "kind", status.kind);
    add(details, "uid", status.uid);
    std::vector<Value> causes;
    for (const policy::StatusCause& cause : status.causes) {
      std::vector<doc::MapEntry> members;
      add(members, "reason", cause.reason);
      add(members, "message", cause.message);
      add(members, "field", cause.field);
      causes.push_back(doc::MakeMap(arena, members));
    }
    if (!causes.empty()) {
      details.push_back({Value::String("causes"), doc::MakeList(arena, causes)});
    }
    entries.push_back({Value::String("details"), doc::MakeMap(arena, details)});
  }
  entries.push_back({Value::String("code"), Value::Int(status.code)});
  return doc::MakeMap(arena, entries);
}

Value ReviewValue(const Answer& answer, std::string_view uid, std::string_view api_version,
                  const Value& patch, base::Arena& arena) {
  std::vector<doc::MapEntry> response;
  const auto add = [&](std::string_view name, const Value& value) {
    response.push_back({Value::String(name), value});
  };
  add("uid", Text(arena, uid));
  add("allowed", Value::Bool(answer.allowed));
  if (!answer.allowed) add("status", StatusValue(answer.status, arena));
  if (answer.allowed && patch.is_list() && patch.size() != 0) {
    add("patch", Text(arena, base::Base64Encode(json::ToString(patch))));
    add("patchType", Value::String("JSONPatch"));
  }
  if (!answer.audit_annotations.empty()) {
    std::vector<doc::MapEntry> annotations;
    for (const auto& [key, value] : answer.audit_annotations) {
      annotations.push_back({Text(arena, key), Text(arena, value)});
    }
    add("auditAnnotations", doc::MakeMap(arena, annotations));
  }
  if (!answer.warnings.empty()) {
    std::vector<Value> warnings;
    for (const std::string& warning : answer.warnings) warnings.push_back(Text(arena, warning));
    add("warnings", doc::MakeList(arena, warnings));
  }
  const doc::MapEntry review[] = {
      {Value::String("kind"), Value::String("AdmissionReview")},
      {Value::String("apiVersion"), Text(arena, api_version)},
      {Value::String("response"), doc::MakeMap(arena, response)},
  };
  return doc::MakeMap(arena, review);
}

}  // namespace portcullis::engine
