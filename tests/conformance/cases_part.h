#ifndef PORTCULLIS_TESTS_CONFORMANCE_CASES_PART_H_
#define PORTCULLIS_TESTS_CONFORMANCE_CASES_PART_H_

// The parts of the `cases` runner: one run of a case (the base run or a variant), what it gave, and
// the comparison with what is expected. Format: the README of the cases.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "process.h"

namespace portcullis::conformance {

// The keys of one run after the variant's have replaced those of the case.
struct CaseRun {
  std::string name;  // "A14/bound"
  std::string dir;
  std::string binary;
  std::map<std::string, doc::Value> keys;
  doc::Value expect;

  std::string Word(const std::string& key, std::string_view fallback = {}) const;
  std::vector<std::string> Files(const std::string& key) const;
  bool Has(const std::string& key) const { return keys.count(key) != 0; }
};

struct Row {
  std::string policy, rule, resource, result, message;
};

// What a run gave, as far as its kind of run has it.
struct Outcome {
  std::string unsupported;  // why the run could not be made; empty: it was
  int exit = 0;
  std::string output;        // standard output and error, warnings
  bool has_results = false;  // the format carries `rows` and what follows
  std::vector<Row> rows;
  std::map<std::string, doc::Value> patched;  // "apiVersion|Kind/ns/name"
  std::vector<std::string> diagnostics;
  std::map<std::string, std::int64_t> summary;
  // test
  bool is_test = false;
  std::int64_t tests_passed = 0;
  std::int64_t tests_failed = 0;
  std::string failed_reasons;  // reasons and messages of failed rows
  // admit
  bool is_admission = false;
  bool denied = false;
  int code = 0;
  std::string reason, message;
  doc::Value patch;  // a list of operations
};

// `run: apply`, in one output format. Values live in `arena`.
Outcome RunApply(const CaseRun& run, const std::string& format, base::Arena& arena);
// `run: test`.
Outcome RunTest(const CaseRun& run, base::Arena& arena);
// `run: admit`.
Outcome RunAdmit(const CaseRun& run, base::Arena& arena);

// The first thing that is not as expected, or nothing.
struct Mismatch {
  std::string expected, actual;
};
std::optional<Mismatch> Compare(const CaseRun& run, const Outcome& outcome, base::Arena& arena);

// Helpers.
// Exit status and output of a command; false, with the reason, when it could not be run.
bool WasRun(const Finished& finished, const CaseRun& run, Outcome& outcome);
double Seconds(const CaseRun& run);  // the time limit
std::string ReadWhole(const std::string& path);
std::string ResourceId(std::string_view kind, std::string_view ns, std::string_view name);
// All objects of the files of `key`, in order; what cannot be read is left out.
std::vector<doc::Value> ReadObjects(const CaseRun& run, const std::string& key, base::Arena& arena);

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_CASES_PART_H_
