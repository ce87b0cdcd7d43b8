// time.now, time.truncate and time.toCron (spec/kyverno-cel-policies.md 10.8).

#include <string>

#include "base/int128.h"
#include "base/time.h"
#include "cel/kyverno/libraries.h"
#include "cel/kyverno/now.h"
#include "cel/lib/call_support.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Value;

constexpr std::int64_t kSecond = 1'000'000'000;

Value Now(CallContext& context, Args) noexcept {
  const std::int64_t now = NowOf(context.host);
  std::int64_t seconds = now / kSecond;
  std::int64_t nanos = now % kSecond;
  if (nanos < 0) {
    nanos += kSecond;
    --seconds;
  }
  return Value::Timestamp(seconds, static_cast<std::uint32_t>(nanos));
}

// Down to a multiple of the duration since the year 1, in the same zone.
Value Truncate(CallContext&, Args args) noexcept {
  const std::int64_t step = args[1].duration_ns();
  if (step <= 0) return args[0];
  base::Instant instant = InstantOf(args[0]);
  const base::Int128 since =
      static_cast<base::Int128>(instant.seconds - base::kMinTimestampSeconds) * kSecond +
      instant.nanos;
  const base::Int128 whole = since - since % step;
  instant.seconds = static_cast<std::int64_t>(whole / kSecond) + base::kMinTimestampSeconds;
  instant.nanos = static_cast<std::uint32_t>(whole % kSecond);
  return TimestampValue(instant);
}

Value ToCron(CallContext& context, Args args) noexcept {
  constexpr std::int32_t kMinute = 60;
  const base::Instant instant = InstantOf(args[0]);
  const base::CivilTime at =
      base::CivilFromSeconds(instant.seconds, instant.offset_minutes * kMinute);
  std::string text;
  for (const int field : {at.minute, at.hour, at.day, at.month, at.day_of_week}) {
    if (!text.empty()) text += ' ';
    text += std::to_string(field);
  }
  return context.String(text);
}

constexpr Overload kOverloads[] = {
    {"time_now", "time.now", "() -> timestamp", Now},
    {"time_truncate", "time.truncate", "(timestamp, duration) -> timestamp", Truncate},
    {"time_to_cron", "time.toCron", "(timestamp) -> string", ToCron},
};

constexpr Library kLibrary{"kyverno.time", kOverloads};

}  // namespace

const Library& KyvernoTimeLibrary() { return kLibrary; }

}  // namespace portcullis::cel
