// Any bytes through the CEL parser with every macro on; a tree that parses must also print.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cel/syntax/dump.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/unparse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using portcullis::cel::ParserOptions;
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  ParserOptions options;
  options.two_variable_macros = options.sort_by_macro = options.bind_macro = true;
  options.math_macros = options.proto_macros = options.block_macros = true;
  portcullis::cel::Ast ast;
  portcullis::cel::Issues issues;
  if (portcullis::cel::Parse(source, options, ast, issues)) {
    static_cast<void>(portcullis::cel::Dump(ast, ast.root, true));
    static_cast<void>(portcullis::cel::Unparse(ast, ast.root));
  } else {
    static_cast<void>(issues.Render(source));
  }
  return 0;
}
