#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_TARGETS_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_TARGETS_H_

// The existing objects that a mutating policy changes, and the requests that stand for them
// (spec/kyverno-cel-policies.md 4.4). Objects come from the provider of Kyverno's look-ups.

#include <string>
#include <vector>

#include "doc/value.h"
#include "match/request.h"
#include "policy/context.h"
#include "policy/kyverno_cel/activation.h"
#include "policy/kyverno_cel/mutating_policy.h"

namespace portcullis::policy::kyverno_cel {

struct Target {
  doc::Value object;
  std::string_view resource;  // plural; empty: of a kind that is not known
};

struct FoundTargets {
  std::vector<Target> targets;
  std::string error;  // not empty: the search failed
};

// `activation` is that of the trigger. The objects still have to match the target's constraints.
FoundTargets FindTargets(const MutatingPolicy& policy, Activation& activation,
                         RequestContext& context);

// The request in which a target stands for itself, by the user of `trigger`. Views into the target.
match::AdmissionRequest TargetRequest(const Target& target, const match::AdmissionRequest& trigger);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_MUTATING_TARGETS_H_
