#include "naive_walker.h"

#include <string>
#include <vector>

#include "cel/eval/host_type.h"
#include "cel/eval/value_ops.h"
#include "cel/eval/well_known_structs.h"
#include "cel/lib/value_text.h"
#include "cel/plan/plan.h"

namespace portcullis::oracle {

using cel::Expr;
using cel::ExprId;
using cel::ExprKind;
using cel::Reference;
using doc::Tag;
using doc::Value;

Value NaiveWalker::Name(const Expr& expr, const Reference& reference, const Scope* scope) {
  if (reference.kind == Reference::Kind::kTypeValue) return Value::Type(reference.type);
  if (reference.kind == Reference::Kind::kConstant) return reference.constant;
  std::string_view name = expr.name;
  // Block slots are declared as variables but stand in scopes.
  if (reference.kind == Reference::Kind::kVariable && !name.starts_with("@index")) {
    name = reference.name.empty() ? expr.name : reference.name;
    if (name.starts_with('.')) name.remove_prefix(1);
  } else {
    for (const Scope* at = scope; at != nullptr; at = at->parent) {
      if (at->name != name) continue;
      if (!at->ready) {
        at->value = Eval(at->initialiser, at->initialiser_scope);
        at->ready = true;
      }
      return at->value;
    }
  }
  Value value;
  if (activation_.Resolve(name, value)) return value;
  return context_.Error("no such attribute(s): " + std::string(name));
}

Value NaiveWalker::Select(const Value& operand, const Value& key, bool optional) {
  Value object = operand;
  if (object.tag() == Tag::kOptional) {
    if (!object.has_value()) return object;
    object = object.held();
    optional = true;
  }
  switch (key.tag()) {
    case Tag::kString:
    case Tag::kInt:
    case Tag::kUint:
    case Tag::kBool:
    case Tag::kDouble:
      break;
    default:
      return context_.Error("invalid qualifier type: " + std::string(cel::GoTypeName(key)));
  }
  const bool host = object.tag() == Tag::kHost;
  if (optional && host && key.is_string() && cel::HostTypeOf(object).has != nullptr &&
      !cel::HostTypeOf(object).has(object, key.as_string())) {
    return Value::OptionalNone();
  }
  Value found;
  switch (cel::Qualify(context_, object, key, found)) {
    case cel::Lookup::kFound:
      return optional ? context_.OptionalOf(found) : found;
    case cel::Lookup::kError:
      return found;
    case cel::Lookup::kAbsent:
      break;
  }
  const bool bad =
      context_.options->bad_presence_errors && !object.is_map() && !object.is_list() && !host;
  if (optional && !bad) return Value::OptionalNone();
  return cel::AbsentError(context_, object, key);
}

Value NaiveWalker::Has(const Value& operand, std::string_view field) {
  Value object = operand;
  bool optional = false;
  if (object.tag() == Tag::kOptional) {
    if (!object.has_value()) return Value::Bool(false);
    object = object.held();
    optional = true;
  }
  const bool host = object.tag() == Tag::kHost;
  if (host && cel::HostTypeOf(object).has != nullptr) {
    return Value::Bool(cel::HostTypeOf(object).has(object, field));
  }
  Value found;
  const Value key = Value::String(field);
  switch (cel::Qualify(context_, object, key, found)) {
    case cel::Lookup::kFound:
      return Value::Bool(!optional || found.tag() != Tag::kOptional || found.has_value());
    case cel::Lookup::kError:
      return found;
    case cel::Lookup::kAbsent:
      break;
  }
  if (!optional && context_.options->bad_presence_errors && !object.is_map() && !object.is_list() &&
      !host) {
    return cel::AbsentError(context_, object, key);
  }
  return Value::Bool(false);
}

// The leaves of a tree of one logical operator, from left to right.
void NaiveWalker::Terms(ExprId id, std::string_view name, const Scope* scope, bool deciding,
                        Value& failure, bool& decided) {
  const Expr& expr = ast_.node(id);
  if (expr.kind == ExprKind::kCall && expr.name == name && expr.count == 2 &&
      expr.target == cel::kNoExpr) {
    Terms(ast_.children(expr)[0].expr, name, scope, deciding, failure, decided);
    if (!decided) Terms(ast_.children(expr)[1].expr, name, scope, deciding, failure, decided);
    return;
  }
  const Value term = Eval(id, scope);
  if (term.is_bool()) {
    decided = term.as_bool() == deciding;
  } else if (!failure.is_error()) {
    failure = term.is_error() ? term : context_.NoSuchOverload();
  }
}

Value NaiveWalker::Logic(ExprId id, bool conjunction, const Scope* scope) {
  Value failure;
  bool decided = false;
  Terms(id, conjunction ? "_&&_" : "_||_", scope, !conjunction, failure, decided);
  if (stop_.is_error()) return stop_;
  if (decided) return Value::Bool(!conjunction);
  return failure.is_error() ? failure : Value::Bool(conjunction);
}

Value NaiveWalker::Operator(std::string_view name, const Value& a, const Value& b, bool& known) {
  using cel::Relation;
  known = true;
  if (name == "_==_") return cel::Equal(context_, a, b);
  if (name == "_!=_") return Value::Bool(!cel::IsEqual(context_, a, b));
  if (name == "_<_") return cel::Compare(context_, Relation::kLess, a, b);
  if (name == "_<=_") return cel::Compare(context_, Relation::kLessEqual, a, b);
  if (name == "_>_") return cel::Compare(context_, Relation::kGreater, a, b);
  if (name == "_>=_") return cel::Compare(context_, Relation::kGreaterEqual, a, b);
  if (name == "_+_") return cel::Add(context_, a, b);
  if (name == "_-_") return cel::Subtract(context_, a, b);
  if (name == "_*_") return cel::Multiply(context_, a, b);
  if (name == "_/_") return cel::Divide(context_, a, b);
  if (name == "_%_") return cel::Modulo(context_, a, b);
  if (name == "@in") return cel::In(context_, a, b);
  known = false;
  return {};
}

Value NaiveWalker::Function(const Expr& expr, const Reference& reference, const Scope* scope) {
  std::vector<Value> args;
  std::vector<ExprId> ids;
  const bool member = expr.target != cel::kNoExpr && !reference.namespaced;
  if (member) ids.push_back(expr.target);
  for (const cel::Child& child : ast_.children(expr)) ids.push_back(child.expr);
  const std::string_view name =
      reference.function != nullptr ? reference.function->name : expr.name;
  if (member && ids.size() == 2 && (name == "or" || name == "orValue")) {
    const Value left = Eval(ids[0], scope);
    if (left.is_error()) return left;
    if (left.tag() != Tag::kOptional) return context_.NoSuchOverload();
    if (left.has_value()) return name == "or" ? left : left.held();
    return Eval(ids[1], scope);
  }
  const Value* failed = nullptr;
  args.reserve(ids.size());
  for (const ExprId id : ids) {
    args.push_back(Eval(id, scope));
    if (stop_.is_error()) return stop_;
    if (args.back().is_error() && failed == nullptr) {
      if (ids.size() >= 3) return args.back();
      failed = &args.back();
    }
  }
  if (failed != nullptr) {
    const bool tolerant = reference.overloads.size() == 1 &&
                          (reference.overloads[0]->spec->flags & cel::kNonStrict) != 0;
    if (!tolerant) return *failed;
  }
  for (const cel::OverloadDecl* overload : reference.overloads) {
    if (overload->params.size() != args.size()) continue;
    bool fits = true;
    if ((overload->spec->flags & cel::kUnguarded) == 0) {
      for (std::size_t i = 0; i < args.size(); ++i) {
        fits = fits && cel::FitsType(args[i], *overload->params[i]);
      }
    }
    if (fits) return overload->spec->call(context_, args);
  }
  return context_.Error(cel::NoSuchOverloadText(name, args));
}

Value NaiveWalker::Call(ExprId id, const Scope* scope) {
  const Expr& expr = ast_.node(id);
  const auto args = ast_.children(expr);
  if (expr.target == cel::kNoExpr) {
    if (expr.name == "_&&_" && expr.count == 2) return Logic(id, true, scope);
    if (expr.name == "_||_" && expr.count == 2) return Logic(id, false, scope);
    if (expr.name == "_?_:_" && expr.count == 3) {
      const Value condition = Eval(args[0].expr, scope);
      if (condition.is_error()) return condition;
      if (!condition.is_bool()) return context_.NoSuchOverload();
      return Eval(condition.as_bool() ? args[1].expr : args[2].expr, scope);
    }
    if (expr.count == 2 && (expr.name == "_[_]" || expr.name == "_[?_]" || expr.name == "_?._")) {
      const Value operand = Eval(args[0].expr, scope);
      if (operand.is_error()) return operand;
      // A chain that ended in nothing evaluates no further keys.
      if (operand.tag() == Tag::kOptional && !operand.has_value()) return operand;
      const Value key = Eval(args[1].expr, scope);
      if (key.is_error()) return key;
      return Select(operand, key, expr.name != "_[_]");
    }
    if (expr.name == "cel.@block" && expr.count == 2) return Block(id, scope);
    if (expr.count == 2) {
      const Value left = Eval(args[0].expr, scope);
      bool known = false;
      Operator(expr.name, Value(), Value(), known);
      if (known) {
        const Value right = Eval(args[1].expr, scope);
        if (left.is_error()) return left;
        if (right.is_error()) return right;
        return Operator(expr.name, left, right, known);
      }
    }
    if (expr.count == 1 && (expr.name == "!_" || expr.name == "-_")) {
      const Value operand = Eval(args[0].expr, scope);
      if (operand.is_error()) return operand;
      return expr.name == "!_" ? cel::Not(context_, operand) : cel::Negate(context_, operand);
    }
    if (expr.count == 1 && expr.name == "@not_strictly_false") {
      const Value operand = Eval(args[0].expr, scope);
      return Value::Bool(!operand.is_bool() || operand.as_bool());
    }
  }
  return Function(expr, checked_.references[id], scope);
}

// Slots are named @index0, @index1, ... and evaluated when first read.
Value NaiveWalker::Block(ExprId id, const Scope* scope) {
  const auto args = ast_.children(ast_.node(id));
  const auto slots = ast_.children(ast_.node(args[0].expr));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < slots.size(); ++i) names.push_back("@index" + std::to_string(i));
  std::vector<Scope> scopes(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    scopes[i] = {
        i == 0 ? scope : &scopes[i - 1], names[i], {}, false, slots[i].expr, &scopes.back()};
  }
  return Eval(args[1].expr, scopes.empty() ? scope : &scopes.back());
}

Value NaiveWalker::Aggregate(ExprId id, const Scope* scope) {
  const Expr& expr = ast_.node(id);
  const auto children = ast_.children(expr);
  if (expr.kind == ExprKind::kList) {
    std::vector<Value> items;
    for (const cel::Child& child : children) {
      const Value item = Eval(child.expr, scope);
      if (item.is_error()) return item;
      if (!child.optional) {
        items.push_back(item);
      } else if (item.tag() != Tag::kOptional) {
        return context_.Error("cannot initialize optional list element from non-optional value " +
                              cel::ValueText(item));
      } else if (item.has_value()) {
        items.push_back(item.held());
      }
    }
    return doc::MakeList(context_.arena, items);
  }
  const bool map = expr.kind == ExprKind::kMap;
  std::vector<doc::MapEntry> entries;
  for (std::size_t i = 0; i < children.size(); i += map ? 2 : 1) {
    const Value key = map ? Eval(children[i].expr, scope) : Value::String(children[i].field);
    if (key.is_error()) return key;
    Value value = Eval(children[map ? i + 1 : i].expr, scope);
    if (value.is_error()) return value;
    bool removed = false;
    if (children[i].optional) {
      if (value.tag() != Tag::kOptional) {
        return context_.Error("cannot initialize optional entry '" + cel::ValueText(key) +
                              "' from non-optional value " + cel::ValueText(value));
      }
      removed = !value.has_value();
      if (!removed) value = value.held();
    }
    if (map && key.tag() == Tag::kBytes) return stop_ = cel::UnhashableKey(context_, key);
    if (map && context_.options->strict_map_keys) {
      const bool kind = key.is_string() || key.is_bool() || key.is_int() || key.tag() == Tag::kUint;
      if (!kind) {
        return context_.Error("unsupported key type: " + std::string(cel::RuntimeTypeName(key)));
      }
      for (const doc::MapEntry& entry : entries) {
        if (cel::IsEqual(context_, entry.key, key)) {
          return context_.Error("Failed with repeated key: " + cel::ValueText(key));
        }
      }
    }
    const auto same = [&](const doc::MapEntry& entry) {
      return entry.key.tag() == key.tag() && cel::IsEqual(context_, entry.key, key);
    };
    std::size_t at = 0;
    while (at < entries.size() && !same(entries[at])) ++at;
    if (removed) {
      if (map && at < entries.size())
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (at < entries.size()) {
      entries[at].value = value;
    } else {
      entries.push_back({key, value});
    }
  }
  const Value fields = doc::MakeMap(context_.arena, entries);
  if (map) return fields.WithFlags(Value::kLiteral);
  const Reference& reference = checked_.references[id];
  const std::string_view name =
      reference.kind == Reference::Kind::kStruct && !reference.name.empty() ? reference.name
                                                                            : expr.name;
  return cel::BuildStruct(context_, checked_.types[id], name, fields);
}

Value NaiveWalker::Loop(ExprId id, const Scope* scope) {
  const cel::Comprehension& loop = ast_.comprehension(ast_.node(id));
  const Value range = Eval(loop.range, scope);
  if (range.is_error()) return range;
  const bool pairs = !loop.iter_var2.empty();
  if (!range.is_list() && !range.is_map()) {
    const std::string type(cel::GoTypeName(range));
    return context_.Error(pairs ? "unsupported comprehension range type: " + type
                                : "got '" + type + "', expected iterable type");
  }
  const Scope accu{scope, loop.accu_var, {}, false, loop.init, scope};
  for (std::size_t i = 0; i < range.size(); ++i) {
    const Value first =
        range.is_map() ? range.as_map()[i].key
                       : (pairs ? Value::Int(static_cast<std::int64_t>(i)) : range.as_list()[i]);
    const Value second = range.is_map() ? range.as_map()[i].value : range.as_list()[i];
    const Scope one{&accu, loop.iter_var, first, true, cel::kNoExpr, nullptr};
    const Scope two{&one, loop.iter_var2, second, true, cel::kNoExpr, nullptr};
    const Scope* inner = pairs ? &two : &one;
    const Value condition = Eval(loop.condition, inner);
    if (condition.is_bool() && !condition.as_bool()) break;
    const Value next = Eval(loop.step, inner);
    accu.value = next;
    accu.ready = true;
    if (stop_.is_error()) return stop_;
  }
  return Eval(loop.result, &accu);
}

Value NaiveWalker::Eval(ExprId id, const Scope* scope) {
  if (stop_.is_error()) return stop_;
  const Expr& expr = ast_.node(id);
  const Reference& reference = checked_.references[id];
  Value value;
  switch (expr.kind) {
    case ExprKind::kConst:
      value = expr.value;
      break;
    case ExprKind::kIdent:
      value = Name(expr, reference, scope);
      break;
    case ExprKind::kSelect:
      if (!expr.test_only && reference.kind != Reference::Kind::kNone) {
        value = Name(expr, reference, scope);
        break;
      }
      value = Eval(expr.target, scope);
      if (value.is_error()) break;
      value =
          expr.test_only ? Has(value, expr.name) : Select(value, Value::String(expr.name), false);
      break;
    case ExprKind::kCall:
      value = Call(id, scope);
      break;
    case ExprKind::kList:
    case ExprKind::kMap:
    case ExprKind::kStruct:
      value = Aggregate(id, scope);
      break;
    case ExprKind::kComprehension:
      value = Loop(id, scope);
      break;
    case ExprKind::kNone:
      value = context_.Error("internal error: unexpected expression");
      break;
  }
  if (value.is_error() && value.error()->message.starts_with("internal error: ")) stop_ = value;
  return value;
}

}  // namespace portcullis::oracle
