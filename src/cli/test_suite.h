#ifndef PORTCULLIS_CLI_TEST_SUITE_H_
#define PORTCULLIS_CLI_TEST_SUITE_H_

// One document of kind Test: its inputs loaded, every resource evaluated, its expectations compared
// (spec/cli-and-server.md 2.5 to 2.11, 2.16). What is wrong with an input is a diagnostic of the
// suite; everything else of it still runs. One thread.

#include "cli/args.h"
#include "cli/diagnostics.h"
#include "cli/test_source.h"
#include "report/test_report.h"
#include "testfile/case_selector.h"

namespace portcullis::cli {

// How a test document went, beside its rows.
struct SuiteOutcome {
  bool selected = true;  // false: the filter leaves none of its results
  report::TestSuite report;
};

// Runs one document of `source`. Diagnostics go to `sink`.
SuiteOutcome RunTestDocument(const Args& args, const TestSource& source,
                             const TestSource::Document& document,
                             const testfile::CaseSelector& selector, DiagnosticSink& sink);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_TEST_SUITE_H_
