#include "cel/check/validators.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cel/lib/format_check.h"
#include "regex/regex.h"

namespace portcullis::cel {

namespace {

// The tag that arguments of a type have; false for types without one.
bool TagOf(const Type& type, doc::Tag& tag) {
  switch (type.kind) {
    case TypeKind::kBool:
      tag = doc::Tag::kBool;
      return true;
    case TypeKind::kInt:
      tag = doc::Tag::kInt;
      return true;
    case TypeKind::kUint:
      tag = doc::Tag::kUint;
      return true;
    case TypeKind::kDouble:
      tag = doc::Tag::kDouble;
      return true;
    case TypeKind::kString:
      tag = doc::Tag::kString;
      return true;
    case TypeKind::kBytes:
      tag = doc::Tag::kBytes;
      return true;
    default:
      return false;
  }
}

class Validator {
 public:
  Validator(const Env& env, const CheckedAst& checked, Issues& issues)
      : options_(env.options), checked_(checked), ast_(checked.ast), issues_(issues) {}

  // `exempt`: below a call whose arguments may be of mixed types.
  void Visit(ExprId id, bool exempt) {
    if (id == kNoExpr) return;
    const Expr& node = ast_.node(id);
    switch (node.kind) {
      case ExprKind::kSelect:
        Visit(node.target, exempt);
        break;
      case ExprKind::kCall:
        VisitCall(id, exempt);
        break;
      case ExprKind::kList:
        if (options_.homogeneous_aggregates && !exempt) CheckList(node);
        VisitChildren(node, exempt);
        break;
      case ExprKind::kMap:
        if (options_.homogeneous_aggregates && !exempt) CheckMap(node);
        VisitChildren(node, exempt);
        break;
      case ExprKind::kStruct:
        VisitChildren(node, exempt);
        break;
      case ExprKind::kComprehension: {
        const Comprehension& loop = ast_.comprehension(node);
        for (const ExprId part : {loop.range, loop.init, loop.condition, loop.step, loop.result}) {
          Visit(part, exempt);
        }
        break;
      }
      default:
        break;
    }
  }

 private:
  void VisitChildren(const Expr& node, bool exempt) {
    for (const Child& child : ast_.children(node)) Visit(child.expr, exempt);
  }

  void VisitCall(ExprId id, bool exempt) {
    const Expr& node = ast_.node(id);
    const std::string_view name = checked_.references[id].name;
    if (options_.duration_literals && name == "duration") CheckConversion(id);
    if (options_.timestamp_literals && name == "timestamp") CheckConversion(id);
    if (options_.regex_literals && name == "matches") CheckRegex(node);
    if (options_.format_literals && name == "format") CheckFormat(id);
    const bool mixed = name == "cel.@block" || (options_.format_literals && name == "format");
    if (!checked_.references[id].namespaced) Visit(node.target, exempt || mixed);
    VisitChildren(node, exempt || mixed);
  }

  // The first argument when it is a literal, else null.
  const Expr* FirstLiteral(const Expr& call) const {
    if (call.count == 0) return nullptr;
    const Expr& argument = ast_.node(ast_.children(call).front().expr);
    return argument.kind == ExprKind::kConst ? &argument : nullptr;
  }

  // Runs the conversion of a literal.
  void CheckConversion(ExprId id) {
    const Expr* literal = FirstLiteral(ast_.node(id));
    if (literal == nullptr) return;
    const Reference& reference = checked_.references[id];
    for (const OverloadDecl* overload : reference.overloads) {
      doc::Tag tag = doc::Tag::kNull;
      if (overload->params.size() != 1 || !TagOf(*overload->params[0], tag)) continue;
      if (tag != literal->value.tag() || overload->spec->call == nullptr) continue;
      base::Arena arena;
      CallContext context{arena};
      context.options = &options_;
      if (!overload->spec->call(context, {&literal->value, 1}).is_error()) return;
      break;
    }
    issues_.Add(literal->position, "invalid " + std::string(reference.name) + " argument");
  }

  void CheckRegex(const Expr& call) {
    const Expr* literal = FirstLiteral(call);
    if (literal == nullptr) return;
    if (literal->value.is_string() && regex::Regex::Compile(literal->value.as_string()).ok()) {
      return;
    }
    issues_.Add(literal->position, "invalid matches argument");
  }

  const Type* TypeOf(const Child& child, bool optional) const {
    const Type* type = checked_.types[child.expr];
    if (optional && type->kind == TypeKind::kOptional) return type->params[0];
    return type;
  }

  // An element marked optional must have an optional type by now; dyn is not enough.
  bool CheckOptional(const Child& child, bool optional) {
    const Type& type = *checked_.types[child.expr];
    if (!optional || type.kind == TypeKind::kOptional) return true;
    Mismatch(child.expr, types::kOptional, type);
    return false;
  }

  void CheckList(const Expr& node) {
    const Type* first = nullptr;
    for (const Child& child : ast_.children(node)) {
      if (!CheckOptional(child, child.optional)) return;
      const Type* type = TypeOf(child, child.optional);
      if (first == nullptr) {
        first = type;
      } else if (!TypesEquivalent(*first, *type)) {
        Mismatch(child.expr, *first, *type);
        return;
      }
    }
  }

  void CheckMap(const Expr& node) {
    const Type* first_key = nullptr;
    const Type* first_value = nullptr;
    const auto children = ast_.children(node);
    for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
      const Child& key = children[i];
      const Child& value = children[i + 1];
      const bool optional = key.optional || value.optional;
      if (!CheckOptional(value, optional)) return;
      const Type* key_type = checked_.types[key.expr];
      const Type* value_type = TypeOf(value, optional);
      if (first_key == nullptr) {
        first_key = key_type;
        first_value = value_type;
        continue;
      }
      if (!TypesEquivalent(*first_key, *key_type)) Mismatch(key.expr, *first_key, *key_type);
      if (!TypesEquivalent(*first_value, *value_type)) {
        Mismatch(value.expr, *first_value, *value_type);
      }
    }
  }

  void CheckFormat(ExprId id) {
    const Expr& node = ast_.node(id);
    if (node.target == kNoExpr || node.count != 1) return;
    const Expr& format = ast_.node(node.target);
    const Expr& list = ast_.node(ast_.children(node).front().expr);
    if (format.kind != ExprKind::kConst || !format.value.is_string()) return;
    if (list.kind != ExprKind::kList) return;
    std::vector<FormatArgument> arguments;
    for (const Child& child : ast_.children(list)) arguments.push_back(Describe(child.expr));
    const std::optional<FormatIssue> issue =
        CheckFormatLiteral(format.value.as_string(), arguments, options_.portable_format);
    if (!issue) return;
    issues_.Add(ast_.node(issue->at_call ? id : issue->node).position, issue->message);
  }

  // An argument of format() with the elements of literals inside it.
  FormatArgument Describe(ExprId id) const {
    const Expr& node = ast_.node(id);
    FormatArgument argument;
    argument.type = checked_.types[id];
    argument.node = id;
    if (node.kind == ExprKind::kList || node.kind == ExprKind::kMap) {
      for (const Child& child : ast_.children(node)) {
        argument.children.push_back(Describe(child.expr));
      }
    }
    return argument;
  }

  void Mismatch(ExprId id, const Type& expected, const Type& found) {
    issues_.Add(ast_.node(id).position, "expected type '" + CheckerName(expected) +
                                            "' but found '" + CheckerName(found) + "'");
  }

  const EnvOptions& options_;
  const CheckedAst& checked_;
  const Ast& ast_;
  Issues& issues_;
};

}  // namespace

void Validate(const Env& env, const CheckedAst& checked, Issues& issues) {
  const EnvOptions& options = env.options;
  if (!options.homogeneous_aggregates && !options.duration_literals &&
      !options.timestamp_literals && !options.regex_literals && !options.format_literals) {
    return;
  }
  Validator(env, checked, issues).Visit(checked.ast.root, false);
}

}  // namespace portcullis::cel
