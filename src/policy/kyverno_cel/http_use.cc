#include "policy/kyverno_cel/http_use.h"

#include "cel/syntax/ast.h"
#include "cel/syntax/issues.h"
#include "cel/syntax/parser.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kHttp = "http";

bool NamesHttp(std::string_view source) {
  if (source.find(kHttp) == std::string_view::npos) return false;
  cel::Ast ast;
  cel::Issues issues;
  cel::ParserOptions options;
  options.bind_macro = true;
  options.two_variable_macros = true;
  if (!cel::Parse(source, options, ast, issues)) return false;
  for (cel::ExprId id = 1; id < ast.size(); ++id) {
    const cel::Expr& node = ast.node(id);
    if (node.kind == cel::ExprKind::kIdent && node.name == kHttp) return true;
  }
  return false;
}

bool Search(const doc::Value& value, std::string_view name, int depth) {
  constexpr int kMaxDepth = 32;
  if (depth > kMaxDepth) return false;
  if (value.is_string()) {
    return (name.ends_with("xpression") && NamesHttp(value.as_string()));
  }
  if (value.is_list()) {
    for (const doc::Value& item : value.as_list()) {
      if (Search(item, name, depth + 1)) return true;
    }
  } else if (value.is_map()) {
    for (const doc::MapEntry& entry : value.as_map()) {
      const std::string_view key = entry.key.is_string() ? entry.key.as_string() : "";
      if (Search(entry.value, key, depth + 1)) return true;
    }
  }
  return false;
}

}  // namespace

bool UsesHttp(const doc::Value& spec) { return Search(spec, "", 0); }

}  // namespace portcullis::policy::kyverno_cel
