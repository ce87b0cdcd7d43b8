#ifndef PORTCULLIS_AUTOGEN_POD_PATHS_H_
#define PORTCULLIS_AUTOGEN_POD_PATHS_H_

// Where the parts of a Pod are in a workload (spec/kyverno-cel-policies.md 9.5): the one statement
// of the rule that expressions, patches and pointers follow. Pure.

#include <span>
#include <string>
#include <string_view>

#include "autogen/autogen.h"

namespace portcullis::autogen {

// The members that lead from the workload to its Pod template: spec, template.
std::span<const std::string_view> TemplateSteps(Group group);

// Members of metadata that mean the workload and not the template: name, uid, ...
bool StaysWithWorkload(std::string_view metadata_field);

// Members of `spec` that no Pod has: who reads them knows controllers.
bool IsControllerField(std::string_view spec_field);

// The steps as text, each followed by `separator`: `spec.template.`.
std::string JoinSteps(Group group, std::string_view separator);

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_POD_PATHS_H_
