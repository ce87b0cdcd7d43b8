#ifndef PORTCULLIS_TESTFILE_CASE_SELECTOR_H_
#define PORTCULLIS_TESTFILE_CASE_SELECTOR_H_

// `--test-case-selector policy=*,rule=*,resource=*`: which expected results count
// (spec/cli-and-server.md 2.13). Unlike Kyverno's, a wildcard for resources selects the resources
// that match it. Value type, thread-safe to read.

#include <string>
#include <string_view>
#include <vector>

#include "testfile/test_file.h"

namespace portcullis::testfile {

class CaseSelector {
 public:
  // Parts that cannot be read become messages and do not filter.
  static CaseSelector Parse(std::string_view text, std::vector<std::string>& messages);

  // Whether the expectation counts. Its `resources` are reduced to those that match.
  bool Select(Expectation& expectation) const;
  bool selects_all() const { return policy_ == "*" && rule_ == "*" && resource_ == "*"; }

 private:
  std::string policy_ = "*";
  std::string rule_ = "*";
  std::string resource_ = "*";
};

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_CASE_SELECTOR_H_
