#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_FAMILY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_FAMILY_H_

// The family "kyverno-validating": ValidatingPolicy, NamespacedValidatingPolicy and the
// PolicyExceptions that refer to them, all served versions of policies.kyverno.io.

#include <memory>

#include "policy/family.h"

namespace portcullis::policy::kyverno_cel {

std::unique_ptr<FamilyLoader> NewLoader();

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_FAMILY_H_
