#ifndef PORTCULLIS_POLICY_ADMISSION_VALIDATE_H_
#define PORTCULLIS_POLICY_ADMISSION_VALIDATE_H_

// The API server's validation of what policies and bindings of both native kinds share
// (spec/kubernetes-admission.md 2.3). Values are decoded objects (decode.h): known fields, right
// types. CEL expressions are validated where they are compiled (expression.h).

#include <string>
#include <string_view>

#include "doc/value.h"
#include "policy/admission/field_error.h"

namespace portcullis::policy {

// The object's name; with generateName alone the one that the server would draw, which ends here
// always in the same five characters.
std::string NameOf(const doc::Value& object);
// metadata of a cluster-scoped object whose name is a DNS subdomain.
void ValidateMetadata(const doc::Value& object, FieldErrors& errors);

void ValidateFailurePolicy(const doc::Value& spec, FieldErrors& errors);
void ValidateParamKind(const doc::Value& param_kind, std::string_view path, FieldErrors& errors);

// What differs between the users of MatchResources.
struct MatchResourcesRules {
  bool rules_required = false;  // policies need a rule, bindings do not
  bool delete_allowed = true;   // not in mutating policies
};
void ValidateMatchResources(const doc::Value& value, std::string_view path,
                            const MatchResourcesRules& rules, FieldErrors& errors);
void ValidateLabelSelector(const doc::Value& selector, std::string_view path, FieldErrors& errors);

// policyName and paramRef of a binding.
void ValidatePolicyName(const doc::Value& spec, FieldErrors& errors);
void ValidateParamRef(const doc::Value& param_ref, std::string_view path, FieldErrors& errors);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_VALIDATE_H_
