#ifndef PORTCULLIS_POLICY_MAP_LOADER_H_
#define PORTCULLIS_POLICY_MAP_LOADER_H_

// Loading of MutatingAdmissionPolicy and MutatingAdmissionPolicyBinding documents: the API server's
// decoding, defaults, validation and compilation (spec/kubernetes-admission.md 3.1).

#include <memory>

#include "policy/family.h"

namespace portcullis::policy {

std::unique_ptr<FamilyLoader> NewMutatingAdmissionLoader();

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_MAP_LOADER_H_
