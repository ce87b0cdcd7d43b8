#ifndef PORTCULLIS_POLICY_VAP_TYPE_CHECK_H_
#define PORTCULLIS_POLICY_VAP_TYPE_CHECK_H_

// The advisory type check of a ValidatingAdmissionPolicy against the schemas of the kinds that it
// matches (spec/kubernetes-admission.md 2.12, spec/cel.md 17.2): what the API server writes to
// `status.typeChecking`. It never changes what a policy decides. Thread-safe.

#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"
#include "schema/schema.h"
#include "schema/type_table.h"

namespace portcullis::policy {

struct TypeCheckInput {
  struct Expression {
    std::string field_ref;  // "spec.validations[0].expression"
    std::string_view text;
  };
  struct Variable {
    std::string_view name;
    std::string_view text;
  };

  // Kinds that the policy names without wildcards; those without a schema are left out.
  std::vector<const schema::Kind*> kinds;
  std::vector<Expression> expressions;
  std::vector<Variable> variables;  // in the order of the policy
  bool has_params = false;
  const schema::Kind* param_kind = nullptr;  // null: params are dyn
  // Appended to the kind in type names of messages; the API server appends the time.
  std::string_view type_suffix;
};

struct TypeCheckWarning {
  std::string field_ref;
  std::string warning;
};

// One warning per expression that fails for at least one kind.
std::vector<TypeCheckWarning> TypeCheck(const TypeCheckInput& input);

// The same for a whole policy document: the kinds of its rules that have no wildcards, its
// validations and variables.
std::vector<TypeCheckWarning> TypeCheckPolicy(const doc::Value& policy,
                                              const schema::TypeTable& table);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_VAP_TYPE_CHECK_H_
