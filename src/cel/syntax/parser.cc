#include "cel/syntax/parser.h"

#include <string>
#include <utility>

#include "base/utf8.h"
#include "cel/syntax/builder.h"
#include "cel/syntax/fast_parser.h"
#include "cel/syntax/recovering_parser.h"

namespace portcullis::cel {

namespace {

constexpr std::size_t kMaxCodePoints = 100'000;

}  // namespace

bool Parse(std::string_view source, const ParserOptions& options, Ast& ast, Issues& issues) {
  ast = Ast();
  if (base::IsAscii(source)) {
    ast.source = source;
  } else {
    ast.source = base::ToValidUtf8(source);
  }
  if (ast.source.size() > kMaxCodePoints) {
    const std::size_t size = base::CountCodePoints(ast.source);
    if (size > kMaxCodePoints) {
      issues.Add(Issue::kNoPosition, "expression code point size exceeds limit: size: " +
                                         std::to_string(size) + ", limit 100000");
      return false;
    }
  }
  // Names and constants are views of this copy: Ast::source moves with the tree.
  const std::string_view text = ast.arena().CopyString(ast.source);
  Issues found;
  AstBuilder builder(ast, options, found);
  ast.root = FastParser(text, builder).Parse();
  if (ast.root == kNoExpr || !found.empty()) {
    std::string kept = std::move(ast.source);
    ast = Ast();
    ast.source = std::move(kept);
    const std::string_view again = ast.arena().CopyString(ast.source);
    found = Issues();
    ast.root = RecoveringParse(again, builder, found);
  }
  if (found.empty() && ast.size() > AstBuilder::kMaxNodes) {
    found.Add(Issue::kNoPosition, "expression is too large after macro expansion");
  }
  for (const Issue& issue : found.list()) issues.Add(issue.position, issue.message);
  return found.empty();
}

}  // namespace portcullis::cel
