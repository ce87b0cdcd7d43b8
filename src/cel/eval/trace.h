#ifndef PORTCULLIS_CEL_EVAL_TRACE_H_
#define PORTCULLIS_CEL_EVAL_TRACE_H_

// Records the value of every evaluated node, for `explain`. In loops the last values win, except
// that a node keeps the first error or the first false that it gave.

#include <cstdint>
#include <vector>

#include "cel/syntax/ast.h"
#include "doc/value.h"

namespace portcullis::cel {

class Trace {
 public:
  struct Entry {
    doc::Value value;
    std::uint32_t evaluations = 0;
  };

  void Record(ExprId expr, const doc::Value& value) {
    if (expr >= entries_.size()) entries_.resize(expr + std::size_t{1});
    Entry& entry = entries_[expr];
    const bool decisive =
        entry.evaluations != 0 &&
        (entry.value.is_error() || (entry.value.is_bool() && !entry.value.as_bool()));
    if (!decisive) entry.value = value;
    ++entry.evaluations;
  }
  // Null when the node was never evaluated (short-circuited, or part of another node).
  const Entry* Find(ExprId expr) const {
    return expr < entries_.size() && entries_[expr].evaluations != 0 ? &entries_[expr] : nullptr;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_TRACE_H_
