#ifndef PORTCULLIS_POLICY_ADMISSION_DENIAL_H_
#define PORTCULLIS_POLICY_ADMISSION_DENIAL_H_

// The Status of a refused request (spec/kubernetes-admission.md 2.8, 3.3). Pure.

#include <string>
#include <string_view>

#include "match/request.h"
#include "policy/verdict.h"

namespace portcullis::policy {

// What the API server calls the object: its name, generateName, or `Unknown`.
std::string DenialName(const match::AdmissionRequest& request);

// 403 `<resource.group> "<name>" is forbidden: <text>` with details and no causes.
Status ForbiddenStatus(const match::AdmissionRequest& request, std::string_view text);

// 404 `namespaces "<name>" not found`.
Status NamespaceNotFound(std::string_view name);
// 500 `Internal error occurred: <text>` with one cause.
Status InternalErrorStatus(std::string_view text);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_DENIAL_H_
