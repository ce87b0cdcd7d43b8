#ifndef PORTCULLIS_CEL_SYNTAX_UNPARSE_H_
#define PORTCULLIS_CEL_SYNTAX_UNPARSE_H_

// CEL text of a sub-expression, for explanations. What the source spells out is a slice of the
// source, macros included as they were written; nodes that a macro made are rendered from the tree
// and need not be valid CEL (`@result`). Stateless.

#include <string>

#include "cel/syntax/ast.h"

namespace portcullis::cel {

std::string Unparse(const Ast& ast, ExprId id);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_UNPARSE_H_
