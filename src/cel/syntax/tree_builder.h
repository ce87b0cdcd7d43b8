#ifndef PORTCULLIS_CEL_SYNTAX_TREE_BUILDER_H_
#define PORTCULLIS_CEL_SYNTAX_TREE_BUILDER_H_

// Turns a parse tree, also an incomplete one, into an Ast (spec/cel.md 3 and 4): what is wrong
// beside the syntax is reported even if the syntax is wrong too. Borrows everything; one thread.

#include <string_view>
#include <vector>

#include "cel/syntax/builder.h"
#include "cel/syntax/parse_tree.h"

namespace portcullis::cel {

class TreeBuilder {
 public:
  TreeBuilder(std::string_view source, const ParseTree& tree, AstBuilder& builder)
      : source_(source), tree_(tree), builder_(builder) {}

  ExprId Build(TreeId root);

 private:
  static constexpr int kMaxDepth = 250;
  using Label = grammar::Label;

  const TreeNode& Node(TreeId id) const { return tree_[id]; }
  std::string_view Text(const TreeItem& item) const;
  // The part with this label, kNoTree if there is none.
  static TreeId Part(const TreeNode& node, Label label);
  // Where the token with this label is, the start of the node if there is none.
  static std::uint32_t Position(const TreeNode& node, Label label);
  // Skips nodes that add nothing to the tree.
  TreeId Unnest(TreeId id) const;

  ExprId Visit(TreeId id);
  ExprId VisitNode(const TreeNode& node);
  ExprId VisitConditional(const TreeNode& node);
  ExprId VisitLogic(const TreeNode& node, std::string_view name);
  ExprId VisitBinary(const TreeNode& node);
  ExprId VisitUnary(const TreeNode& node);
  ExprId VisitMember(const TreeNode& node);
  ExprId VisitSelect(const TreeNode& node);
  ExprId VisitMemberCall(const TreeNode& node);
  ExprId VisitIndex(const TreeNode& node);
  ExprId VisitPrimary(const TreeNode& node);
  ExprId VisitGlobalCall(const TreeNode& node);
  ExprId VisitList(const TreeNode& node);
  ExprId VisitMap(const TreeNode& node);
  ExprId VisitStruct(const TreeNode& node);
  ExprId VisitLiteral(const TreeNode& node);
  std::vector<ExprId> VisitArgs(const TreeNode& node);
  std::string_view FieldName(TreeId escape_ident) const;
  ExprId Located(ExprId id, const TreeNode& node);

  std::string_view source_;
  const ParseTree& tree_;
  AstBuilder& builder_;
  int depth_ = 0;
  bool aborted_ = false;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_TREE_BUILDER_H_
