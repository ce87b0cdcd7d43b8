#include "cel/check/admission_types.h"

#include <array>

#include "absl/container/flat_hash_map.h"

namespace portcullis::cel {

namespace {

constexpr std::array kAdmissionRows = {
    FieldRow{"kubernetes.AdmissionRequest", "kind", "struct:kubernetes.GroupVersionKind"},
    FieldRow{"kubernetes.AdmissionRequest", "resource", "struct:kubernetes.GroupVersionResource"},
    FieldRow{"kubernetes.AdmissionRequest", "subResource", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "requestKind", "struct:kubernetes.GroupVersionKind"},
    FieldRow{"kubernetes.AdmissionRequest", "requestResource",
             "struct:kubernetes.GroupVersionResource"},
    FieldRow{"kubernetes.AdmissionRequest", "requestSubResource", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "name", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "namespace", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "operation", "string"},
    FieldRow{"kubernetes.AdmissionRequest", "userInfo", "struct:kubernetes.UserInfo"},
    FieldRow{"kubernetes.AdmissionRequest", "dryRun", "bool"},
    FieldRow{"kubernetes.AdmissionRequest", "options", "dyn"},
    FieldRow{"kubernetes.GroupVersionKind", "group", "string"},
    FieldRow{"kubernetes.GroupVersionKind", "version", "string"},
    FieldRow{"kubernetes.GroupVersionKind", "kind", "string"},
    FieldRow{"kubernetes.GroupVersionResource", "group", "string"},
    FieldRow{"kubernetes.GroupVersionResource", "version", "string"},
    FieldRow{"kubernetes.GroupVersionResource", "resource", "string"},
    FieldRow{"kubernetes.UserInfo", "username", "string"},
    FieldRow{"kubernetes.UserInfo", "uid", "string"},
    FieldRow{"kubernetes.UserInfo", "groups", "list(string)"},
    FieldRow{"kubernetes.UserInfo", "extra", "map(string, list(string))"},
    FieldRow{"kubernetes.Namespace", "metadata", "struct:kubernetes.NamespaceMetadata"},
    FieldRow{"kubernetes.Namespace", "spec", "struct:kubernetes.NamespaceSpec"},
    FieldRow{"kubernetes.Namespace", "status", "struct:kubernetes.NamespaceStatus"},
    FieldRow{"kubernetes.NamespaceMetadata", "name", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "generateName", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "namespace", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "labels", "map(string, string)"},
    FieldRow{"kubernetes.NamespaceMetadata", "annotations", "map(string, string)"},
    FieldRow{"kubernetes.NamespaceMetadata", "UID", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "creationTimestamp", "timestamp"},
    FieldRow{"kubernetes.NamespaceMetadata", "deletionGracePeriodSeconds", "int"},
    FieldRow{"kubernetes.NamespaceMetadata", "deletionTimestamp", "timestamp"},
    FieldRow{"kubernetes.NamespaceMetadata", "generation", "int"},
    FieldRow{"kubernetes.NamespaceMetadata", "resourceVersion", "string"},
    FieldRow{"kubernetes.NamespaceMetadata", "finalizers", "list(string)"},
    FieldRow{"kubernetes.NamespaceSpec", "finalizers", "list(string)"},
    FieldRow{"kubernetes.NamespaceStatus", "conditions",
             "list(struct:kubernetes.NamespaceCondition)"},
    FieldRow{"kubernetes.NamespaceStatus", "phase", "string"},
    FieldRow{"kubernetes.NamespaceCondition", "status", "string"},
    FieldRow{"kubernetes.NamespaceCondition", "type", "string"},
    FieldRow{"kubernetes.NamespaceCondition", "lastTransitionTime", "timestamp"},
    FieldRow{"kubernetes.NamespaceCondition", "message", "string"},
    FieldRow{"kubernetes.NamespaceCondition", "reason", "string"},
};

class TableProvider final : public TypeProvider {
 public:
  explicit TableProvider(std::span<const FieldRow> rows) {
    for (const FieldRow& row : rows) {
      types_[row.type].emplace_back(row.field, pool_.Parse(row.field_type));
    }
  }

  bool HasType(std::string_view type_name) const override { return types_.contains(type_name); }

  const Type* FieldType(std::string_view type_name, std::string_view field) const override {
    const auto found = types_.find(type_name);
    if (found == types_.end()) return nullptr;
    for (const auto& [name, type] : found->second) {
      if (name == field) return type;
    }
    return nullptr;
  }

 private:
  TypePool pool_;
  absl::flat_hash_map<std::string_view, std::vector<std::pair<std::string_view, const Type*>>>
      types_;
};

class MutationProvider final : public TypeProvider {
 public:
  bool HasType(std::string_view type_name) const override {
    return type_name == kPatch || IsObject(type_name);
  }

  const Type* FieldType(std::string_view type_name, std::string_view field) const override {
    if (type_name != kPatch) return &types::kDyn;
    if (field == "op" || field == "path" || field == "from") return &types::kString;
    // An unknown field has no type at all: only a dyn value fits it, and fails at run time.
    return field == "value" ? &types::kDyn : &types::kUnspecified;
  }

 private:
  static constexpr std::string_view kPatch = "JSONPatch";
  static constexpr std::string_view kObject = "Object";

  static bool IsObject(std::string_view name) {
    if (name.substr(0, kObject.size()) != kObject) return false;
    return name.size() == kObject.size() || name[kObject.size()] == '.';
  }
};

bool IsScalar(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAny:
    case TypeKind::kNull:
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kUint:
    case TypeKind::kDouble:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::shared_ptr<const TypeProvider> MakeTableProvider(std::span<const FieldRow> rows) {
  return std::make_shared<TableProvider>(rows);
}

std::shared_ptr<const TypeProvider> AdmissionTypes() {
  static const std::shared_ptr<const TypeProvider> provider = MakeTableProvider(kAdmissionRows);
  return provider;
}

std::shared_ptr<const TypeProvider> MutationTypes() {
  static const std::shared_ptr<const TypeProvider> provider = std::make_shared<MutationProvider>();
  return provider;
}

VariableTypes::VariableTypes(std::string_view type_name, Precision precision)
    : type_name_(type_name), precision_(precision), type_{TypeKind::kStruct, type_name_, {}} {}

const Type* VariableTypes::Keep(const Type& type) {
  if (precision_ == Precision::kExact) return CopyType(pool_, type);
  if (IsScalar(type.kind)) return CopyType(pool_, type);
  if (type.kind == TypeKind::kList) return pool_.List(Keep(*type.params[0]));
  if (type.kind == TypeKind::kMap) {
    const Type* key = Keep(*type.params[0]);
    return pool_.Map(key, Keep(*type.params[1]));
  }
  return &types::kDyn;
}

void VariableTypes::Declare(std::string_view name, const Type* type) {
  const Type* kept = type == nullptr ? &types::kDyn : Keep(*type);
  for (auto& field : fields_) {
    if (field.first == name) {
      field.second = kept;
      return;
    }
  }
  fields_.emplace_back(name, kept);
}

const Type* VariableTypes::FieldType(std::string_view type_name, std::string_view field) const {
  if (type_name != type_name_) return nullptr;
  for (const auto& [name, type] : fields_) {
    if (name == field) return type;
  }
  return nullptr;
}

const Type* CopyType(TypePool& pool, const Type& type) {
  std::vector<const Type*> params;
  params.reserve(type.params.size());
  for (const Type* param : type.params) params.push_back(CopyType(pool, *param));
  switch (type.kind) {
    case TypeKind::kDyn:
      return &types::kDyn;
    case TypeKind::kAny:
      return &types::kAny;
    case TypeKind::kError:
      return &types::kError;
    case TypeKind::kNull:
      return &types::kNull;
    case TypeKind::kBool:
      return &types::kBool;
    case TypeKind::kInt:
      return &types::kInt;
    case TypeKind::kUint:
      return &types::kUint;
    case TypeKind::kDouble:
      return &types::kDouble;
    case TypeKind::kString:
      return &types::kString;
    case TypeKind::kBytes:
      return &types::kBytes;
    case TypeKind::kDuration:
      return &types::kDuration;
    case TypeKind::kTimestamp:
      return &types::kTimestamp;
    case TypeKind::kUnspecified:
      return &types::kUnspecified;
    case TypeKind::kList:
      return pool.List(params[0]);
    case TypeKind::kMap:
      return pool.Map(params[0], params[1]);
    case TypeKind::kType:
      return params.empty() ? &types::kType : pool.TypeOf(params[0]);
    case TypeKind::kOptional:
      return pool.Optional(params[0]);
    case TypeKind::kWrapper:
      return pool.Wrapper(params[0]);
    case TypeKind::kOpaque:
      return pool.Opaque(type.name, params);
    case TypeKind::kStruct:
      return pool.Struct(type.name);
    case TypeKind::kParam:
      return pool.Param(type.name);
  }
  return &types::kDyn;
}

}  // namespace portcullis::cel
