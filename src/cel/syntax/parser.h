#ifndef PORTCULLIS_CEL_SYNTAX_PARSER_H_
#define PORTCULLIS_CEL_SYNTAX_PARSER_H_

// Text to Ast, with macros expanded (spec/cel.md 2 to 6). Thread-safe: no shared state.

#include <string_view>

#include "cel/syntax/ast.h"
#include "cel/syntax/issues.h"

namespace portcullis::cel {

// Which macros and syntax an environment has.
struct ParserOptions {
  bool standard_macros = true;       // has, all, exists, exists_one, map, filter
  bool optional_syntax = true;       // a.?b, a[?b], {?k: v}
  bool optional_macros = true;       // optMap, optFlatMap
  bool two_variable_macros = false;  // all(i, v, p), transformList, transformMap, ...
  bool sort_by_macro = false;        // lists extension v2
  bool bind_macro = false;           // cel.bind
  bool block_macros = false;         // cel.block, cel.index, cel.iterVar, cel.accuVar (conformance)
  bool math_macros = false;          // math.least, math.greatest
  bool proto_macros = false;         // proto.hasExt, proto.getExt
  bool or_value_compat_macro = false;  // Kyverno: x.orValue(y) -> __orValueCompat__(x, y)
};

// Parses `source` into `ast` (whose `source` it sets). Returns false and fills `issues` when
// anything is wrong; `ast` is then unspecified.
bool Parse(std::string_view source, const ParserOptions& options, Ast& ast, Issues& issues);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_PARSER_H_
