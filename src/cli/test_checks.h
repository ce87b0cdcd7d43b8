#ifndef PORTCULLIS_CLI_TEST_CHECKS_H_
#define PORTCULLIS_CLI_TEST_CHECKS_H_

// `checks` of a test: assertion trees about responses (spec/cli-and-server.md 2.12).

#include <span>

#include "cli/test_inputs.h"
#include "testfile/match.h"

namespace portcullis::cli {

// Appends one row per check and response that it selects; a check that selects none is a note, and
// a failed row when `strict`.
void RunChecks(std::span<const testfile::Check> checks, TestInputs& inputs, bool strict,
               testfile::Rows& out);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_TEST_CHECKS_H_
