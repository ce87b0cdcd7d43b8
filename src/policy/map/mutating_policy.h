#ifndef PORTCULLIS_POLICY_MAP_MUTATING_POLICY_H_
#define PORTCULLIS_POLICY_MAP_MUTATING_POLICY_H_

// A compiled MutatingAdmissionPolicy with its bindings (spec/kubernetes-admission.md 3.1).
// Immutable after loading; shared by threads.

#include <string>
#include <vector>

#include "policy/admission/core.h"
#include "policy/admission/expression.h"

namespace portcullis::policy {

struct Mutation {
  bool json_patch = false;  // else an ApplyConfiguration
  Expression expression;
  std::string path;  // of the expression: `spec.mutations[0].jsonPatch.expression`
};

struct MutatingPolicy {
  PolicyCore core;
  std::vector<Mutation> mutations;
  bool reinvoke_if_needed = false;
  std::vector<const BindingCore*> bindings;  // by name; filled when the set is built
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_MAP_MUTATING_POLICY_H_
