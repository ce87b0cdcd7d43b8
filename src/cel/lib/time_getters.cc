// Getters of timestamps and durations (spec/cel.md 12).

#include "base/time.h"
#include "cel/lib/standard_functions.h"

namespace portcullis::cel::getters {

using doc::Value;

namespace {

constexpr std::int64_t kNanosPerMilli = 1'000'000;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

// The civil time of the timestamp args[0] in the zone args[1] (UTC without one: an offset in the
// timestamp's text plays no part), then `get` of it.
template <typename Get>
Value Civil(CallContext& context, Args args, Get get) {
  const std::int64_t seconds = args[0].timestamp_seconds();
  std::int32_t offset = 0;
  if (args.size() > 1) {
    auto found = base::ZoneOffset(args[1].as_string(), seconds);
    if (!found.ok()) return context.Error(found.error().message);
    offset = *found;
  }
  return Value::Int(get(base::CivilFromSeconds(seconds, offset)));
}

}  // namespace

Value FullYear(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.year; });
}

Value Month(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.month - 1; });
}

Value DayOfYear(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.day_of_year - 1; });
}

Value DayOfMonth(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.day - 1; });
}

Value Date(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.day; });
}

Value DayOfWeek(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.day_of_week; });
}

Value Hours(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.hour; });
}

Value Minutes(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.minute; });
}

Value Seconds(CallContext& context, Args args) noexcept {
  return Civil(context, args, [](const base::CivilTime& t) { return t.second; });
}

Value Milliseconds(CallContext& context, Args args) noexcept {
  const auto millis = static_cast<std::int64_t>(args[0].timestamp_nanos()) / kNanosPerMilli;
  return Civil(context, args, [millis](const base::CivilTime&) { return millis; });
}

// Durations give the total in the unit, not the remainder below the next larger one.
Value DurationHours(CallContext&, Args args) noexcept {
  return Value::Int(args[0].duration_ns() / (3600 * kNanosPerSecond));
}

Value DurationMinutes(CallContext&, Args args) noexcept {
  return Value::Int(args[0].duration_ns() / (60 * kNanosPerSecond));
}

Value DurationSeconds(CallContext&, Args args) noexcept {
  return Value::Int(args[0].duration_ns() / kNanosPerSecond);
}

Value DurationMilliseconds(CallContext&, Args args) noexcept {
  return Value::Int(args[0].duration_ns() / kNanosPerMilli);
}

}  // namespace portcullis::cel::getters
