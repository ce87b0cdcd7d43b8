#include "yaml/locate.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "yaml/encoding.h"
#include "yaml/events.h"
#include "yaml/locate_parts.h"

namespace portcullis::yaml {
namespace {

constexpr std::uint32_t kNoNode = 0xFFFFFFFFU;
// A merge may lead to another merge; a real document never chains this many.
constexpr int kMaxMergeDepth = 64;

struct Child {
  std::string key;  // maps only
  Mark key_at;
  std::uint32_t node = kNoNode;
  bool is_merge = false;
};

struct Node {
  EventKind kind = EventKind::kScalar;  // kScalar, kListStart or kMapStart
  Mark at;
  std::vector<Child> children;
};

}  // namespace

struct Locator::Tree {
  std::string decoded;
  std::string_view text;
  std::uint32_t first_line = 1;
  std::vector<Node> nodes;

  void Build();
  const Child* FindChild(std::uint32_t node, std::string_view key, int depth) const;
  doc::PathLocation Find(doc::PathView path) const;
  doc::TextPosition Position(const Mark& mark) const {
    return {static_cast<std::uint32_t>(mark.line) + first_line,
            static_cast<std::uint32_t>(mark.column + 1)};
  }
};

void Locator::Tree::Build() {
  EventReader events(text);
  Event event;
  std::vector<std::uint32_t> open;
  std::unordered_map<std::string, std::uint32_t> anchors;
  // Of the innermost open map: whether its last child waits for its value.
  const auto add = [&](std::uint32_t node, bool is_alias) {
    if (open.empty()) return;
    Node& parent = nodes[open.back()];
    if (parent.kind == EventKind::kListStart) {
      parent.children.push_back({{}, event.start, node, false});
      return;
    }
    if (!parent.children.empty() && parent.children.back().node == kNoNode) {
      parent.children.back().node = node;
      return;
    }
    const bool is_scalar = event.kind == EventKind::kScalar;
    Child child;
    child.key_at = event.start;
    if (is_scalar && !is_alias) {
      child.key = KeyText(event);
      child.is_merge = IsMergeKey(event);
    }
    parent.children.push_back(std::move(child));
  };
  while (events.Next(&event)) {
    switch (event.kind) {
      case EventKind::kAlias: {
        const auto found = anchors.find(std::string(event.anchor));
        if (found == anchors.end()) return;
        add(found->second, true);
        break;
      }
      case EventKind::kScalar:
      case EventKind::kListStart:
      case EventKind::kMapStart: {
        const auto number = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back({event.kind, event.start, {}});
        if (!event.anchor.empty()) anchors[std::string(event.anchor)] = number;
        add(number, false);
        if (event.kind != EventKind::kScalar) open.push_back(number);
        break;
      }
      case EventKind::kListEnd:
      case EventKind::kMapEnd:
        open.pop_back();
        break;
      case EventKind::kDocumentEnd:
      case EventKind::kStreamEnd:
        return;
      case EventKind::kDocumentStart:
        break;
    }
  }
}

// The last key wins, as when the document is read; what is merged later overrides.
const Child* Locator::Tree::FindChild(std::uint32_t node, std::string_view key, int depth) const {
  if (node == kNoNode || nodes[node].kind != EventKind::kMapStart || depth > kMaxMergeDepth) {
    return nullptr;
  }
  const std::vector<Child>& children = nodes[node].children;
  for (std::size_t i = children.size(); i-- > 0;) {
    const Child& child = children[i];
    if (!child.is_merge) {
      if (child.key == key) return &child;
      continue;
    }
    if (child.node == kNoNode) continue;
    if (const Child* merged = FindChild(child.node, key, depth + 1)) return merged;
    if (nodes[child.node].kind != EventKind::kListStart) continue;
    for (const Child& item : nodes[child.node].children) {
      if (const Child* merged = FindChild(item.node, key, depth + 1)) return merged;
    }
  }
  return nullptr;
}

doc::PathLocation Locator::Tree::Find(doc::PathView path) const {
  doc::PathLocation out;
  if (nodes.empty()) {
    out.key = out.value = {first_line, 1};
    return out;
  }
  std::uint32_t node = 0;
  Mark key_at = nodes[0].at;
  Mark value_at = key_at;
  for (const doc::PathStep& step : path) {
    const Child* child = nullptr;
    if (!step.is_index()) {
      child = FindChild(node, step.key, 0);
    } else if (nodes[node].kind == EventKind::kListStart &&
               static_cast<std::uint64_t>(step.index) < nodes[node].children.size()) {
      child = &nodes[node].children[static_cast<std::size_t>(step.index)];
    }
    if (child == nullptr || child->node == kNoNode) break;
    node = child->node;
    key_at = child->key_at;
    value_at = nodes[node].at;
    ++out.matched;
  }
  out.exact = out.matched == path.size();
  out.key = Position(key_at);
  out.value = Position(value_at);
  return out;
}

Locator::Locator(std::string_view text, std::uint32_t first_line)
    : tree_(std::make_unique<Tree>()) {
  tree_->text = ToUtf8(text, &tree_->decoded);
  tree_->first_line = first_line;
  tree_->Build();
}

Locator::~Locator() = default;
Locator::Locator(Locator&&) noexcept = default;
Locator& Locator::operator=(Locator&&) noexcept = default;

doc::PathLocation Locator::Find(doc::PathView path) const {
  const doc::PathLocation as_yaml = tree_->Find(path);
  if (as_yaml.exact) return as_yaml;
  return PreferJson(tree_->text, path, tree_->first_line, as_yaml);
}

}  // namespace portcullis::yaml
