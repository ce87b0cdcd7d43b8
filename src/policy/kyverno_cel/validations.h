#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATIONS_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATIONS_H_

// The validations of validating and image-validating policies (spec/kyverno-cel-policies.md 2.7):
// evaluated in order up to the first that is not true, which gives the message.

#include <cstddef>
#include <string>
#include <vector>

#include "doc/value.h"
#include "policy/admission/field_error.h"
#include "policy/context.h"
#include "policy/kyverno_cel/activation.h"
#include "policy/kyverno_cel/load.h"

namespace portcullis::policy::kyverno_cel {

struct Validation {
  Expression expression;
  Expression message_expression;  // without a program: there is none
  std::string message;
};

// `spec.validations`; stops at the first error.
std::vector<Validation> CompileValidations(const doc::Value& spec, const Scope& scope,
                                           FieldErrors& errors);

// What the first validation that is not true says; `value` is true when all are.
struct ValidationResult {
  std::size_t index = 0;
  doc::Value value;     // true, false or an error
  std::string message;  // of a false one
};
ValidationResult EvaluateValidations(const std::vector<Validation>& validations,
                                     Activation& activation, RequestContext& context);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_VALIDATIONS_H_
