#include "assert/assertion_tree.h"

#include <string_view>

#include "assert/path_expression.h"
#include "doc/equal.h"
#include "doc/path.h"
#include "json/writer.h"

namespace portcullis::assertion {
namespace {

using doc::Value;

constexpr int kMaxDepth = 200;

// What a key of the tree asks for.
struct Key {
  std::string_view text;    // the name, or the expression without its parentheses
  bool expression = false;  // in parentheses
  bool each = false;        // ~: the assertion is about every item
  bool binds = false;       // -> name: only expressions could use it
};

bool StripParentheses(std::string_view& text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
  text = text.substr(1, text.size() - 2);
  return true;
}

Key ParseKey(std::string_view text) {
  Key out;
  // \name\ is a name that only looks like an expression.
  if (text.size() >= 2 && text.front() == '\\' && text.back() == '\\') {
    out.text = text.substr(1, text.size() - 2);
    return out;
  }
  if (text.starts_with('~')) {
    out.each = true;
    text.remove_prefix(1);
    const std::size_t dot = text.find_first_of(".(");
    if (dot != std::string_view::npos && text[dot] == '.') {
      out.binds = dot != 0;
      text.remove_prefix(dot + 1);
    }
  }
  const std::size_t arrow = text.rfind("->");
  if (arrow != std::string_view::npos && arrow != 0 && text[arrow - 1] == ')') {
    out.binds = true;
    text = text.substr(0, arrow);
  }
  out.expression = StripParentheses(text);
  out.text = text;
  return out;
}

std::string Shown(const Value& value) {
  constexpr std::size_t kMax = 200;
  std::string text = json::ToString(value, {.sort_keys = true});
  if (text.size() > kMax) text = text.substr(0, kMax) + "...";
  return text;
}

class Evaluator {
 public:
  Evaluator(base::Arena& arena, Outcome& outcome) : arena_(arena), outcome_(outcome) {}

  void Check(const Value& tree, const Value& subject, const std::string& tree_path,
             const std::string& path, int depth) {
    if (depth > kMaxDepth) {
      Fail(tree_path, base::Error(base::ErrorCode::kResourceLimit, "the assertion nests too deep"));
    } else if (tree.is_map()) {
      CheckMap(tree, subject, tree_path, path, depth);
    } else if (tree.is_list()) {
      CheckList(tree, subject, tree_path, path, depth);
    } else {
      CheckScalar(tree, subject, tree_path, path);
    }
  }

 private:
  void Fail(const std::string& tree_path, base::Error error) {
    error.path = tree_path;
    outcome_.errors.push_back(std::move(error));
  }

  void Violate(const std::string& path, std::string message) {
    outcome_.violations.push_back({path, std::move(message)});
  }

  static std::string Child(std::string path, const doc::PathStep& step) {
    doc::AppendStep(&path, step);
    return path;
  }

  void CheckMap(const Value& tree, const Value& subject, const std::string& tree_path,
                const std::string& path, int depth) {
    for (const doc::MapEntry& entry : tree.as_map()) {
      const std::string_view name = entry.key.as_string();
      const Key key = ParseKey(name);
      const std::string below_tree = Child(tree_path, doc::PathStep(std::string(name)));
      const std::string below = Child(path, doc::PathStep(std::string(key.text)));
      if (key.binds) {
        Fail(below_tree,
             base::Error(base::ErrorCode::kUnsupported,
                         "the key " + std::string(name) + " binds a name, which needs JMESPath"));
        continue;
      }
      Value value;
      if (key.expression) {
        auto evaluated = EvaluateSimple(key.text, subject, arena_);
        if (!evaluated.ok()) {
          Fail(below_tree, evaluated.TakeError());
          continue;
        }
        value = *evaluated;
      } else {
        const Value* member = subject.Find(key.text);
        if (member == nullptr) {
          Violate(below, "is not set, expected " + Shown(entry.value));
          continue;
        }
        value = *member;
      }
      if (key.each) {
        CheckEach(entry.value, value, below_tree, below, depth + 1);
      } else {
        Check(entry.value, value, below_tree, below, depth + 1);
      }
    }
  }

  void CheckEach(const Value& tree, const Value& subject, const std::string& tree_path,
                 const std::string& path, int depth) {
    if (subject.is_list()) {
      const auto items = subject.as_list();
      for (std::size_t i = 0; i < items.size(); ++i) {
        Check(tree, items[i], tree_path, Child(path, doc::PathStep(static_cast<std::int64_t>(i))),
              depth);
      }
    } else if (subject.is_map()) {
      for (const doc::MapEntry& entry : subject.as_map()) {
        Check(tree, entry.value, tree_path,
              Child(path, doc::PathStep(std::string(entry.key.as_string()))), depth);
      }
    } else {
      Violate(path, "is " + Shown(subject) + ", expected a list or an object");
    }
  }

  void CheckList(const Value& tree, const Value& subject, const std::string& tree_path,
                 const std::string& path, int depth) {
    if (!subject.is_list()) {
      Violate(path, "expected a list, got " + Shown(subject));
      return;
    }
    const auto wanted = tree.as_list();
    const auto items = subject.as_list();
    if (wanted.size() != items.size()) {
      Violate(path, "expected " + std::to_string(wanted.size()) + " items, got " +
                        std::to_string(items.size()));
      return;
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      const doc::PathStep step(static_cast<std::int64_t>(i));
      Check(wanted[i], items[i], Child(tree_path, step), Child(path, step), depth + 1);
    }
  }

  void CheckScalar(const Value& tree, const Value& subject, const std::string& tree_path,
                   const std::string& path) {
    Value wanted = tree;
    if (tree.is_string()) {
      std::string_view text = tree.as_string();
      if (StripParentheses(text)) {
        auto evaluated = EvaluateSimple(text, subject, arena_);
        if (!evaluated.ok()) {
          Fail(tree_path, evaluated.TakeError());
          return;
        }
        wanted = *evaluated;
      }
    }
    if (doc::DataEqual(wanted, subject)) return;
    Violate(path, "expected " + Shown(wanted) + ", got " + Shown(subject));
  }

  base::Arena& arena_;
  Outcome& outcome_;
};

}  // namespace

Outcome Evaluate(const Value& tree, const Value& subject, base::Arena& arena) {
  Outcome out;
  if (!tree.is_null()) Evaluator(arena, out).Check(tree, subject, "", "", 0);
  return out;
}

}  // namespace portcullis::assertion
