#ifndef PORTCULLIS_POLICY_ADMISSION_CORE_H_
#define PORTCULLIS_POLICY_ADMISSION_CORE_H_

// What policies of both native kinds have in common, and their bindings
// (spec/kubernetes-admission.md 2.1, 2.2, 3.1). Immutable after loading.

#include <string>
#include <vector>

#include "doc/value.h"
#include "match/label_selector.h"
#include "match/match_resources.h"
#include "policy/admission/expression.h"
#include "policy/admission/field_error.h"
#include "policy/admission/validate.h"
#include "policy/family.h"

namespace portcullis::policy {

struct ParamKind {
  std::string api_version;  // empty: the policy has no paramKind
  std::string kind;
  explicit operator bool() const { return !kind.empty(); }
};

struct PolicyCore {
  PolicyInfo info;
  bool fail = true;  // failurePolicy
  ParamKind param_kind;
  match::MatchResources constraints;
  std::vector<NamedExpression> match_conditions;
  std::vector<NamedExpression> variables;
};

struct ParamRef {
  bool present = false;
  std::string name;  // empty: by selector
  std::string ns;
  match::LabelSelector selector;
  bool deny_if_absent = false;  // parameterNotFoundAction
};

struct BindingCore {
  std::string name;
  std::string policy_name;
  base::SourceSpan span;
  ParamRef param_ref;
  bool has_match = false;
  match::MatchResources match;
};

// Reads, validates and compiles the common members of a policy (a decoded object): metadata,
// failurePolicy, paramKind, matchConstraints, matchConditions. `variables` and the rest are the
// family's, in the order in which the API server reports: see vap/load.cc.
void LoadPolicyCore(const doc::Value& policy, const MatchResourcesRules& rules, PolicyCore& core,
                    FieldErrors& errors);
// matchConditions and variables, in the order of the API server's report.
void LoadPolicyExpressions(const doc::Value& policy, PolicyScope& scope, PolicyCore& core,
                           FieldErrors& errors);

// Reads and validates policyName, paramRef, matchResources.
void LoadBindingCore(const doc::Value& binding, const MatchResourcesRules& rules, BindingCore& core,
                     FieldErrors& errors);

// Notes of a set: a policy that nothing binds, a binding that names no policy.
base::Error UnboundPolicyNote(const PolicyInfo& policy, bool evaluated);
base::Error DanglingBindingNote(std::string_view kind, const BindingCore& binding);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_CORE_H_
