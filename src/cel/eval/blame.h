#ifndef PORTCULLIS_CEL_EVAL_BLAME_H_
#define PORTCULLIS_CEL_EVAL_BLAME_H_

// Which member of which variable made an expression come out false (or fail)? Walks the plan from
// the result down: the failing term of `&&`, the failing element of `all`, the operand of a
// comparison that comes from a variable. Evaluates parts again, so call it for failures only.
// An answer is a help for people, never part of a verdict.

#include <string>

#include "base/arena.h"
#include "cel/eval/program.h"
#include "doc/path.h"
#include "doc/value.h"

namespace portcullis::cel {

struct Blame {
  std::string variable;   // "object", "oldObject", "request", "params", ...; empty: unknown
  doc::Path path;         // inside the variable
  bool present = false;   // does the path lead to a value?
  doc::Value value;       // the value there, if present
  ExprId expr = kNoExpr;  // the part of the expression that decided
};

Blame FindBlame(const Program& program, Activation& activation, base::Arena& arena,
                const EvalOptions& options = {});

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_BLAME_H_
