#ifndef PORTCULLIS_TESTFILE_COMPARE_H_
#define PORTCULLIS_TESTFILE_COMPARE_H_

// Whether an object is the expected one, by the rules of the test command (spec/cli-and-server.md
// 2.11.1): labels of generation do not count, nulls, empty maps and empty lists are as absent,
// numbers compare by value. Pure functions, thread-safe.

#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::testfile {

// The object without what does not count. Lives in `arena` and in the object.
doc::Value Tidied(const doc::Value& object, base::Arena& arena);

// Every member that differs, as "path: expected A, got B"; empty when the objects are the same. At
// most a handful of lines, then how many more there are.
std::vector<std::string> Differences(const doc::Value& expected, const doc::Value& actual,
                                     base::Arena& arena);

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_COMPARE_H_
