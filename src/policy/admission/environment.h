#ifndef PORTCULLIS_POLICY_ADMISSION_ENVIRONMENT_H_
#define PORTCULLIS_POLICY_ADMISSION_ENVIRONMENT_H_

// The CEL environments of native policies without `variables`
// (spec/kubernetes-admission.md 5.1, 5.2). Shared by all policies of the process, thread-safe.

#include <memory>

#include "cel/check/env.h"

namespace portcullis::policy {

struct EnvironmentKey {
  bool params = false;
  bool authorizer = true;
  bool mutation = false;  // Object, JSONPatch, jsonpatch.escapeKey
};

std::shared_ptr<const cel::Env> AdmissionEnvironment(const EnvironmentKey& key);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_ENVIRONMENT_H_
