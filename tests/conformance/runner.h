#ifndef PORTCULLIS_TESTS_CONFORMANCE_RUNNER_H_
#define PORTCULLIS_TESTS_CONFORMANCE_RUNNER_H_

// The conformance runner: one kind of data on any folder that has its format (`./dev conformance
// KIND DIR`). A kind is a function that reads the folder and reports every case.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "differences.h"

namespace portcullis::conformance {

struct Options {
  std::string dir;                    // the folder (or one file) to run
  std::vector<std::string> families;  // empty: all
  std::string filter;                 // only cases whose name contains this; empty: all
  std::string suites;                 // where the inputs of records lie; empty: beside them
  bool show_messages = false;         // list the messages that differ
  std::string binary;                 // the portcullis executable, for kinds that run commands
};

// Collects outcomes, prints each failing case with expected and actual, and the closing line.
class Reporter {
 public:
  void Pass(std::string_view name);
  void Fail(std::string_view name, std::string_view expected, std::string_view actual);
  // A line before the closing one, such as "652 needsProto".
  void Note(std::string line);
  // Failures that tests/differences.yaml explains count as passed.
  Differences& differences() { return differences_; }
  // Prints notes, `K by difference` and `N passed, N failed`; the exit status.
  int Finish(const Options& options);

  std::size_t passed() const { return passed_; }
  std::size_t failed() const { return failed_; }

 private:
  std::size_t passed_ = 0;
  std::size_t failed_ = 0;
  std::size_t by_difference_ = 0;
  Differences differences_;
  std::vector<std::string> notes_;
};

// The kind that this executable runs; each run_<kind>.cc defines it. False when the folder cannot
// be read or is not of this format (the reason is printed).
bool Run(const Options& options, Reporter& reporter);

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_RUNNER_H_
