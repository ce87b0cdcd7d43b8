#ifndef PORTCULLIS_CLI_DIAGNOSTICS_H_
#define PORTCULLIS_CLI_DIAGNOSTICS_H_

// Where every problem of a run goes: standard error for people, the `diagnostics` of machine
// formats, and the counts that decide the exit status. One thread.

#include <cstddef>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "base/error.h"
#include "input/diagnostic.h"
#include "report/results.h"

namespace portcullis::cli {

class DiagnosticSink {
 public:
  // `writer` and `stream` may be null.
  DiagnosticSink(report::Writer* writer, bool color, std::FILE* stream = stderr)
      : writer_(writer), stream_(stream), color_(color) {}

  void Error(const base::Error& error) { Add(error, report::Severity::kError); }
  void Warning(const base::Error& error) { Add(error, report::Severity::kWarning); }
  // A warning that says nothing about the run: it does not count. People see the same text for the
  // first resources only; Finish tells how many more there were.
  void Advice(const base::Error& error);
  void Finish();
  // The same problem at the same place is shown once.
  void Add(const base::Error& error, report::Severity severity);
  // What was added to `list` since the last call; `*seen` is where to go on.
  void Take(const input::Diagnostics& list, std::size_t* seen);

  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }

 private:
  bool IsNew(const base::Error& error);
  void Show(const report::Diagnostic& diagnostic);

  report::Writer* writer_;
  std::FILE* stream_;
  bool color_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::set<std::size_t> shown_;                // hashes
  std::map<std::string, std::size_t> advice_;  // how often each text was told
  std::size_t untold_ = 0;
};

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_DIAGNOSTICS_H_
