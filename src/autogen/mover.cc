#include "autogen/mover.h"

#include "autogen/walker.h"
#include "cel/syntax/parser.h"

namespace portcullis::autogen {

namespace {

// All syntax that some environment has: what an environment lacks, compiling the policy reports.
cel::ParserOptions AllSyntax() {
  cel::ParserOptions options;
  options.two_variable_macros = true;
  options.sort_by_macro = true;
  options.bind_macro = true;
  options.math_macros = true;
  return options;
}

// Can it be followed by `.field` as it stands?
bool IsPlainOperand(const cel::Expr& node) {
  switch (node.kind) {
    case cel::ExprKind::kIdent:
      return true;
    case cel::ExprKind::kSelect:
      return !node.test_only;
    case cel::ExprKind::kCall:
      return node.name == "_?._" || node.name == "_[_]" || node.name == "_[?_]" ||
             node.name.front() != '_';
    default:
      return false;
  }
}

}  // namespace

Moved Mover::Define(std::string_view name, std::string_view text) {
  Alias found;
  const auto known = aliases_.find(name);
  if (known != aliases_.end()) found = known->second;
  found.name = name;
  Moved moved = Rewrite(text, &found);
  if (found.kind != Shape::Kind::kOther) {
    aliases_[found.name] = std::move(found);
  } else if (known != aliases_.end()) {
    aliases_.erase(known);
  }
  return moved;
}

Moved Mover::Rewrite(std::string_view text, Alias* alias) {
  Moved moved;
  moved.text = text;
  if (alias != nullptr) alias->kind = Shape::Kind::kOther;
  if (group_ == Group::kExtract) {
    moved.reason = "it is evaluated on each Pod template";
    return moved;
  }
  cel::Ast ast;
  cel::Issues issues;
  if (!cel::Parse(text, AllSyntax(), ast, issues)) {
    moved.reason = "it is no CEL expression";
    return moved;
  }
  Walker walker(ast, group_, patches_, aliases_);
  const Shape root = walker.Walk();
  if (alias != nullptr && (root.is_pod() || root.is_part())) {
    const cel::Expr& node = ast.node(ast.root);
    alias->kind = root.kind;
    alias->list = root.list;
    alias->optional = root.optional;
    alias->plain = IsPlainOperand(node);
    alias->kept_text = walker.Render(root, true, true);
    alias->moved_text = walker.Render(root, false, true);
    walker.CastVotes(root);
    moved.text = walker.Render(root, alias->defined_kept, false);
  } else {
    walker.CastVotes({});
    moved.text = walker.Render(root, false, false);
  }
  moved.patch_paths_open = walker.patch_paths_open();
  moved.refused = !walker.refusal().empty();
  moved.reason = moved.refused ? walker.refusal() : walker.Reason();
  if (moved.refused) moved.text = text;
  return moved;
}

void Mover::Settle() {
  for (auto& [name, alias] : aliases_) {
    // Mixed uses: metadata stays what its author wrote, spec moves.
    if (alias.use_kept && alias.use_moved) {
      alias.defined_kept = alias.kind == Shape::Kind::kMetadata;
    } else {
      alias.defined_kept = alias.use_kept;
    }
  }
}

base::Result<std::string> RewriteExpression(std::string_view text, Group group) {
  Mover mover(group, /*patches=*/false);
  Moved moved = mover.Move(text);
  if (moved.refused) return base::Error(base::ErrorCode::kUnsupported, std::move(moved.reason));
  return std::move(moved.text);
}

}  // namespace portcullis::autogen
