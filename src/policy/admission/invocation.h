#ifndef PORTCULLIS_POLICY_ADMISSION_INVOCATION_H_
#define PORTCULLIS_POLICY_ADMISSION_INVOCATION_H_

// From a request and a policy to the evaluations to make: one per matching binding and parameter
// object (spec/kubernetes-admission.md 2.4, 2.5). Both native families use it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "doc/value.h"
#include "match/match_resources.h"
#include "policy/admission/core.h"
#include "policy/context.h"
#include "policy/verdict.h"

namespace portcullis::policy {

// The request in terms of the kind that a policy matched. Borrowed strings, request lifetime.
struct MatchedView {
  match::GroupVersionKind kind;
  match::GroupVersionResource resource;
  doc::Value object;  // in `kind`; null when absent
  doc::Value old_object;
  doc::Value request;           // the CEL value of `request`
  doc::Value namespace_object;  // an error value when nothing is known about the Namespace
  bool go_structs = false;      // MAP: the API server holds a native object as its Go type
};

struct Invocation {
  const BindingCore* binding = nullptr;  // null: an unbound policy, evaluated as if bound
  bool has_params = false;               // `params` is declared
  doc::Value params;                     // null: no parameter object
  std::string param_key;                 // "namespace/name", identity for reinvocation
};

// A configuration problem: denies under failurePolicy Fail, whatever the binding's actions.
struct ConfigError {
  const BindingCore* binding = nullptr;  // null: of the policy
  std::string message;                   // "failed to configure policy: ..." / "... binding: ..."
};

// What matching a policy and its bindings gave.
struct PolicyInvocations {
  bool matched = false;  // of the policy's own constraints
  match::MatchResult match;
  std::vector<Invocation> invocations;  // in binding order, then parameter order
  std::vector<ConfigError> errors;      // in binding order
  std::optional<Status> fatal;          // the whole request fails
};

// `bindings` in evaluation order; `unbound`: evaluate once as if bound with everything.
PolicyInvocations CollectInvocations(const PolicyCore& policy,
                                     std::span<const BindingCore* const> bindings, bool unbound,
                                     RequestContext& context);

// The request as this policy sees it. `namespaceObject` is looked up here; a failure is `fatal`,
// a failed conversion is an error of the binding (`failed to convert object version: ...`).
struct ViewResult {
  MatchedView view;
  std::optional<Status> fatal;
  std::string conversion_error;
};
ViewResult BuildView(const match::MatchResult& match, RequestContext& context);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_INVOCATION_H_
