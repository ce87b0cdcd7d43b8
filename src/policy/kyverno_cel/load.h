#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_LOAD_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_LOAD_H_

// Reading and compiling what the kinds have in common, with Kyverno's texts
// (spec/kyverno-cel-policies.md 2.1, 2.4, 2.6, 2.13). Each kind calls the sections in its own order
// and stops at the first that adds to the errors. Pure.

#include <memory>
#include <string>
#include <string_view>

#include "cel/check/admission_types.h"
#include "cel/kyverno/environments.h"
#include "doc/value.h"
#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

// The environment of one policy: that of its kind, and the variables as they are declared.
class Scope {
 public:
  // `namespaced`: of the kind that lives in a namespace.
  Scope(cel::KyvernoPolicyKind kind, bool namespaced);
  // An environment without `variables`.
  explicit Scope(std::shared_ptr<const cel::Env> environment);

  // An expression that does not compile is added to `errors` under `path`.
  Expression Compile(std::string_view source, exceptions::ResultType wanted, std::string path,
                     FieldErrors& errors) const;
  void Declare(std::string_view name, const Expression& expression);

  const std::shared_ptr<const cel::Env>& environment() const { return env_; }

 private:
  std::shared_ptr<cel::VariableTypes> variables_;
  std::shared_ptr<const cel::Env> env_;
};

// Of the object: a value that is always a map.
doc::Value SpecOf(const doc::Value& object);

// metadata, failurePolicy, validationActions, evaluation, matchConstraints.
void LoadCommon(const doc::Value& object, PolicyCommon& policy, FieldErrors& errors);

// A list of {name, expression} with bool results; all errors are collected.
std::vector<Expression> CompileConditions(const doc::Value& spec, std::string_view member,
                                          const Scope& scope, FieldErrors& errors);
// Stops at the first error.
void CompileVariables(const doc::Value& spec, Scope& scope, PolicyCommon& policy,
                      FieldErrors& errors);
void CompileAuditAnnotations(const doc::Value& spec, const Scope& scope, PolicyCommon& policy,
                             FieldErrors& errors);
// Rules that are about objects, not about what happens to them: their operations do not count.
void IgnoreOperations(match::MatchResources& constraints);
// The rules that policies of every kind need.
void RequireRules(const PolicyCommon& policy, FieldErrors& errors);

// The answer of Kyverno's webhook: `path: text`, several in brackets. `compiler`: what stands
// before the errors of expressions; empty: nothing does. Requires errors.
Status RefusalOf(const FieldErrors& errors, std::string_view compiler);

// A member that is an object; an empty one when there is none.
doc::Value ObjectAt(const doc::Value& object, std::string_view name);
bool BoolAt(const doc::Value& object, std::string_view name, bool otherwise);
// `evaluation.NAME.enabled`, which is true when absent.
bool IsEnabled(const doc::Value& evaluation, std::string_view name, bool otherwise = true);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_LOAD_H_
