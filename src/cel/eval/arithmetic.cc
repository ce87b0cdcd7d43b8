// Ordering operators and arithmetic (spec/cel.md 9.5, 10.1, 10.2, 10.4, 12).

#include <limits>
#include <string>

#include "cel/check/env.h"
#include "cel/eval/value_ops.h"
#include "cel/eval/value_weight.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

namespace {

constexpr std::int64_t kMinInt = std::numeric_limits<std::int64_t>::min();

std::string_view RelationName(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return "_<_";
    case Relation::kLessEqual:
      return "_<=_";
    case Relation::kGreater:
      return "_>_";
    case Relation::kGreaterEqual:
      return "_>=_";
  }
  return "";
}

// Types that implement Receive: a wrong operand gives the plain text, not the function's name.
bool IsReceiver(const Value& value) {
  return value.is_string() || value.tag() == Tag::kDuration || value.tag() == Tag::kTimestamp;
}

// The failure when the first operand lacks the capability that the operator needs (9.5).
Value MissingTrait(CallContext& context, const Value& first, std::string_view function) {
  if (IsReceiver(first)) return context.NoSuchOverload();
  return context.Error("no such overload: " + std::string(function));
}

Value Overflow(CallContext& context) { return context.Error("integer overflow"); }
Value UnsignedOverflow(CallContext& context) { return context.Error("unsigned integer overflow"); }

Value Concat(CallContext& context, const Value& a, const Value& b, bool bytes) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  const std::size_t total = std::size_t{a.size()} + b.size();
  if (!HasRoom(context.arena, total)) return context.Error(kValueTooLarge);
  char* out = static_cast<char*>(context.arena.Allocate(total, 1));
  std::memcpy(out, a.as_string().data(), a.size());
  std::memcpy(out + a.size(), b.as_string().data(), b.size());
  const std::string_view text(out, total);
  if (bytes) return Value::Bytes(text);
  return Value::String(text, static_cast<std::uint8_t>(a.flags() & b.flags() & Value::kAscii));
}

Value ConcatLists(CallContext& context, const Value& a, const Value& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  const std::size_t total = std::size_t{a.size()} + b.size();
  if (!HasRoom(context.arena, total * sizeof(Value))) return context.Error(kValueTooLarge);
  auto* out = context.arena.AllocateArray<Value>(total);
  std::memcpy(static_cast<void*>(out), a.as_list().data(), a.as_list().size_bytes());
  std::memcpy(static_cast<void*>(out + a.size()), b.as_list().data(), b.as_list().size_bytes());
  return Value::List({out, total}).WithFlags(Value::kConcat);
}

constexpr std::int64_t kMinTimestamp = -62135596800;
constexpr std::int64_t kMaxTimestamp = 253402300799;

Value AddDuration(CallContext& context, const Value& timestamp, std::int64_t ns) {
  std::int64_t seconds = timestamp.timestamp_seconds() + ns / 1'000'000'000;
  std::int64_t nanos = static_cast<std::int64_t>(timestamp.timestamp_nanos()) + ns % 1'000'000'000;
  if (nanos < 0) {
    nanos += 1'000'000'000;
    --seconds;
  } else if (nanos >= 1'000'000'000) {
    nanos -= 1'000'000'000;
    ++seconds;
  }
  if (seconds < kMinTimestamp || seconds > kMaxTimestamp) {
    return context.Error("timestamp overflow");
  }
  return Value::Timestamp(seconds, static_cast<std::uint32_t>(nanos),
                          timestamp.timestamp_offset_minutes());
}

}  // namespace

Value Compare(CallContext& context, Relation relation, const Value& a, const Value& b) {
  int order = 0;
  bool unordered = false;
  if (!CompareValues(a, b, order, unordered)) {
    if (!IsComparable(a)) return MissingTrait(context, a, RelationName(relation));
    return context.NoSuchOverload();
  }
  if (unordered) {
    if (context.options == nullptr || context.options->nan_order_errors) {
      return context.Error("NaN values cannot be ordered");
    }
    return Value::Bool(false);
  }
  switch (relation) {
    case Relation::kLess:
      return Value::Bool(order < 0);
    case Relation::kLessEqual:
      return Value::Bool(order <= 0);
    case Relation::kGreater:
      return Value::Bool(order > 0);
    case Relation::kGreaterEqual:
      return Value::Bool(order >= 0);
  }
  return Value::Bool(false);
}

Value Add(CallContext& context, const Value& a, const Value& b) {
  switch (a.tag()) {
    case Tag::kInt: {
      if (!b.is_int()) return context.NoSuchOverload();
      std::int64_t out = 0;
      if (__builtin_add_overflow(a.as_int(), b.as_int(), &out)) return Overflow(context);
      return Value::Int(out);
    }
    case Tag::kUint: {
      if (b.tag() != Tag::kUint) return context.NoSuchOverload();
      std::uint64_t out = 0;
      if (__builtin_add_overflow(a.as_uint(), b.as_uint(), &out)) return UnsignedOverflow(context);
      return Value::Uint(out);
    }
    case Tag::kDouble:
      if (b.tag() != Tag::kDouble) return context.NoSuchOverload();
      return Value::Double(a.as_double() + b.as_double());
    case Tag::kString:
    case Tag::kBytes:
      if (b.tag() != a.tag()) return context.NoSuchOverload();
      return Concat(context, a, b, a.tag() == Tag::kBytes);
    case Tag::kList:
      if (!b.is_list()) return context.NoSuchOverload();
      return ConcatLists(context, a, b);
    case Tag::kDuration:
      if (b.tag() == Tag::kTimestamp) return AddDuration(context, b, a.duration_ns());
      if (b.tag() == Tag::kDuration) {
        std::int64_t out = 0;
        if (__builtin_add_overflow(a.duration_ns(), b.duration_ns(), &out))
          return Overflow(context);
        return Value::Duration(out);
      }
      return context.NoSuchOverload();
    case Tag::kTimestamp:
      if (b.tag() != Tag::kDuration) return context.NoSuchOverload();
      return AddDuration(context, a, b.duration_ns());
    default:
      return MissingTrait(context, a, "_+_");
  }
}

Value Subtract(CallContext& context, const Value& a, const Value& b) {
  switch (a.tag()) {
    case Tag::kInt: {
      if (!b.is_int()) return context.NoSuchOverload();
      std::int64_t out = 0;
      if (__builtin_sub_overflow(a.as_int(), b.as_int(), &out)) return Overflow(context);
      return Value::Int(out);
    }
    case Tag::kUint: {
      if (b.tag() != Tag::kUint) return context.NoSuchOverload();
      std::uint64_t out = 0;
      if (__builtin_sub_overflow(a.as_uint(), b.as_uint(), &out)) return UnsignedOverflow(context);
      return Value::Uint(out);
    }
    case Tag::kDouble:
      if (b.tag() != Tag::kDouble) return context.NoSuchOverload();
      return Value::Double(a.as_double() - b.as_double());
    case Tag::kDuration: {
      if (b.tag() != Tag::kDuration) return context.NoSuchOverload();
      std::int64_t out = 0;
      if (__builtin_sub_overflow(a.duration_ns(), b.duration_ns(), &out)) return Overflow(context);
      return Value::Duration(out);
    }
    case Tag::kTimestamp: {
      if (b.tag() == Tag::kDuration) {
        if (b.duration_ns() == kMinInt) return Overflow(context);
        return AddDuration(context, a, -b.duration_ns());
      }
      if (b.tag() != Tag::kTimestamp) return context.NoSuchOverload();
      const std::int64_t seconds = a.timestamp_seconds() - b.timestamp_seconds();
      const std::int64_t nanos = static_cast<std::int64_t>(a.timestamp_nanos()) -
                                 static_cast<std::int64_t>(b.timestamp_nanos());
      std::int64_t out = 0;
      if (__builtin_mul_overflow(seconds, std::int64_t{1'000'000'000}, &out) ||
          __builtin_add_overflow(out, nanos, &out)) {
        return Overflow(context);
      }
      return Value::Duration(out);
    }
    default:
      return MissingTrait(context, a, "_-_");
  }
}

Value Multiply(CallContext& context, const Value& a, const Value& b) {
  switch (a.tag()) {
    case Tag::kInt: {
      if (!b.is_int()) return context.NoSuchOverload();
      std::int64_t out = 0;
      if (__builtin_mul_overflow(a.as_int(), b.as_int(), &out)) return Overflow(context);
      return Value::Int(out);
    }
    case Tag::kUint: {
      if (b.tag() != Tag::kUint) return context.NoSuchOverload();
      std::uint64_t out = 0;
      if (__builtin_mul_overflow(a.as_uint(), b.as_uint(), &out)) return UnsignedOverflow(context);
      return Value::Uint(out);
    }
    case Tag::kDouble:
      if (b.tag() != Tag::kDouble) return context.NoSuchOverload();
      return Value::Double(a.as_double() * b.as_double());
    default:
      return MissingTrait(context, a, "_*_");
  }
}

Value Divide(CallContext& context, const Value& a, const Value& b) {
  switch (a.tag()) {
    case Tag::kInt:
      if (!b.is_int()) return context.NoSuchOverload();
      if (b.as_int() == 0) return context.Error("division by zero");
      if (a.as_int() == kMinInt && b.as_int() == -1) return Overflow(context);
      return Value::Int(a.as_int() / b.as_int());
    case Tag::kUint:
      if (b.tag() != Tag::kUint) return context.NoSuchOverload();
      if (b.as_uint() == 0) return context.Error("division by zero");
      return Value::Uint(a.as_uint() / b.as_uint());
    case Tag::kDouble:
      if (b.tag() != Tag::kDouble) return context.NoSuchOverload();
      return Value::Double(a.as_double() / b.as_double());
    default:
      return MissingTrait(context, a, "_/_");
  }
}

Value Modulo(CallContext& context, const Value& a, const Value& b) {
  switch (a.tag()) {
    case Tag::kInt:
      if (!b.is_int()) return context.NoSuchOverload();
      if (b.as_int() == 0) return context.Error("modulus by zero");
      if (a.as_int() == kMinInt && b.as_int() == -1) return Overflow(context);
      return Value::Int(a.as_int() % b.as_int());
    case Tag::kUint:
      if (b.tag() != Tag::kUint) return context.NoSuchOverload();
      if (b.as_uint() == 0) return context.Error("modulus by zero");
      return Value::Uint(a.as_uint() % b.as_uint());
    default:
      return MissingTrait(context, a, "_%_");
  }
}

Value Negate(CallContext& context, const Value& a) {
  switch (a.tag()) {
    case Tag::kInt:
      if (a.as_int() == kMinInt) return Overflow(context);
      return Value::Int(-a.as_int());
    case Tag::kDouble:
      return Value::Double(-a.as_double());
    case Tag::kDuration:
      if (a.duration_ns() == kMinInt) return Overflow(context);
      return Value::Duration(-a.duration_ns());
    case Tag::kBool:
      return context.NoSuchOverload();
    default:
      return MissingTrait(context, a, "-_");
  }
}

Value Not(CallContext& context, const Value& a) {
  if (!a.is_bool()) return context.NoSuchOverload();
  return Value::Bool(!a.as_bool());
}

}  // namespace portcullis::cel
