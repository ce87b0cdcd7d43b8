#ifndef PORTCULLIS_POLICY_VAP_POLICY_H_
#define PORTCULLIS_POLICY_VAP_POLICY_H_

// ValidatingAdmissionPolicy and its binding, compiled (spec/kubernetes-admission.md 2).
// Immutable after loading.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policy/admission/core.h"
#include "policy/admission/expression.h"

namespace portcullis::policy::vap {

struct Validation {
  Expression expression;
  std::optional<Expression> message_expression;
  std::string message;  // trimmed
  std::string reason;   // empty: Invalid
};

struct AuditAnnotation {
  std::string key;
  Expression value;
};

enum class Action : std::uint8_t { kDeny, kWarn, kAudit };

struct Binding {
  BindingCore core;
  std::vector<Action> actions;  // as listed
};

struct Policy {
  PolicyCore core;
  std::vector<Validation> validations;
  std::vector<AuditAnnotation> audit_annotations;
  std::vector<const Binding*> bindings;   // in name order
  std::vector<const BindingCore*> cores;  // the same, as CollectInvocations wants them
};

std::string_view ActionName(Action action);

}  // namespace portcullis::policy::vap

#endif  // PORTCULLIS_POLICY_VAP_POLICY_H_
