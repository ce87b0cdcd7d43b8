#ifndef PORTCULLIS_CLI_MUTATED_OUTPUT_H_
#define PORTCULLIS_CLI_MUTATED_OUTPUT_H_

// `-o PATH`: mutated and generated objects written to one file (a name that ends in .yaml or .yml),
// or to one file per object in a folder, as Kyverno's command line does. Also what changed, as
// lines for people.

#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "doc/value.h"
#include "report/results.h"

namespace portcullis::cli {

class MutatedOutput {
 public:
  // Empty path: writes nothing.
  explicit MutatedOutput(std::string path);
  ~MutatedOutput();
  MutatedOutput(const MutatedOutput&) = delete;
  MutatedOutput& operator=(const MutatedOutput&) = delete;

  // Creates the file or the folder, so that a wrong path shows before the work begins.
  base::Result<void> Open();
  // In a folder the file is `name` + `suffix` ("-mutated.yaml").
  base::Result<void> Add(std::string_view name, std::string_view suffix, const doc::Value& object);

 private:
  std::string path_;
  bool is_file_ = false;
  std::FILE* file_ = nullptr;
  std::size_t count_ = 0;
  std::set<std::string> names_;  // files of this run: they are added to, not replaced
};

// How `after` differs from `before`, in document order; values as JSON.
std::vector<report::Change> Changes(const doc::Value& before, const doc::Value& after);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_MUTATED_OUTPUT_H_
