#ifndef PORTCULLIS_CEL_SYNTAX_DUMP_H_
#define PORTCULLIS_CEL_SYNTAX_DUMP_H_

// An Ast as an S-expression, for tests and for looking at macro expansions: `(_+_ a 1)`,
// `(. x field)`, `(has x field)`, `(-> target method arg)`, `[a ?b]`, `{k: v}`, `T{f: v}`,
// `(fold var var2 accu range init condition step result)`. Stateless.

#include <string>

#include "cel/syntax/ast.h"

namespace portcullis::cel {

// `with_positions` appends `@N`, the code point offset, to every node.
std::string Dump(const Ast& ast, ExprId id, bool with_positions = false);

// A constant as CEL source: strings quoted, uint with `u`, doubles with a fraction or exponent.
std::string ConstantToSource(const doc::Value& value);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_DUMP_H_
