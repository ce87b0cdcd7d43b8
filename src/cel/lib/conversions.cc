// Type conversion functions (spec/cel.md 11). Rows are guarded, so that only the listed kinds of
// arguments arrive.

#include <cmath>
#include <limits>
#include <string>

#include "base/gotext.h"
#include "base/time.h"
#include "base/utf8.h"
#include "cel/check/env.h"
#include "cel/eval/host_type.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/standard_functions.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel::convert {

using doc::Tag;
using doc::Value;

namespace {

constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;

Value Failure(CallContext& context, const Value& from, std::string_view to) {
  std::string text = "type conversion error from '";
  text.append(RuntimeTypeName(from)).append("' to '").append(to).append("'");
  return context.Error(text);
}

}  // namespace

Value Identity(CallContext&, Args args) noexcept { return args[0]; }

Value ToInt(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kInt:
      return value;
    case Tag::kUint:
      if (value.as_uint() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return context.Error("integer overflow");
      }
      return Value::Int(static_cast<std::int64_t>(value.as_uint()));
    case Tag::kDouble: {
      const double d = value.as_double();
      // -2^63 itself is refused although it fits: cel-go compares with >= and <=.
      if (!(d > -kTwo63 && d < kTwo63)) return context.Error("integer overflow");
      return Value::Int(static_cast<std::int64_t>(d));
    }
    case Tag::kString: {
      std::int64_t parsed = 0;
      if (base::ParseInt(value.as_string(), parsed) != base::NumberStatus::kOk) {
        return Failure(context, value, "int");
      }
      return Value::Int(parsed);
    }
    case Tag::kTimestamp:
      return Value::Int(value.timestamp_seconds());
    case Tag::kDuration:
      return Value::Int(value.duration_ns());
    default:
      return context.NoSuchOverload();
  }
}

Value ToUint(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kUint:
      return value;
    case Tag::kInt:
      if (value.as_int() < 0) return context.Error("unsigned integer overflow");
      return Value::Uint(static_cast<std::uint64_t>(value.as_int()));
    case Tag::kDouble: {
      const double d = value.as_double();
      if (!(d >= 0.0 && d < kTwo64)) return context.Error("unsigned integer overflow");
      return Value::Uint(static_cast<std::uint64_t>(d));
    }
    case Tag::kString: {
      std::uint64_t parsed = 0;
      if (base::ParseUint(value.as_string(), parsed) != base::NumberStatus::kOk) {
        return Failure(context, value, "uint");
      }
      return Value::Uint(parsed);
    }
    default:
      return context.NoSuchOverload();
  }
}

Value ToDouble(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kDouble:
      return value;
    case Tag::kInt:
      return Value::Double(static_cast<double>(value.as_int()));
    case Tag::kUint:
      return Value::Double(static_cast<double>(value.as_uint()));
    case Tag::kString: {
      double parsed = 0;
      if (base::ParseFloat(value.as_string(), parsed) != base::NumberStatus::kOk) {
        return Failure(context, value, "double");
      }
      return Value::Double(parsed);
    }
    default:
      return context.NoSuchOverload();
  }
}

Value ToBool(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  if (value.is_bool()) return value;
  if (!value.is_string()) return context.NoSuchOverload();
  const std::string_view text = value.as_string();
  for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"}) {
    if (text == yes) return Value::Bool(true);
  }
  for (const std::string_view no : {"0", "f", "F", "FALSE", "false", "False"}) {
    if (text == no) return Value::Bool(false);
  }
  return Failure(context, value, "bool");
}

Value ToText(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kString:
      return value;
    case Tag::kBool:
      return Value::String(value.as_bool() ? "true" : "false", Value::kAscii);
    case Tag::kInt:
      return context.String(std::to_string(value.as_int()));
    case Tag::kUint:
      return context.String(std::to_string(value.as_uint()));
    case Tag::kDouble:
      return context.String(base::CelDouble(value.as_double()));
    case Tag::kDuration:
      return context.String(base::CelDuration(value.duration_ns()));
    case Tag::kTimestamp:
      return context.String(base::FormatRfc3339(InstantOf(value)));
    case Tag::kBytes:
      if (!base::IsValidUtf8(value.as_string())) {
        return context.Error("invalid UTF-8 in bytes, cannot convert to string");
      }
      return Value::String(value.as_string());
    default:
      return context.NoSuchOverload();
  }
}

Value ToBytes(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  if (value.tag() == Tag::kBytes) return value;
  if (!value.is_string()) return context.NoSuchOverload();
  return Value::Bytes(value.as_string());
}

Value ToDuration(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  if (value.tag() == Tag::kDuration) return value;
  if (!value.is_string()) return context.NoSuchOverload();
  std::int64_t nanoseconds = 0;
  if (!base::ParseGoDuration(value.as_string(), nanoseconds)) {
    return Failure(context, value, "google.protobuf.Duration");
  }
  return Value::Duration(nanoseconds);
}

Value ToTimestamp(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kTimestamp:
      return value;
    case Tag::kInt: {
      const std::int64_t seconds = value.as_int();
      if (seconds < base::kMinTimestampSeconds || seconds > base::kMaxTimestampSeconds) {
        return context.Error("timestamp overflow");
      }
      return Value::Timestamp(seconds, 0);
    }
    case Tag::kString: {
      const bool lenient = context.options == nullptr || context.options->lenient_timestamps;
      const auto instant = base::ParseRfc3339(
          value.as_string(), lenient ? base::TimeRules::kLenient : base::TimeRules::kStrict);
      if (instant.has_value()) return TimestampValue(*instant);
      if (lenient) return Failure(context, value, "google.protobuf.Timestamp");
      return context.Error("invalid RFC 3339 timestamp " + base::GoQuote(value.as_string()));
    }
    default:
      return context.NoSuchOverload();
  }
}

Value ToType(CallContext& context, Args args) noexcept {
  if (args[0].tag() == Tag::kHost && HostTypeOf(args[0]).has_no_type_value) {
    return Failure(context, args[0], "type");
  }
  return Value::Type(TypeOfValue(args[0]));
}

}  // namespace portcullis::cel::convert
