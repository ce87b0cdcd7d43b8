#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_PRODUCED_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_PRODUCED_H_

// How a result tells of the objects that its policy made or changed
// (spec/kyverno-cel-policies.md 2.11). Pure.

#include <string>
#include <string_view>

#include "doc/value.h"
#include "policy/kyverno_cel/evaluate.h"

namespace portcullis::policy::kyverno_cel {

inline constexpr std::string_view kGeneratedProperty = "generated-resources";
inline constexpr std::string_view kPatchedProperty = "patched-target";

// "apps/v1, Kind=Deployment Name=web Namespace=default".
std::string DescribeObject(const doc::Value& object);

// Adds the object to the property of that name; several are separated by "; ".
void TellProduced(std::string_view property, const doc::Value& object, Evaluation& out);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_PRODUCED_H_
