#ifndef PORTCULLIS_CLI_POLICY_NOTES_H_
#define PORTCULLIS_CLI_POLICY_NOTES_H_

// What the author of a policy should know although it loads: it decides nothing, or no cluster
// would ever evaluate it; and why a policy met none of the inputs (design section 3). Pure.

#include <string>
#include <vector>

#include "base/error.h"
#include "input/document.h"

namespace portcullis::cli {

// Warnings with paths, without places. Empty for what is no policy.
std::vector<base::Error> PolicyNotes(const input::Document& policy);

// What to give so that the policy has something to evaluate; empty when its evaluation mode is not
// the reason. `has_manifests`: manifests were among the inputs.
std::string UnmatchedHint(const input::Document& policy, bool has_manifests);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_POLICY_NOTES_H_
