#include "policy/admission/explain.h"

#include <optional>

#include "cel/eval/blame.h"
#include "doc/path.h"
#include "json/writer.h"
#include "policy/admission/evaluator.h"
#include "policy/observer.h"

namespace portcullis::policy {
namespace {

using doc::Value;

constexpr std::size_t kMaxShownValue = 200;

// The variable of this name that counts: of several the last.
const NamedExpression* FindVariable(const PolicyCore& policy, std::string_view name) {
  for (std::size_t i = policy.variables.size(); i > 0; --i) {
    if (policy.variables[i - 1].name == name) return &policy.variables[i - 1];
  }
  return nullptr;
}

bool SameStorage(const Value& a, const Value& b) {
  if (a.tag() != b.tag() || a.size() != b.size() || a.size() == 0) return false;
  if (a.is_map()) return a.map_rep() == b.map_rep();
  if (a.is_list()) return a.as_list().data() == b.as_list().data();
  return a.is_string() && a.as_string().data() == b.as_string().data();
}

// Where in `root` the very value `wanted` is kept.
bool FindStorage(const Value& root, const Value& wanted, doc::Path& path) {
  constexpr std::size_t kMaxDepth = 64;
  if (SameStorage(root, wanted)) return true;
  if (path.size() >= kMaxDepth) return false;
  if (root.is_map()) {
    for (const doc::MapEntry& entry : root.as_map()) {
      path.emplace_back(std::string(entry.key.as_string()));
      if (FindStorage(entry.value, wanted, path)) return true;
      path.pop_back();
    }
  } else if (root.is_list()) {
    for (std::size_t i = 0; i < root.size(); ++i) {
      path.emplace_back(static_cast<std::int64_t>(i));
      if (FindStorage(root.as_list()[i], wanted, path)) return true;
      path.pop_back();
    }
  }
  return false;
}

std::string Shown(const Value& value) {
  std::string text = json::ToString(value);
  if (text.size() <= kMaxShownValue) return text;
  std::size_t cut = kMaxShownValue;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return text.substr(0, cut) + "...";
}

class Finder {
 public:
  Finder(const PolicyCore& policy, const MatchedView& view, RequestContext& context,
         Evaluator& evaluator)
      : policy_(policy),
        context_(context),
        evaluator_(evaluator),
        root_(view.object.is_null() ? view.old_object : view.object),
        root_name_(view.object.is_null() ? "oldObject" : "object") {}

  std::optional<doc::Path> Find(const cel::Program& program, int depth = 0) {
    constexpr int kMaxVariables = 8;
    cel::EvalOptions options;
    options.host = &context_;
    options.interrupt = context_.interrupt;
    const cel::Blame blame = cel::FindBlame(program, evaluator_, context_.arena, options);
    if (blame.variable == root_name_) return blame.path;
    if (blame.variable != "variables" || blame.path.empty() || depth > kMaxVariables) return {};
    const NamedExpression* variable = FindVariable(policy_, blame.path.front().key);
    if (variable == nullptr || variable->expression.program == nullptr) return {};
    Value value;
    doc::Path path;
    if (evaluator_.Variable(variable->name, value) && FindStorage(root_, value, path)) {
      path.insert(path.end(), blame.path.begin() + 1, blame.path.end());
      return path;
    }
    // A computed list may hold parts of the object as they are.
    if (const Value* part = doc::Lookup(value, doc::PathView(blame.path).subspan(1));
        part != nullptr && FindStorage(root_, *part, path)) {
      return path;
    }
    return Find(*variable->expression.program, depth + 1);
  }

  const Value& root() const { return root_; }

 private:
  const PolicyCore& policy_;
  RequestContext& context_;
  Evaluator& evaluator_;
  Value root_;
  std::string_view root_name_;
};

}  // namespace

BlamedMember FindBlamedMember(const PolicyCore& policy, const Invocation& invocation,
                              const MatchedView& view, RequestContext& context,
                              const Expression& expression) {
  if (expression.program == nullptr) return {};
  Evaluator evaluator(policy, invocation, view, context, {}, kEvaluationBudget);
  Finder finder(policy, view, context, evaluator);
  const std::optional<doc::Path> path = finder.Find(*expression.program);
  if (!path) return {};
  BlamedMember out;
  out.path = doc::RenderPath(*path);
  if (const Value* value = doc::Lookup(finder.root(), *path); value != nullptr && !path->empty()) {
    out.value = Shown(*value);
  }
  return out;
}

void ShowExpression(const PolicyCore& policy, const Invocation& invocation, const MatchedView& view,
                    RequestContext& context, std::string path, const Expression& expression,
                    std::string_view name) {
  if (context.observer == nullptr) return;
  Evaluator evaluator(policy, invocation, view, context, {}, kEvaluationBudget);
  ObservedExpression shown;
  shown.policy = &policy.info;
  if (invocation.binding != nullptr) shown.binding = invocation.binding->name;
  shown.path = std::move(path);
  shown.name = name;
  shown.source = expression.source;
  shown.program = expression.program.get();
  context.observer->Observe(shown, evaluator, context);
}

void ShowCommonExpressions(const PolicyCore& policy, const Invocation& invocation,
                           const MatchedView& view, RequestContext& context) {
  for (std::size_t i = 0; i < policy.match_conditions.size(); ++i) {
    const NamedExpression& condition = policy.match_conditions[i];
    ShowExpression(policy, invocation, view, context,
                   Child(Index("spec.matchConditions", i), "expression"), condition.expression,
                   condition.name);
  }
  for (std::size_t i = 0; i < policy.variables.size(); ++i) {
    const NamedExpression& variable = policy.variables[i];
    ShowExpression(policy, invocation, view, context,
                   Child(Index("spec.variables", i), "expression"), variable.expression,
                   variable.name);
  }
}

}  // namespace portcullis::policy
