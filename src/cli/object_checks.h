#ifndef PORTCULLIS_CLI_OBJECT_CHECKS_H_
#define PORTCULLIS_CLI_OBJECT_CHECKS_H_

// What is wrong with an object before any policy looks at it: an unknown kind, values that the API
// server refuses to decode, keys that YAML turned into booleans. Pure but for the sink.

#include <string>

#include "cli/diagnostics.h"
#include "engine/policy_set.h"
#include "input/document.h"
#include "schema/type_table.h"

namespace portcullis::cli {

// Reports the problems; false when no verdict about the object would mean anything. A version that
// no server has any more is meant when a policy names it.
bool CheckObject(const input::Document& document, const schema::TypeTable& types,
                 const engine::PolicySet& set, DiagnosticSink& sink);

// Reports the texts of server warnings (`unknown field "spec.foo"`) with their places.
void ReportServerWarnings(const input::Document& document, const std::vector<std::string>& texts,
                          DiagnosticSink& sink);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_OBJECT_CHECKS_H_
