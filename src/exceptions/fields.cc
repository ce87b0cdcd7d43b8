#include "exceptions/fields.h"

#include "base/suggest.h"

namespace portcullis::exceptions {
namespace {

// Deeper than any policy; keeps hostile documents from recursing without end.
constexpr int kMaxDepth = 32;

std::string_view TypeName(FieldType type) {
  switch (type) {
    case FieldType::kString:
      return "string";
    case FieldType::kBool:
      return "boolean";
    case FieldType::kInteger:
      return "integer";
    case FieldType::kObject:
    case FieldType::kStringMap:
      return "object";
    case FieldType::kList:
      return "array";
    case FieldType::kAny:
      break;
  }
  return "any";
}

bool HasType(const doc::Value& value, FieldType type) {
  switch (type) {
    case FieldType::kString:
      return value.is_string();
    case FieldType::kBool:
      return value.is_bool();
    case FieldType::kInteger:
      return value.is_int();
    case FieldType::kObject:
    case FieldType::kStringMap:
      return value.is_map();
    case FieldType::kList:
      return value.is_list();
    case FieldType::kAny:
      break;
  }
  return true;
}

class Walker {
 public:
  Walker(std::span<const FieldSpec> table, FieldFindings& out) : table_(table), out_(out) {}

  // `generic` is the path with `[]` for every item.
  void Walk(const doc::Value& value, FieldType type, const std::string& path,
            const std::string& generic, int depth) {
    if (value.is_null() || depth > kMaxDepth) return;
    if (!HasType(value, type)) {
      out_.errors.emplace_back(base::ErrorCode::kInvalid,
                               "Invalid value: must be of type " + std::string(TypeName(type)),
                               path);
      return;
    }
    if (type == FieldType::kObject) {
      for (const doc::MapEntry& entry : value.as_map()) WalkMember(entry, path, generic, depth);
    } else if (type == FieldType::kStringMap) {
      for (const doc::MapEntry& entry : value.as_map()) {
        const std::string key = entry.key.is_string() ? std::string(entry.key.as_string()) : "?";
        Walk(entry.value, FieldType::kString, path + "." + key, generic, depth + 1);
      }
    } else if (type == FieldType::kList) {
      const std::string item = generic + "[]";
      const FieldSpec* spec = Find(item);
      const auto items = value.as_list();
      for (std::size_t i = 0; spec != nullptr && i < items.size(); ++i) {
        Walk(items[i], spec->type, path + "[" + std::to_string(i) + "]", item, depth + 1);
      }
    }
  }

 private:
  void WalkMember(const doc::MapEntry& entry, const std::string& path, const std::string& generic,
                  int depth) {
    if (!entry.key.is_string()) return;
    const std::string name(entry.key.as_string());
    const std::string member = generic + "." + name;
    if (const FieldSpec* spec = Find(member); spec != nullptr) {
      Walk(entry.value, spec->type, path + "." + name, member, depth + 1);
      return;
    }
    out_.unknown.push_back(path + "." + name);
    std::vector<std::string_view> siblings;
    for (const FieldSpec& spec : table_) {
      if (!spec.path.starts_with(generic + ".")) continue;
      const std::string_view rest = spec.path.substr(generic.size() + 1);
      if (rest.find_first_of(".[") == std::string_view::npos) siblings.push_back(rest);
    }
    out_.hints.emplace_back(base::ClosestName(name, siblings));
  }

  const FieldSpec* Find(std::string_view path) const {
    for (const FieldSpec& spec : table_) {
      if (spec.path == path) return &spec;
    }
    return nullptr;
  }

  std::span<const FieldSpec> table_;
  FieldFindings& out_;
};

using enum FieldType;

constexpr FieldSpec kException[] = {
    {"spec.policyRefs", kList},
    {"spec.policyRefs[]", kObject},
    {"spec.policyRefs[].name", kString},
    {"spec.policyRefs[].kind", kString},
    {"spec.matchConditions", kList},
    {"spec.matchConditions[]", kObject},
    {"spec.matchConditions[].name", kString},
    {"spec.matchConditions[].expression", kString},
    {"spec.images", kList},
    {"spec.images[]", kString},
    {"spec.allowedValues", kList},
    {"spec.allowedValues[]", kString},
    {"spec.reportResult", kString},
    {"spec.evaluationMode", kString},
    {"spec.expiresAt", kString},
    {"spec.properties", kStringMap},
    {"spec.validations", kList},
    {"spec.validations[]", kObject},
    {"spec.validations[].expression", kString},
    {"spec.validations[].message", kString},
    {"spec.validations[].messageExpression", kString},
    {"spec.validations[].reason", kString},
};

// Rules, selectors and the like are listed once per place.
#define PC_RULES(name)                                                                   \
  {"spec.matchConstraints." name, kList}, {"spec.matchConstraints." name "[]", kObject}, \
      {"spec.matchConstraints." name "[].apiGroups", kList},                             \
      {"spec.matchConstraints." name "[].apiGroups[]", kString},                         \
      {"spec.matchConstraints." name "[].apiVersions", kList},                           \
      {"spec.matchConstraints." name "[].apiVersions[]", kString},                       \
      {"spec.matchConstraints." name "[].resources", kList},                             \
      {"spec.matchConstraints." name "[].resources[]", kString},                         \
      {"spec.matchConstraints." name "[].operations", kList},                            \
      {"spec.matchConstraints." name "[].operations[]", kString},                        \
      {"spec.matchConstraints." name "[].resourceNames", kList},                         \
      {"spec.matchConstraints." name "[].resourceNames[]", kString}, {                   \
    "spec.matchConstraints." name "[].scope", kString                                    \
  }
#define PC_SELECTOR(name)                                                      \
  {"spec.matchConstraints." name, kObject},                                    \
      {"spec.matchConstraints." name ".matchLabels", kStringMap},              \
      {"spec.matchConstraints." name ".matchExpressions", kList},              \
      {"spec.matchConstraints." name ".matchExpressions[]", kObject},          \
      {"spec.matchConstraints." name ".matchExpressions[].key", kString},      \
      {"spec.matchConstraints." name ".matchExpressions[].operator", kString}, \
      {"spec.matchConstraints." name ".matchExpressions[].values", kList}, {   \
    "spec.matchConstraints." name ".matchExpressions[].values[]", kString      \
  }

constexpr FieldSpec kValidating[] = {
    {"spec.matchConstraints", kObject},
    {"spec.matchConstraints.matchPolicy", kString},
    PC_RULES("resourceRules"),
    PC_RULES("excludeResourceRules"),
    PC_SELECTOR("namespaceSelector"),
    PC_SELECTOR("objectSelector"),
    {"spec.matchConditions", kList},
    {"spec.matchConditions[]", kObject},
    {"spec.matchConditions[].name", kString},
    {"spec.matchConditions[].expression", kString},
    {"spec.variables", kList},
    {"spec.variables[]", kObject},
    {"spec.variables[].name", kString},
    {"spec.variables[].expression", kString},
    {"spec.validations", kList},
    {"spec.validations[]", kObject},
    {"spec.validations[].expression", kString},
    {"spec.validations[].message", kString},
    {"spec.validations[].messageExpression", kString},
    {"spec.validations[].reason", kString},
    {"spec.auditAnnotations", kList},
    {"spec.auditAnnotations[]", kObject},
    {"spec.auditAnnotations[].key", kString},
    {"spec.auditAnnotations[].valueExpression", kString},
    {"spec.failurePolicy", kString},
    {"spec.validationActions", kList},
    {"spec.validationActions[]", kString},
    {"spec.webhookConfiguration", kObject},
    {"spec.webhookConfiguration.timeoutSeconds", kInteger},
    {"spec.evaluation", kObject},
    {"spec.evaluation.mode", kString},
    {"spec.evaluation.admission", kObject},
    {"spec.evaluation.admission.enabled", kBool},
    {"spec.evaluation.background", kObject},
    {"spec.evaluation.background.enabled", kBool},
    {"spec.autogen", kObject},
    {"spec.autogen.podControllers", kObject},
    {"spec.autogen.podControllers.controllers", kList},
    {"spec.autogen.podControllers.controllers[]", kString},
    {"spec.autogen.validatingAdmissionPolicy", kObject},
    {"spec.autogen.validatingAdmissionPolicy.enabled", kBool},
};

#undef PC_RULES
#undef PC_SELECTOR

}  // namespace

const std::span<const FieldSpec> kPolicyExceptionFields = kException;
const std::span<const FieldSpec> kValidatingPolicyFields = kValidating;

FieldFindings CheckFields(const doc::Value& object, std::span<const FieldSpec> table) {
  FieldFindings out;
  if (!object.is_map()) return out;
  for (const doc::MapEntry& entry : object.as_map()) {
    const std::string_view name = entry.key.is_string() ? entry.key.as_string() : "";
    if (name == "spec") {
      Walker(table, out).Walk(entry.value, FieldType::kObject, "spec", "spec", 0);
    } else if (name != "apiVersion" && name != "kind" && name != "metadata" && name != "status") {
      constexpr std::string_view kMembers[] = {"apiVersion", "kind", "metadata", "spec", "status"};
      out.unknown.emplace_back(name);
      out.hints.emplace_back(base::ClosestName(name, kMembers));
    }
  }
  return out;
}

}  // namespace portcullis::exceptions
