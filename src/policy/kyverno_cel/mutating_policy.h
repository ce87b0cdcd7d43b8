#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_POLICY_H_

// MutatingPolicy and NamespacedMutatingPolicy (spec/kyverno-cel-policies.md 4).

#include <memory>
#include <string>
#include <vector>

#include "autogen/autogen.h"
#include "policy/kyverno_cel/kind.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

struct Mutation {
  bool json_patch = false;  // else an ApplyConfiguration
  Expression expression;
  std::string path;  // of the expression
};

// Objects beside the one of the request that a policy changes (4.4).
struct MutationTargets {
  match::MatchResources constraints;
  Expression expression;  // gives the objects; without a program: the rules of `constraints` do
  std::vector<Expression> conditions;
  bool present = false;
};

struct MutatingPolicy final : PolicyCommon {
  std::vector<Mutation> mutations;
  bool replace_atomics = false;  // evaluation.useServerSideApply
  bool skip_background_requests = true;
  MutationTargets targets;
};

std::unique_ptr<KindLoader> NewMutatingLoader();

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_POLICY_H_
