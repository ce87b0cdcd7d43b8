#include "policy/admission/field_error.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/gotext.h"

namespace portcullis::policy {
namespace {

std::string_view CauseReason(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::kRequired:
      return "FieldValueRequired";
    case base::ErrorCode::kDuplicate:
      return "FieldValueDuplicate";
    case base::ErrorCode::kUnsupported:
      return "FieldValueNotSupported";
    case base::ErrorCode::kForbidden:
      return "FieldValueForbidden";
    case base::ErrorCode::kTooMany:
      return "FieldValueTooMany";
    case base::ErrorCode::kResourceLimit:
      return "FieldValueTooLong";
    case base::ErrorCode::kInternal:
      return "InternalError";
    default:
      return "FieldValueInvalid";
  }
}

std::string WithDetail(std::string text, std::string_view detail) {
  if (!detail.empty()) {
    text += ": ";
    text += detail;
  }
  return text;
}

}  // namespace

void FieldErrors::Required(std::string path, std::string_view detail) {
  errors_.emplace_back(base::ErrorCode::kRequired, WithDetail("Required value", detail),
                       std::move(path));
}

void FieldErrors::Invalid(std::string path, std::string_view value, std::string_view detail) {
  InvalidJson(std::move(path), base::GoQuote(value), detail);
}

void FieldErrors::InvalidJson(std::string path, std::string_view json, std::string_view detail) {
  errors_.emplace_back(base::ErrorCode::kInvalid,
                       WithDetail("Invalid value: " + std::string(json), detail), std::move(path));
}

void FieldErrors::Unsupported(std::string path, std::string_view value,
                              const std::vector<std::string_view>& supported) {
  // Go parity: values of enumerated types are shown as JSON, the supported ones quoted.
  std::string text = "Unsupported value: ";
  base::AppendGoJsonString(text, value);
  text += ": supported values: ";
  for (std::size_t i = 0; i < supported.size(); ++i) {
    if (i != 0) text += ", ";
    base::AppendGoQuote(text, supported[i]);
  }
  errors_.emplace_back(base::ErrorCode::kUnsupported, std::move(text), std::move(path));
}

void FieldErrors::Duplicate(std::string path, std::string_view value) {
  errors_.emplace_back(base::ErrorCode::kDuplicate, "Duplicate value: " + base::GoQuote(value),
                       std::move(path));
}

void FieldErrors::TooMany(std::string path, std::size_t count, std::size_t limit) {
  errors_.emplace_back(base::ErrorCode::kTooMany,
                       "Too many: " + std::to_string(count) + ": must have at most " +
                           std::to_string(limit) + " items",
                       std::move(path));
}

void FieldErrors::TooLong(std::string path, std::size_t limit) {
  errors_.emplace_back(base::ErrorCode::kResourceLimit,
                       "Too long: may not be more than " + std::to_string(limit) + " bytes",
                       std::move(path));
}

void FieldErrors::Forbidden(std::string path, std::string_view detail) {
  errors_.emplace_back(base::ErrorCode::kForbidden, WithDetail("Forbidden", detail),
                       std::move(path));
}

void FieldErrors::Internal(std::string path, std::string_view detail) {
  errors_.emplace_back(base::ErrorCode::kInternal, WithDetail("Internal error", detail),
                       std::move(path));
}

Status FieldErrors::ToStatus(std::string_view kind, std::string_view group,
                             std::string_view name) const {
  PC_CHECK(!errors_.empty());
  Status status;
  status.code = 422;
  status.reason = "Invalid";
  status.name = name;
  status.group = group;
  status.kind = kind;
  status.message =
      std::string(kind) + "." + std::string(group) + " " + base::GoQuote(name) + " is invalid: ";
  // Equal errors are said once.
  std::vector<std::string> texts;
  for (const base::Error& error : errors_) {
    std::string text = error.path + ": " + error.message;
    if (std::find(texts.begin(), texts.end(), text) != texts.end()) continue;
    texts.push_back(std::move(text));
    status.causes.push_back({std::string(CauseReason(error.code)), error.message, error.path});
  }
  if (texts.size() > 1) status.message += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i != 0) status.message += ", ";
    status.message += texts[i];
  }
  if (texts.size() > 1) status.message += ']';
  return status;
}

std::string Child(std::string_view path, std::string_view name) {
  std::string out(path);
  if (!out.empty()) out += '.';
  out += name;
  return out;
}

std::string Index(std::string_view path, std::size_t index) {
  return std::string(path) + "[" + std::to_string(index) + "]";
}

}  // namespace portcullis::policy
