#include "cel/eval/value_ops.h"

#include <cmath>
#include <limits>

#include "base/time.h"
#include "cel/check/env.h"
#include "cel/eval/host_type.h"
#include "cel/eval/struct_value.h"
#include "cel/eval/value_weight.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Tag;
using doc::Value;

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int64_t>::max();
constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;

int Sign(bool less, bool greater) { return less ? -1 : (greater ? 1 : 0); }

// cel-go's rule: beyond the integer's range the double decides, else the integer becomes a double.
int CompareDoubleInt(double d, std::int64_t i) {
  if (d < -kTwo63) return -1;
  if (d > kTwo63) return 1;
  const auto other = static_cast<double>(i);
  return Sign(d<other, d> other);
}
int CompareDoubleUint(double d, std::uint64_t u) {
  if (d < 0) return -1;
  if (d > kTwo64) return 1;
  const auto other = static_cast<double>(u);
  return Sign(d<other, d> other);
}
int CompareIntUint(std::int64_t i, std::uint64_t u) {
  if (i < 0) return -1;
  const auto other = static_cast<std::uint64_t>(i);
  return Sign(other<u, other> u);
}

bool IsNaN(const Value& v) { return v.tag() == Tag::kDouble && std::isnan(v.as_double()); }

// Both are numbers and neither is NaN.
int CompareNumbers(const Value& a, const Value& b) {
  switch (a.tag()) {
    case Tag::kInt:
      switch (b.tag()) {
        case Tag::kInt:
          return Sign(a.as_int() < b.as_int(), a.as_int() > b.as_int());
        case Tag::kUint:
          return CompareIntUint(a.as_int(), b.as_uint());
        default:
          return -CompareDoubleInt(b.as_double(), a.as_int());
      }
    case Tag::kUint:
      switch (b.tag()) {
        case Tag::kInt:
          return -CompareIntUint(b.as_int(), a.as_uint());
        case Tag::kUint:
          return Sign(a.as_uint() < b.as_uint(), a.as_uint() > b.as_uint());
        default:
          return -CompareDoubleUint(b.as_double(), a.as_uint());
      }
    default:
      switch (b.tag()) {
        case Tag::kInt:
          return CompareDoubleInt(a.as_double(), b.as_int());
        case Tag::kUint:
          return CompareDoubleUint(a.as_double(), b.as_uint());
        default:
          return Sign(a.as_double() < b.as_double(), a.as_double() > b.as_double());
      }
  }
}

// `left`: how many more members may be compared; none left is an error of the whole.
Value EqualWithin(CallContext& context, const Value& a, const Value& b, std::size_t& left);

Value EqualLists(CallContext& context, const Value& a, const Value& b, std::size_t& left) {
  const auto ours = a.as_list();
  const auto theirs = b.as_list();
  if (ours.size() != theirs.size()) return Value::Bool(false);
  for (std::size_t i = 0; i < ours.size() && left != 0; ++i) {
    const Value same = EqualWithin(context, ours[i], theirs[i], left);
    // cel-go quirk: a plain list treats an element comparison that fails as equal, a
    // concatenated one passes the failure on.
    if (same.is_error()) {
      if ((a.flags() & Value::kConcat) != 0) return same;
      continue;
    }
    if (!same.as_bool()) return same;
  }
  return Value::Bool(true);
}

Value EqualMaps(CallContext& context, const Value& a, const Value& b, std::size_t& left) {
  if (a.size() != b.size()) return Value::Bool(false);
  for (const doc::MapEntry& entry : a.as_map()) {
    if (left == 0) break;
    const Value* other = FindMapKey(b, entry.key);
    if (other == nullptr) return Value::Bool(false);
    const Value same = EqualWithin(context, entry.value, *other, left);
    if (!same.is_error() && !same.as_bool()) return same;
  }
  return Value::Bool(true);
}

Value EqualWithin(CallContext& context, const Value& a, const Value& b, std::size_t& left) {
  if (left != 0) --left;
  if (a.is_null() || b.is_null()) return Value::Bool(a.is_null() && b.is_null());
  switch (a.tag()) {
    case Tag::kInt:
    case Tag::kUint:
    case Tag::kDouble:
      if (!b.is_number() || IsNaN(a) || IsNaN(b)) return Value::Bool(false);
      return Value::Bool(CompareNumbers(a, b) == 0);
    case Tag::kBool:
      return Value::Bool(b.is_bool() && a.as_bool() == b.as_bool());
    case Tag::kString:
    case Tag::kBytes:
      return Value::Bool(a.tag() == b.tag() && a.as_string() == b.as_string());
    case Tag::kList:
      return b.is_list() ? EqualLists(context, a, b, left) : Value::Bool(false);
    case Tag::kMap:
      return b.is_map() ? EqualMaps(context, a, b, left) : Value::Bool(false);
    case Tag::kDuration:
      return Value::Bool(b.tag() == Tag::kDuration && a.duration_ns() == b.duration_ns());
    case Tag::kTimestamp:
      return Value::Bool(b.tag() == Tag::kTimestamp &&
                         a.timestamp_seconds() == b.timestamp_seconds() &&
                         a.timestamp_nanos() == b.timestamp_nanos());
    case Tag::kType:
      return Value::Bool(b.tag() == Tag::kType &&
                         BareName(*static_cast<const Type*>(a.type_ptr())) ==
                             BareName(*static_cast<const Type*>(b.type_ptr())));
    case Tag::kOptional:
      if (b.tag() != Tag::kOptional) return Value::Bool(false);
      if (!a.has_value() || !b.has_value()) return Value::Bool(a.has_value() == b.has_value());
      return EqualWithin(context, a.held(), b.held(), left);
    case Tag::kHost: {
      const CelHostType& type = HostTypeOf(a);
      if (type.equal != nullptr) return type.equal(context, a, b);
      if (!IsHost(b, type)) return context.NoSuchOverload();
      return Value::Bool(a.host() == b.host());
    }
    case Tag::kError:
      return a;
    case Tag::kNull:
      break;
  }
  return Value::Bool(false);
}

}  // namespace

Value Equal(CallContext& context, const Value& a, const Value& b) {
  // What policies compare most; nothing in it can grow.
  if (a.is_string() && b.is_string()) return Value::Bool(a.as_string() == b.as_string());
  if (a.is_int() && b.is_int()) return Value::Bool(a.as_int() == b.as_int());
  std::size_t left = kMaxValueWeight;
  const Value same = EqualWithin(context, a, b, left);
  return left == 0 ? context.Error(kValueTooLarge) : same;
}

bool IsEqual(CallContext& context, const Value& a, const Value& b) {
  const Value same = Equal(context, a, b);
  return same.is_bool() && same.as_bool();
}

bool IsComparable(const Value& value) {
  switch (value.tag()) {
    case Tag::kBool:
    case Tag::kInt:
    case Tag::kUint:
    case Tag::kDouble:
    case Tag::kString:
    case Tag::kBytes:
    case Tag::kDuration:
    case Tag::kTimestamp:
      return true;
    default:
      return false;
  }
}

bool CompareValues(const Value& a, const Value& b, int& order, bool& unordered) {
  unordered = false;
  if (a.is_number()) {
    if (!b.is_number()) return false;
    if (IsNaN(a) || IsNaN(b)) {
      unordered = true;
      order = 0;
      return true;
    }
    order = CompareNumbers(a, b);
    return true;
  }
  if (a.tag() != b.tag()) return false;
  switch (a.tag()) {
    case Tag::kBool:
      order = Sign(!a.as_bool() && b.as_bool(), a.as_bool() && !b.as_bool());
      return true;
    case Tag::kString:
    case Tag::kBytes: {
      const int c = a.as_string().compare(b.as_string());
      order = Sign(c < 0, c > 0);
      return true;
    }
    case Tag::kDuration:
      order = Sign(a.duration_ns() < b.duration_ns(), a.duration_ns() > b.duration_ns());
      return true;
    case Tag::kTimestamp: {
      const auto left = a.timestamp_seconds();
      const auto right = b.timestamp_seconds();
      order = left != right ? Sign(left<right, left> right)
                            : Sign(a.timestamp_nanos() < b.timestamp_nanos(),
                                   a.timestamp_nanos() > b.timestamp_nanos());
      return true;
    }
    default:
      return false;
  }
}

Value In(CallContext& context, const Value& element, const Value& container) {
  if (container.is_map()) {
    if (element.tag() == Tag::kBytes && (container.flags() & Value::kLiteral) != 0) {
      return UnhashableKey(context, element);
    }
    return Value::Bool(FindMapKey(container, element) != nullptr);
  }
  if (!container.is_list()) return context.NoSuchOverload();
  Value failure;
  for (const Value& item : container.as_list()) {
    const Value same = Equal(context, element, item);
    if (same.is_error()) {
      if (!failure.is_error()) failure = same;
      continue;
    }
    if (same.as_bool()) return same;
  }
  if (failure.is_error() && (container.flags() & Value::kConcat) != 0) return failure;
  return Value::Bool(false);
}

Value UnhashableKey(CallContext& context, const Value& key) {
  return context.Error("internal error: runtime error: hash of unhashable type " +
                       std::string(GoTypeName(key)));
}

const Value* FindMapKey(const Value& map, const Value& key) {
  if (key.is_string()) return map.Find(key.as_string());
  if (const Value* exact = map.FindKey(key)) return exact;
  switch (key.tag()) {
    case Tag::kDouble: {
      const double d = key.as_double();
      if (d >= -kTwo63 && d < kTwo63 && d == std::floor(d)) {
        if (const Value* found = map.FindKey(Value::Int(static_cast<std::int64_t>(d))))
          return found;
      }
      if (d >= 0 && d < kTwo64 && d == std::floor(d)) {
        return map.FindKey(Value::Uint(static_cast<std::uint64_t>(d)));
      }
      return nullptr;
    }
    case Tag::kInt:
      if (key.as_int() >= 0) return map.FindKey(Value::Uint(key.as_uint()));
      return nullptr;
    case Tag::kUint:
      if (key.as_uint() <= static_cast<std::uint64_t>(kMaxInt)) {
        return map.FindKey(Value::Int(key.as_int()));
      }
      return nullptr;
    default:
      return nullptr;
  }
}

namespace {

Lookup QualifyList(CallContext& context, const Value& list, const Value& key, Value& out) {
  std::int64_t index = 0;
  switch (key.tag()) {
    case Tag::kInt:
      index = key.as_int();
      break;
    case Tag::kUint:
      if (key.as_uint() > static_cast<std::uint64_t>(kMaxInt)) {
        out = context.Error("unsupported index value " + ValueText(key) + " in list");
        return Lookup::kError;
      }
      index = key.as_int();
      break;
    case Tag::kDouble: {
      const double d = key.as_double();
      if (!(d >= -kTwo63 && d < kTwo63 && d == std::floor(d))) {
        out = context.Error("unsupported index value " + ValueText(key) + " in list");
        return Lookup::kError;
      }
      index = static_cast<std::int64_t>(d);
      break;
    }
    default:
      out = context.Error("unsupported index type '" + std::string(RuntimeTypeName(key)) +
                          "' in list");
      return Lookup::kError;
  }
  if (index < 0 || index >= static_cast<std::int64_t>(list.size())) return Lookup::kAbsent;
  out = list.as_list()[static_cast<std::size_t>(index)];
  return Lookup::kFound;
}

}  // namespace

Lookup Qualify(CallContext& context, const Value& object, const Value& key, Value& out) {
  switch (object.tag()) {
    case Tag::kMap: {
      const Value* found = FindMapKey(object, key);
      if (found == nullptr) return Lookup::kAbsent;
      out = *found;
      return Lookup::kFound;
    }
    case Tag::kList:
      return QualifyList(context, object, key, out);
    case Tag::kHost: {
      const CelHostType& type = HostTypeOf(object);
      if (type.get == nullptr || !key.is_string()) return Lookup::kAbsent;
      if (!type.get(context, object, key.as_string(), out)) return Lookup::kAbsent;
      return out.is_error() ? Lookup::kError : Lookup::kFound;
    }
    case Tag::kError:
      out = object;
      return Lookup::kError;
    default:
      return Lookup::kAbsent;
  }
}

Value AbsentError(CallContext& context, const Value& object, const Value& key) {
  if (object.is_list()) return context.Error("index out of bounds: " + ValueText(key));
  return context.Error("no such key: " + ValueText(key));
}

Value Index(CallContext& context, const Value& container, const Value& key) {
  Value out;
  switch (Qualify(context, container, key, out)) {
    case Lookup::kFound:
    case Lookup::kError:
      return out;
    case Lookup::kAbsent:
      break;
  }
  return AbsentError(context, container, key);
}

std::uint64_t CodePoints(const Value& text) {
  const std::string_view bytes = text.as_string();
  if ((text.flags() & Value::kAscii) != 0) return bytes.size();
  std::uint64_t count = 0;
  for (const char c : bytes) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  return count;
}

std::uint64_t CostSize(const Value& value) {
  switch (value.tag()) {
    case Tag::kString:
      return CodePoints(value);
    case Tag::kBytes:
    case Tag::kList:
    case Tag::kMap:
      return value.size();
    case Tag::kOptional:
      return value.has_value() ? CostSize(value.held()) : 1;
    case Tag::kHost: {
      const CelHostType& type = HostTypeOf(value);
      return type.size != nullptr ? type.size(value) : 1;
    }
    default:
      return 1;
  }
}

const Type* TypeOfValue(const Value& value) {
  switch (value.tag()) {
    case Tag::kNull:
      return &types::kNull;
    case Tag::kBool:
      return &types::kBool;
    case Tag::kInt:
      return &types::kInt;
    case Tag::kUint:
      return &types::kUint;
    case Tag::kDouble:
      return &types::kDouble;
    case Tag::kString:
      return &types::kString;
    case Tag::kBytes:
      return &types::kBytes;
    case Tag::kList:
      return &types::kList;
    case Tag::kMap:
      return &types::kMap;
    case Tag::kDuration:
      return &types::kDuration;
    case Tag::kTimestamp:
      return &types::kTimestamp;
    case Tag::kType:
      return &types::kType;
    case Tag::kOptional:
      return &types::kOptional;
    case Tag::kError:
      return &types::kError;
    case Tag::kHost: {
      if (IsStruct(value)) return &types::kType;  // what cel-go says of mutation objects
      const CelHostType& type = HostTypeOf(value);
      return type.type_value != nullptr ? type.type_value : &types::kDyn;
    }
  }
  return &types::kDyn;
}

bool IsZeroValue(const Value& value) {
  switch (value.tag()) {
    case Tag::kNull:
      return true;
    case Tag::kBool:
      return !value.as_bool();
    case Tag::kInt:
    case Tag::kUint:
      return value.as_uint() == 0;
    case Tag::kDouble:
      return value.as_double() == 0.0;
    case Tag::kString:
    case Tag::kBytes:
    case Tag::kList:
    case Tag::kMap:
      return value.size() == 0;
    case Tag::kDuration:
      return value.duration_ns() == 0;
    case Tag::kTimestamp:
      return value.timestamp_seconds() == base::kMinTimestampSeconds &&
             value.timestamp_nanos() == 0;
    case Tag::kHost: {
      const CelHostType& type = HostTypeOf(value);
      return type.is_zero != nullptr && type.is_zero(value);
    }
    default:
      return false;
  }
}

}  // namespace portcullis::cel
