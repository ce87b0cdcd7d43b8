#ifndef PORTCULLIS_ASSERT_ASSERTION_TREE_H_
#define PORTCULLIS_ASSERT_ASSERTION_TREE_H_

// Assertion trees as `checks` of test files use them (spec/cli-and-server.md 2.12): a tree of the
// shape that is expected. A map asserts about the members it names, a list about as many items, a
// scalar is equal; a key or a string in parentheses is an expression on the value at its place, and
// `~.key` asserts about every item of a list. Pure functions, thread-safe; nesting is bounded.

#include <string>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"

namespace portcullis::assertion {

// One member that is not as asserted.
struct Violation {
  std::string path;     // of the subject: "metadata.name"
  std::string message;  // "expected \"a\", got \"b\""
};

struct Outcome {
  std::vector<Violation> violations;
  base::ErrorList
      errors;  // parts of the tree that cannot be evaluated, with their path in the tree

  bool holds() const { return violations.empty() && errors.empty(); }
};

// Whether `subject` is as `tree` asserts. A null tree asserts nothing.
Outcome Evaluate(const doc::Value& tree, const doc::Value& subject, base::Arena& arena);

}  // namespace portcullis::assertion

#endif  // PORTCULLIS_ASSERT_ASSERTION_TREE_H_
