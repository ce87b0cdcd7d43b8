#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_POLICY_H_

// ValidatingPolicy and NamespacedValidatingPolicy, compiled
// (spec/kyverno-cel-policies.md 2.1, 3.1). Immutable after the set is built.

#include <cstdint>
#include <string>
#include <vector>

#include "exceptions/exception.h"
#include "exceptions/expression.h"
#include "match/match_resources.h"
#include "policy/family.h"

namespace portcullis::policy::kyverno_cel {

using exceptions::Expression;

struct Variable {
  std::string name;
  Expression expression;
};

struct Validation {
  Expression expression;
  Expression message_expression;  // without a program: there is none
  std::string message;
};

struct AuditAnnotation {
  std::string key;
  Expression value;
};

enum class Mode : std::uint8_t { kKubernetes, kJson, kOther };

struct Policy {
  PolicyInfo info;
  bool fail = true;   // failurePolicy
  bool deny = false;  // validationActions
  bool warn = false;
  bool audit = false;
  bool scored = true;  // annotation policies.kyverno.io/scored
  Mode mode = Mode::kKubernetes;
  std::string mode_name;
  bool admission = true;   // evaluation.admission.enabled
  bool background = true;  // evaluation.background.enabled
  bool autogen = false;    // rules for Pod controllers are wanted
  match::MatchResources constraints;
  std::vector<Expression> match_conditions;
  std::vector<Variable> variables;
  std::vector<Validation> validations;
  std::vector<AuditAnnotation> audit_annotations;
  std::vector<const exceptions::PolicyException*> exceptions;  // that refer to it
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_POLICY_H_
