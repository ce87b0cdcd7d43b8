#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_HTTP_USE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_HTTP_USE_H_

// Kyverno refuses policies in a namespace that call `http`, unless the operator said otherwise
// (spec/kyverno-cel-policies.md 2.13). Pure.

#include <string_view>

#include "doc/value.h"

namespace portcullis::policy::kyverno_cel {

inline constexpr std::string_view kNoHttp =
    "http.* is not allowed in namespaced policies; set --allowHTTPInNamespacedPolicies to enable";

// Whether an expression somewhere in `spec` names the variable `http`. Fields of that name do not
// count, and neither do texts that are no expressions.
bool UsesHttp(const doc::Value& spec);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_HTTP_USE_H_
