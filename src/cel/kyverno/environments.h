#ifndef PORTCULLIS_CEL_KYVERNO_ENVIRONMENTS_H_
#define PORTCULLIS_CEL_KYVERNO_ENVIRONMENTS_H_

// The environments of Kyverno's CEL policies (spec/cel.md 1.5, spec/kyverno-cel-policies.md 2.3):
// which functions, macros, variables and checks each kind of policy has. Each is built once, at its
// first use, and shared; everything here is thread-safe.

#include <memory>
#include <string_view>

#include "base/arena.h"
#include "cel/check/env.h"
#include "doc/value.h"

namespace portcullis::cel {

enum class KyvernoPolicyKind {
  kValidating,       // ValidatingPolicy, Kubernetes and JSON mode
  kMutating,         // MutatingPolicy
  kGenerating,       // GeneratingPolicy: no cost, no checks of literals
  kDeleting,         // DeletingPolicy: no cost
  kImageValidating,  // ImageValidatingPolicy
};

// The type name of `variables`: VariableTypes(kKyvernoVariables, VariableTypes::kExact).
inline constexpr std::string_view kKyvernoVariables = "kyverno.variables";

// The environment of a kind of policy without `variables`: a policy makes a child of it that
// declares them with the type of a VariableTypes (cel/check/admission_types.h). `namespaced` is the
// variant of that kind that lives in a namespace: its resource functions take none. The values of
// the variables belong to the family of the policy, those of the context variables (`resource`,
// `http`, `json`, ...) are KyvernoVariable's.
std::shared_ptr<const Env> KyvernoEnvironment(KyvernoPolicyKind kind, bool namespaced);

// The value of a variable that a library declares, for a policy in `policy_namespace` (empty: a
// cluster policy); false when `name` is none of them. The text is borrowed.
bool KyvernoVariable(std::string_view name, std::string_view policy_namespace, base::Arena& arena,
                     doc::Value& out);

// The environment of `matchImageReferences[].expression`: the string `ref`.
std::shared_ptr<const Env> KyvernoMatchImageEnvironment();

// The base environment as Kyverno 1.19 links it, an older release with a newer cel-go; without
// variables.
std::shared_ptr<const Env> KyvernoBase();

// By name, with an empty `variables`: kyverno-vpol, -mpol, -gpol, -dpol, -ivpol, the same for a
// policy in a namespace (-nvpol, ...) and -matchimage. Null for any other name.
std::shared_ptr<const Env> KyvernoEnvironmentByName(std::string_view name);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_ENVIRONMENTS_H_
