#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_FAMILY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_FAMILY_H_

// The family "kyverno-cel": the policies of policies.kyverno.io, cluster-wide and namespaced, and
// the PolicyExceptions that refer to them, in all served versions. Each kind is a KindLoader
// (kind.h); a new one is added where the loader is made.

#include <memory>

#include "policy/family.h"

namespace portcullis::policy::kyverno_cel {

std::unique_ptr<FamilyLoader> NewLoader();

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_FAMILY_H_
