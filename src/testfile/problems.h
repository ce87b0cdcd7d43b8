#ifndef PORTCULLIS_TESTFILE_PROBLEMS_H_
#define PORTCULLIS_TESTFILE_PROBLEMS_H_

// What is wrong with a file of the test command. Paths are relative to the document; whoever read
// the file adds where that is. Value type.

#include <string>
#include <utility>

#include "base/error.h"

namespace portcullis::testfile {

struct Problems {
  base::ErrorList errors;    // the document cannot be used as it is
  base::ErrorList warnings;  // deprecated spellings and the like

  void Error(base::ErrorCode code, std::string message, std::string path, std::string hint = {}) {
    errors.emplace_back(code, std::move(message), std::move(path));
    errors.back().hint = std::move(hint);
  }
  void Warning(std::string message, std::string path, std::string hint = {}) {
    warnings.emplace_back(base::ErrorCode::kInvalid, std::move(message), std::move(path));
    warnings.back().hint = std::move(hint);
  }
};

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_PROBLEMS_H_
