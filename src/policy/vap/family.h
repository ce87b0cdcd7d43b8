#ifndef PORTCULLIS_POLICY_VAP_FAMILY_H_
#define PORTCULLIS_POLICY_VAP_FAMILY_H_

// The ValidatingAdmissionPolicy family (spec/kubernetes-admission.md 2).

#include <memory>

#include "policy/family.h"

namespace portcullis::policy::vap {

std::unique_ptr<FamilyLoader> NewLoader();

}  // namespace portcullis::policy::vap

#endif  // PORTCULLIS_POLICY_VAP_FAMILY_H_
