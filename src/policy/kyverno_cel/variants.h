#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_VARIANTS_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_VARIANTS_H_

// Rules for Pod controllers: the variants that autogen makes of a policy, and its exceptions in
// their terms (spec/kyverno-cel-policies.md 9). At load time only.

#include <string>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "exceptions/exception.h"
#include "policy/kyverno_cel/kind.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

// Compiles the variants of `object` into `policy`. One that does not compile stays as a rule whose
// every match is an error. Adds to `warnings` what the author should know.
void AddVariants(const KindLoader& loader, const doc::Value& object, base::Arena& arena,
                 PolicyCommon& policy, std::vector<std::string>& warnings);

// The exception as `variant` uses it. Adds a note when its expressions only work as written.
exceptions::Attached AttachTo(const PolicyCommon& variant,
                              const exceptions::PolicyException& exception, base::ErrorList& notes);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_VARIANTS_H_
