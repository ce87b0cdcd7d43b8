#include "policy/admission/validate.h"

#include <algorithm>

#include "base/gotext.h"
#include "base/validation.h"
#include "policy/admission/decode.h"

namespace portcullis::policy {
namespace {

std::string Join(const base::Messages& messages, std::string_view separator) {
  std::string out;
  for (const std::string& message : messages) {
    if (!out.empty()) out += separator;
    out += message;
  }
  return out;
}

void AddAll(const base::Messages& messages, const std::string& path, std::string_view value,
            FieldErrors& errors) {
  for (const std::string& message : messages) errors.Invalid(path, value, message);
}

}  // namespace

void ValidateFailurePolicy(const doc::Value& spec, FieldErrors& errors) {
  const std::string_view policy = spec.StringAt("failurePolicy");
  if (policy.empty() && Member(spec, "failurePolicy") == nullptr) {
    errors.Required("spec.failurePolicy");
  } else if (policy != "Fail" && policy != "Ignore") {
    errors.Unsupported("spec.failurePolicy", policy, {"Fail", "Ignore"});
  }
}

void ValidateParamKind(const doc::Value& param_kind, std::string_view path, FieldErrors& errors) {
  const std::string_view api_version = param_kind.StringAt("apiVersion");
  const std::string version_path = Child(path, "apiVersion");
  if (api_version.empty()) {
    errors.Required(version_path);
  } else if (std::count(api_version.begin(), api_version.end(), '/') > 1) {
    errors.Invalid(version_path, api_version,
                   "unexpected GroupVersion string: " + std::string(api_version));
  } else {
    const std::size_t slash = api_version.find('/');
    const bool grouped = slash != std::string_view::npos;
    const std::string_view group = grouped ? api_version.substr(0, slash) : std::string_view();
    const std::string_view version = grouped ? api_version.substr(slash + 1) : api_version;
    if (!group.empty()) {
      if (const auto messages = base::ValidateDns1123Subdomain(group); !messages.empty()) {
        errors.Invalid(version_path, group, Join(messages, ","));
      }
    }
    if (version.empty()) {
      errors.Invalid(version_path, api_version, "version must be specified");
    } else if (const auto messages = base::ValidateDns1035Label(version); !messages.empty()) {
      errors.Invalid(version_path, version, Join(messages, ","));
    }
  }

  const std::string_view kind = param_kind.StringAt("kind");
  if (kind.empty()) {
    errors.Required(Child(path, "kind"));
    return;
  }
  std::string lower(kind);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (const auto messages = base::ValidateDns1035Label(lower); !messages.empty()) {
    errors.Invalid(Child(path, "kind"), kind,
                   "may have mixed case, but should otherwise match: " + Join(messages, ","));
  }
}

void ValidateLabelSelector(const doc::Value& selector, std::string_view path, FieldErrors& errors) {
  if (const doc::Value* labels = Member(selector, "matchLabels"); labels != nullptr) {
    const std::string labels_path = Child(path, "matchLabels");
    for (const doc::MapEntry& entry : labels->as_map()) {
      AddAll(base::ValidateQualifiedName(entry.key.as_string()), labels_path, entry.key.as_string(),
             errors);
      if (!entry.value.is_string()) continue;
      AddAll(base::ValidateLabelValue(entry.value.as_string()), labels_path,
             entry.value.as_string(), errors);
    }
  }
  const auto expressions = Items(selector, "matchExpressions");
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const doc::Value& item = expressions[i];
    const std::string item_path = Index(Child(path, "matchExpressions"), i);
    const std::string_view op = item.StringAt("operator");
    const auto values = Items(item, "values");
    if (op == "In" || op == "NotIn") {
      if (values.empty()) {
        errors.Required(Child(item_path, "values"),
                        "must be specified when `operator` is 'In' or 'NotIn'");
      }
    } else if (op == "Exists" || op == "DoesNotExist") {
      if (!values.empty()) {
        errors.Forbidden(Child(item_path, "values"),
                         "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
    } else {
      std::string shown;
      base::AppendGoJsonString(shown, op);
      errors.InvalidJson(Child(item_path, "operator"), shown, "not a valid selector operator");
    }
    AddAll(base::ValidateQualifiedName(item.StringAt("key")), Child(item_path, "key"),
           item.StringAt("key"), errors);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!values[k].is_string()) continue;
      AddAll(base::ValidateLabelValue(values[k].as_string()), Index(Child(item_path, "values"), k),
             values[k].as_string(), errors);
    }
  }
}

void ValidatePolicyName(const doc::Value& spec, FieldErrors& errors) {
  const std::string_view name = spec.StringAt("policyName");
  if (name.empty()) {
    errors.Required("spec.policyName");
    return;
  }
  AddAll(base::ValidateDns1123Subdomain(name), "spec.policyName", name, errors);
}

void ValidateParamRef(const doc::Value& param_ref, std::string_view path, FieldErrors& errors) {
  const std::string_view name = param_ref.StringAt("name");
  const doc::Value* selector = Member(param_ref, "selector");
  constexpr std::string_view kExclusive = "name and selector are mutually exclusive";
  if (!name.empty()) {
    AddAll(base::ValidatePathSegment(name), Child(path, "name"), name, errors);
    if (selector != nullptr) errors.Forbidden(Child(path, "name"), kExclusive);
  }
  if (selector != nullptr) {
    ValidateLabelSelector(*selector, Child(path, "selector"), errors);
    if (!name.empty()) errors.Forbidden(Child(path, "selector"), kExclusive);
  }
  if (name.empty() && selector == nullptr) {
    errors.Required(std::string(path), "one of name or selector must be specified");
  }
  const std::string_view action = param_ref.StringAt("parameterNotFoundAction");
  if (action.empty()) {
    errors.Required(Child(path, "parameterNotFoundAction"));
  } else if (action != "Deny" && action != "Allow") {
    errors.Unsupported(Child(path, "parameterNotFoundAction"), action, {"Deny", "Allow"});
  }
}

}  // namespace portcullis::policy
