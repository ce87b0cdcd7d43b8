#ifndef PORTCULLIS_CEL_KYVERNO_CONTEXT_GENERATE_H_
#define PORTCULLIS_CEL_KYVERNO_CONTEXT_GENERATE_H_

// What generating an object does to it before it is handed on (spec/kyverno-cel-policies.md 5.4):
// lists are taken apart, the target namespace is set and checked against that of the policy, and
// the fields that belong to a stored object are dropped. Shared by `generator.Apply` and generation
// templates. Pure; results live in the arena and share subtrees with the input.

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "provider/kyverno_context.h"

namespace portcullis::cel {

struct GenerateTarget {
  std::string_view ns;                // first argument of Apply; empty: as the object says
  std::string_view policy_namespace;  // empty: a cluster policy
};

// Appends what `object` stands for to `out`. `outside` tells the scope of kinds and may be null.
// False with `error` set where the policy may not generate the object.
bool PrepareGenerated(const doc::Value& object, const GenerateTarget& target,
                      const provider::KyvernoContext* outside, base::Arena& arena,
                      std::vector<doc::Value>& out, std::string& error);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_CONTEXT_GENERATE_H_
