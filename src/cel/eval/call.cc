// Operators and function calls (spec/cel.md 9.4, 9.5) with their cost (18.3, 18.4).

#include <cstddef>

#include "cel/eval/evaluator.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/value_text.h"
#include "regex/regex.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

namespace {

// `==` and `!=`: a tenth of the smaller operand; 1 when the left one is a library's object.
std::uint64_t EqualityCost(const Value& a, const Value& b) {
  if (a.tag() == Tag::kHost) return 1;
  if (!a.is_string() && !a.is_list() && !a.is_map() && a.tag() != Tag::kBytes &&
      a.tag() != Tag::kOptional) {
    const std::uint64_t size = CostSize(b);
    return size == 0 ? 0 : 1;
  }
  const std::uint64_t left = CostSize(a);
  const std::uint64_t right = CostSize(b);
  return CostTenth(left < right ? left : right);
}

}  // namespace

Value Evaluator::EvalAnd(const Node& node) {
  Value failure;
  for (std::size_t i = 0; i < node.count; ++i) {
    const Value term = Eval(Child(node, i));
    if (term.is_bool()) {
      if (!term.as_bool()) return term;
      continue;
    }
    if (stopped()) return stop_;
    if (!failure.is_error()) failure = term.is_error() ? term : context_.NoSuchOverload();
  }
  return failure.is_error() ? failure : Value::Bool(true);
}

Value Evaluator::EvalOr(const Node& node) {
  Value failure;
  for (std::size_t i = 0; i < node.count; ++i) {
    const Value term = Eval(Child(node, i));
    if (term.is_bool()) {
      if (term.as_bool()) return term;
      continue;
    }
    if (stopped()) return stop_;
    if (!failure.is_error()) failure = term.is_error() ? term : context_.NoSuchOverload();
  }
  return failure.is_error() ? failure : Value::Bool(false);
}

Value Evaluator::EvalBinary(const Node& node) {
  const Value left = Eval(Child(node, 0));
  if (left.is_error() && stop_at_failed_argument_) return left;
  const Value right = Eval(Child(node, 1));
  Value result;
  if (left.is_error() || right.is_error()) [[unlikely]] {
    result = left.is_error() ? left : right;
  } else {
    switch (node.op) {
      case Op::kEqual:
        result = Equal(context_, left, right);
        break;
      case Op::kNotEqual: {
        // Only an equality that is exactly true makes it false (9.4).
        const Value same = Equal(context_, left, right);
        result = Value::Bool(!(same.is_bool() && same.as_bool()));
        break;
      }
      case Op::kCompare:
        result = Compare(context_, static_cast<Relation>(node.sub), left, right);
        break;
      case Op::kIn:
        result = In(context_, left, right);
        if (IsInternal(result)) [[unlikely]]
          return Abort(result);
        break;
      default:
        switch (node.sub) {
          case '+':
            result = Add(context_, left, right);
            break;
          case '-':
            result = Subtract(context_, left, right);
            break;
          case '*':
            result = Multiply(context_, left, right);
            break;
          case '/':
            result = Divide(context_, left, right);
            break;
          default:
            result = Modulo(context_, left, right);
            break;
        }
    }
  }
  if (node.op == Op::kEqual || node.op == Op::kNotEqual) {
    Charge(EqualityCost(left, right));
  } else if (node.cost != nullptr) {
    const Value args[] = {left, right};
    Charge(node.cost(std::span<const Value>(args), result));
  } else {
    Charge(1);
  }
  return result;
}

Value Evaluator::EvalUnary(const Node& node) {
  const Value operand = Eval(Child(node, 0));
  Value result;
  if (node.op == Op::kNotStrictlyFalse) {
    result = Value::Bool(!operand.is_bool() || operand.as_bool());
  } else if (operand.is_error()) {
    result = operand;
  } else {
    result = node.op == Op::kNot ? Not(context_, operand) : Negate(context_, operand);
  }
  Charge(1);
  return result;
}

Value Evaluator::EvalInSet(const Node& node) {
  const Value element = Eval(Child(node, 0));
  if (element.is_error()) return element;
  return Value::Bool(FindMapKey(plan_.constants[node.a], element) != nullptr);
}

Value Evaluator::EvalMatches(const Node& node) {
  const Value text = Eval(Child(node, 0));
  const Value pattern = Eval(Child(node, 1));
  Value result;
  if (text.is_error()) {
    if (stop_at_failed_argument_) return text;
    result = text;
  } else if (!text.is_string()) {
    result = context_.NoSuchOverload();
  } else {
    result = Value::Bool(plan_.regexes[node.a]->PartialMatch(text.as_string()));
  }
  const Value args[] = {text, pattern};
  Charge(node.cost != nullptr ? node.cost(std::span<const Value>(args), result) : 1);
  return result;
}

Value Evaluator::EvalOptionalOr(const Node& node) {
  const Value left = Eval(Child(node, 0));
  if (left.is_error()) return left;
  if (left.tag() != Tag::kOptional) return context_.NoSuchOverload();
  if (left.has_value()) return node.op == Op::kOptionalOrValue ? left.held() : left;
  return Eval(Child(node, 1));
}

Value Evaluator::Dispatch(const CallTarget& target, std::span<const Value> args) {
  for (const OverloadDecl* overload : target.overloads) {
    if (overload->params.size() != args.size()) continue;
    bool fits = (overload->spec->flags & kUnguarded) != 0;
    if (!fits) {
      fits = true;
      for (std::size_t i = 0; fits && i < args.size(); ++i) {
        fits = FitsType(args[i], *overload->params[i]);
      }
    }
    if (fits) return overload->spec->call(context_, args);
  }
  return context_.Error(NoSuchOverloadText(target.name, args));
}

Value Evaluator::EvalCall(const Node& node) {
  const CallTarget& target = plan_.calls[node.a];
  constexpr std::size_t kInline = 6;
  // Raw memory: every element that is read is written first.
  alignas(Value) std::byte local[kInline * sizeof(Value)];
  const std::size_t count = node.count;
  Value* args = count <= kInline ? reinterpret_cast<Value*>(local)
                                 : context_.arena.AllocateArray<Value>(count);
  const Value* failed = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    args[i] = Eval(Child(node, i));
    if (!args[i].is_error() || failed != nullptr) continue;
    // cel-go 0.30 stops at the first failing argument, 0.29 does so for three and more. What was
    // not evaluated to the end is not charged (18.2).
    if (i + 1 < count && (count >= 3 || stop_at_failed_argument_)) return args[i];
    failed = &args[i];
  }
  if (stopped()) return stop_;
  const std::span<const Value> view(args, count);
  Value result;
  const bool bound = node.op == Op::kCall;
  if (failed != nullptr && !(bound && (target.overloads[0]->spec->flags & kNonStrict) != 0)) {
    result = *failed;
  } else if (!bound) {
    result = Dispatch(target, view);
  } else {
    const Overload& overload = *target.overloads[0]->spec;
    bool fits = true;
    const Guard* guards = target.guards.data();
    for (std::size_t i = 0; i < target.guards.size(); ++i) {
      const Guard& guard = guards[i];
      if (guard.tag != Guard::kAny && guard.tag != static_cast<std::uint8_t>(args[i].tag())) {
        fits = false;
        break;
      }
      if (guard.deep && !FitsType(args[i], *guard.type)) {
        fits = false;
        break;
      }
    }
    result = fits ? overload.call(context_, view)
                  : context_.Error(NoSuchOverloadText(target.name, view));
  }
  if (IsInternal(result)) [[unlikely]]
    return Abort(result);
  Charge(node.cost != nullptr ? node.cost(view, result) : 1);
  return result;
}

}  // namespace portcullis::cel
