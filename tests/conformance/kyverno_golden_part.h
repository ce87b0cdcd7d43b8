#ifndef PORTCULLIS_TESTS_CONFORMANCE_KYVERNO_GOLDEN_PART_H_
#define PORTCULLIS_TESTS_CONFORMANCE_KYVERNO_GOLDEN_PART_H_

// The parts of the `kyverno-golden` runner: running the command and comparing what it gave with
// what Kyverno's command gave. Format: the README of the data.

#include <cstddef>
#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "process.h"

namespace portcullis::conformance {

// Counted apart from the cases.
struct MessageCount {
  std::size_t equal = 0;
  std::size_t total = 0;
  std::vector<std::string> different;  // "key: expected | actual"
};

// What is not as recorded, part by part.
struct PartMismatches {
  std::string expected, actual;

  bool empty() const { return expected.empty() && actual.empty(); }
  void Add(const std::string& wanted, const std::string& got) {
    expected += (expected.empty() ? "" : "\n            ") + wanted;
    actual += (actual.empty() ? "" : "\n            ") + got;
  }
};

// `test.rows` and its exit status; `ours` is the document of `test -o json`.
void CompareTest(const doc::Value& recorded, const doc::Value& ours, const Finished& run,
                 PartMismatches& out);

// Results, messages, objects and exit status of `apply`; `inputs` are the objects under test.
void CompareApply(const doc::Value& recorded, const doc::Value& ours, const Finished& run,
                  const std::vector<doc::Value>& inputs, base::Arena& arena, MessageCount& messages,
                  PartMismatches& out);

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_KYVERNO_GOLDEN_PART_H_
