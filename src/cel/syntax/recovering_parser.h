#ifndef PORTCULLIS_CEL_SYNTAX_RECOVERING_PARSER_H_
#define PORTCULLIS_CEL_SYNTAX_RECOVERING_PARSER_H_

// Parses any text, reporting every syntax error that cel-go reports and going on behind it
// (spec/cel.md 4 and 5). Slow: for text that the fast parser gave up on. Stateless.

#include <string_view>

#include "cel/syntax/builder.h"
#include "cel/syntax/issues.h"

namespace portcullis::cel {

// `issues` are those of `builder`; `source` must live as long as its tree. Returns the root, which
// is meaningful only if no issue was added.
ExprId RecoveringParse(std::string_view source, AstBuilder& builder, Issues& issues);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_RECOVERING_PARSER_H_
