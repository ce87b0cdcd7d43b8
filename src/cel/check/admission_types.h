#ifndef PORTCULLIS_CEL_CHECK_ADMISSION_TYPES_H_
#define PORTCULLIS_CEL_CHECK_ADMISSION_TYPES_H_

// Object types of the admission environments (spec/cel.md 1.3, 1.5, 16.8): the request and the
// namespace, the mutation types and the variables of one policy. The shared providers are built
// once and thread-safe; a VariableTypes belongs to the policy that is being compiled.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/check/env.h"
#include "cel/check/type.h"

namespace portcullis::cel {

// A provider that reads `{type, field, field type}` rows; the types in the grammar of
// TypePool::Parse.
struct FieldRow {
  std::string_view type;
  std::string_view field;
  std::string_view field_type;
};
std::shared_ptr<const TypeProvider> MakeTableProvider(std::span<const FieldRow> rows);

// kubernetes.AdmissionRequest and what it contains, kubernetes.Namespace and what it contains.
std::shared_ptr<const TypeProvider> AdmissionTypes();

// JSONPatch, Object and every `Object.path`.
std::shared_ptr<const TypeProvider> MutationTypes();

// The object type of `variables`: one field per variable of a policy. Declare() is for the time of
// compilation, before the environment is shared.
class VariableTypes final : public TypeProvider {
 public:
  enum class Precision {
    kKubernetes,  // only scalars, lists and maps keep their type; others are dyn
    kExact,       // Kyverno: the checked type
  };
  explicit VariableTypes(std::string_view type_name = "kubernetes.variables",
                         Precision precision = Precision::kKubernetes);

  // A later declaration of the same name replaces. `type` is copied; null is dyn, the type of a
  // variable that did not compile.
  void Declare(std::string_view name, const Type* type);

  // The object type, for Env::AddVariable("variables", ...).
  const Type* type() const { return &type_; }

  bool HasType(std::string_view type_name) const override { return type_name == type_name_; }
  const Type* FieldType(std::string_view type_name, std::string_view field) const override;

 private:
  const Type* Keep(const Type& type);

  std::string type_name_;
  Precision precision_;
  Type type_;
  TypePool pool_;
  std::vector<std::pair<std::string, const Type*>> fields_;
};

// A copy of `type` in `pool`, independent of the pool that it came from.
const Type* CopyType(TypePool& pool, const Type& type);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_ADMISSION_TYPES_H_
