#ifndef PORTCULLIS_CEL_SYNTAX_PARSE_TREE_H_
#define PORTCULLIS_CEL_SYNTAX_PARSE_TREE_H_

// What the recovering parser saw: one node per rule that it entered, possibly incomplete. Plain
// data, built by one thread.

#include <cstdint>
#include <deque>
#include <vector>

#include "cel/syntax/grammar.h"

namespace portcullis::cel {

using TreeId = std::uint32_t;
inline constexpr TreeId kNoTree = 0xFFFFFFFFU;

struct TreeItem {
  grammar::Label label = grammar::Label::kNone;
  Token token;  // if tree == kNoTree
  TreeId tree = kNoTree;
  bool missing = false;  // a token that the text lacks
};

struct TreeNode {
  grammar::Rule rule = grammar::Rule::kStart;
  int alternative = 0;     // of the rule or of the left-recursive loop; 0 = not decided
  bool recursive = false;  // made by a left-recursive loop: the first item is the left operand
  Token start;
  std::uint32_t end = 0;  // byte behind the last token
  std::vector<TreeItem> items;

  const TreeItem* Find(grammar::Label label) const {
    for (const TreeItem& item : items) {
      if (item.label == label) return &item;
    }
    return nullptr;
  }
};

using ParseTree = std::deque<TreeNode>;

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_PARSE_TREE_H_
