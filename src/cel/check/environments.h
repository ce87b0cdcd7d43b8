#ifndef PORTCULLIS_CEL_CHECK_ENVIRONMENTS_H_
#define PORTCULLIS_CEL_CHECK_ENVIRONMENTS_H_

// The environments that expressions are compiled in, by name (spec/cel.md 1.2, 1.3, 19). Each is
// built once, at its first use, and shared; everything here is thread-safe.

#include <memory>
#include <string_view>

#include "cel/check/env.h"

namespace portcullis::cel {

// Kubernetes minor versions of the gates. kStoredExpressions is the view of expressions that are
// already stored: everything that no version has removed.
inline constexpr int kStoredExpressions = 0;

// The environment of this name, or null if there is none:
//   cel            every extension at its latest version, as the conformance suite wants it
//   k8s            Kubernetes base environment, dyn variables
//   k8s-admission  ValidatingAdmissionPolicy: typed request and namespaceObject, authorizer
//   k8s-map        the same with the mutation types
//   k8s-new-1.NN   the base environment for new expressions at compatibility version 1.NN
//   kyverno-base   the base environment as linked into Kyverno 1.19, dyn variables
//   kyverno-vpol   and the others of Kyverno's kinds of policies (cel/kyverno/environments.h)
std::shared_ptr<const Env> EnvironmentByName(std::string_view name);

// The Kubernetes base environment without variables: functions, types and switches of a version.
std::shared_ptr<const Env> KubernetesBase(int minor_version = kStoredExpressions);

struct AdmissionOptions {
  bool has_params = false;
  bool has_authorizer = true;
  bool has_request_resource = true;  // `authorizer.requestResource`; off in the type check
  bool typed_object = false;         // the caller declares object, oldObject and params itself
  bool map_types = false;            // Object, JSONPatch and jsonpatch.escapeKey
  int version = kStoredExpressions;
};

// The environment of admission policies without `variables`: object, oldObject, request,
// namespaceObject and what the options add. Policies with variables make a child of it that
// declares `variables` with the type of a VariableTypes (cel/check/admission_types.h).
std::shared_ptr<const Env> AdmissionEnvironment(const AdmissionOptions& options);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_ENVIRONMENTS_H_
