#ifndef PORTCULLIS_CLI_EXPLAIN_TREE_H_
#define PORTCULLIS_CLI_EXPLAIN_TREE_H_

// The tree of one evaluated expression: what was written, and the value that each part had.
// Value types.

#include <string>
#include <vector>

#include "cel/eval/trace.h"
#include "cel/syntax/ast.h"

namespace portcullis::cli {

struct ExplainNode {
  std::string text;   // CEL, on one line
  std::string value;  // JSON, or `error: ...`; empty: not evaluated
  std::vector<ExplainNode> children;
};

// Constants and the steps of `a.b.c` are not nodes of their own; what a macro made is left out.
ExplainNode BuildTree(const cel::Ast& ast, const cel::Trace& trace);

// As indented lines, values behind the texts in a column.
std::string RenderTree(const ExplainNode& root, std::size_t indent);

// The text of a value for people, shortened to `max` bytes.
std::string ValueText(const doc::Value& value, std::size_t max);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_EXPLAIN_TREE_H_
