#ifndef PORTCULLIS_BASE_TIME_H_
#define PORTCULLIS_BASE_TIME_H_

// Instants, civil dates, durations and time zones as Go's time package and CEL have them
// (spec/cel.md 12). Pure functions, thread-safe; zone tables are cached by absl.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace portcullis::base {

inline constexpr std::int64_t kMinTimestampSeconds = -62135596800;  // 0001-01-01T00:00:00Z
inline constexpr std::int64_t kMaxTimestampSeconds = 253402300799;  // 9999-12-31T23:59:59Z

struct Instant {
  std::int64_t seconds = 0;         // since 1970, floor
  std::uint32_t nanos = 0;          // 0..999,999,999
  std::int16_t offset_minutes = 0;  // zone that the text was written in
};

enum class TimeRules : std::uint8_t {
  kLenient,  // Go's time.Parse (cel-go 0.29): comma fraction, one-digit hour, offsets up to 24:60
  kStrict,   // Go's stricter RFC 3339 check (cel-go 0.30)
};

// nullopt when malformed, or when the instant lies outside of years 1-9999 in UTC.
std::optional<Instant> ParseRfc3339(std::string_view text, TimeRules rules);

// RFC 3339 with up to 9 fraction digits, trailing zeros trimmed, in the instant's own zone.
std::string FormatRfc3339(const Instant& instant);

struct CivilTime {
  std::int64_t year = 1970;
  int month = 1;  // 1..12
  int day = 1;    // 1..31
  int hour = 0;
  int minute = 0;
  int second = 0;
  int day_of_week = 4;  // 0 = Sunday
  int day_of_year = 1;  // 1..366
};

// Days since 1970-01-01 of a proleptic Gregorian date, and back.
std::int64_t DaysFromCivil(std::int64_t year, int month, int day);
CivilTime CivilFromSeconds(std::int64_t seconds, std::int32_t offset_seconds = 0);
bool IsLeapYear(std::int64_t year);
int DaysInMonth(std::int64_t year, int month);

// time.ParseDuration. The error text is Go's: `time: invalid duration "x"`,
// `time: unknown unit "d" in duration "1d"`, `time: missing unit in duration "1"`.
Result<std::int64_t> ParseGoDuration(std::string_view text);
// The same without building a message.
bool ParseGoDuration(std::string_view text, std::int64_t& nanoseconds);

// string(duration): seconds as the shortest decimal, without exponent, and `s`.
std::string CelDuration(std::int64_t nanoseconds);

// Offset in seconds east of UTC of the zone `name` at an instant, as CEL's getters take it:
// "+HH:MM" forms, IANA names, "" and "UTC". Errors: `unknown time zone X`,
// `time: invalid location name`, `strconv.Atoi: parsing "x": invalid syntax`.
Result<std::int32_t> ZoneOffset(std::string_view name, std::int64_t seconds);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_TIME_H_
