#ifndef PORTCULLIS_TESTFILE_MATCH_H_
#define PORTCULLIS_TESTFILE_MATCH_H_

// Expected results against responses (spec/cli-and-server.md 2.11): the rows of a test. What
// Kyverno lets pass without a word is a note here, and a failed row under `strict`.

#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "testfile/responses.h"
#include "testfile/test_file.h"

namespace portcullis::testfile {

struct Row {
  std::string policy, rule, resource;
  std::string expected;
  std::string actual;  // empty: nothing was found
  bool ok = false;
  bool vacuous = false;  // passes although nothing was compared
  std::string reason;
  std::string message;
  std::string path;  // of the expectation: "results[2]"
};

struct Rows {
  std::vector<Row> rows;
  base::ErrorList notes;  // expectations that say less than they seem to, with their path
};

// Gives the objects of a file that an expectation names. Error: the file cannot be read.
class ExpectedObjects {
 public:
  virtual ~ExpectedObjects() = default;
  virtual base::Result<std::vector<doc::Value>> Read(const std::string& file) = 0;
};

struct MatchInput {
  std::span<const Expectation> expectations;
  const Runs& runs;
  std::span<const PolicyFact> policies;
  ExpectedObjects& files;
  base::Arena& arena;
  bool strict = false;
};

Rows MatchExpectations(const MatchInput& input);

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_MATCH_H_
