// Bit operations of the math extension. Both integer kinds share one representation of bits, so
// that one implementation serves int and uint.

#include <string>

#include "cel/lib/math_functions.h"

namespace portcullis::cel::math {

using doc::Value;

namespace {

constexpr std::int64_t kBits = 64;

// `bits` as the kind of `like`.
Value Same(const Value& like, std::uint64_t bits) {
  return like.is_int() ? Value::Int(static_cast<std::int64_t>(bits)) : Value::Uint(bits);
}

Value NegativeOffset(CallContext& context, std::string_view function, std::int64_t offset) {
  std::string text(function);
  text += "() negative offset: " + std::to_string(offset);
  return context.Error(text);
}

}  // namespace

Value BitAnd(CallContext&, Args args) noexcept {
  return Same(args[0], args[0].as_uint() & args[1].as_uint());
}

Value BitOr(CallContext&, Args args) noexcept {
  return Same(args[0], args[0].as_uint() | args[1].as_uint());
}

Value BitXor(CallContext&, Args args) noexcept {
  return Same(args[0], args[0].as_uint() ^ args[1].as_uint());
}

Value BitNot(CallContext&, Args args) noexcept { return Same(args[0], ~args[0].as_uint()); }

Value BitShiftLeft(CallContext& context, Args args) noexcept {
  const std::int64_t offset = args[1].as_int();
  if (offset < 0) return NegativeOffset(context, "math.bitShiftLeft", offset);
  return Same(args[0], offset >= kBits ? 0 : args[0].as_uint() << offset);
}

// Fills with zeros for int as well.
Value BitShiftRight(CallContext& context, Args args) noexcept {
  const std::int64_t offset = args[1].as_int();
  if (offset < 0) return NegativeOffset(context, "math.bitShiftRight", offset);
  return Same(args[0], offset >= kBits ? 0 : args[0].as_uint() >> offset);
}

}  // namespace portcullis::cel::math
