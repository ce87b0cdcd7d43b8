#ifndef PORTCULLIS_CLI_POLICY_FILL_H_
#define PORTCULLIS_CLI_POLICY_FILL_H_

// Native policies and bindings as people write them for Kyverno's command line: some members that
// the API server requires are missing there (spec/cli-and-server.md 2.16). Pure function.

#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cli {

struct FilledMember {
  std::string path;   // "spec.validationActions"
  std::string value;  // what is there now, as JSON
};

// Sets missing `operations` (all), `validationActions` ([Deny]), `parameterNotFoundAction` (Deny)
// and `reinvocationPolicy` (Never). Other kinds are left alone.
std::vector<FilledMember> FillMissing(doc::Value& root, base::Arena& arena);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_POLICY_FILL_H_
