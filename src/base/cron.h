#ifndef PORTCULLIS_BASE_CRON_H_
#define PORTCULLIS_BASE_CRON_H_

// Cron schedules as Kyverno's deleting policies take them (spec/kyverno-cel-policies.md 6): minute,
// hour, day of month, month, day of week; with six fields a year follows, with seven seconds come
// first. Names of months and days, `L`, `W`, `#`, steps, ranges, and macros such as `@hourly`.
// Times are UTC. Immutable values, thread-safe.

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace portcullis::base {

class CronSchedule {
 public:
  // Error texts are the parser's own: `missing field(s)`, `syntax error in hour field: '24'`.
  static Result<CronSchedule> Parse(std::string_view text);

  // The first time after `seconds` (since 1970); nothing when there is none up to the year 2099.
  std::optional<std::int64_t> Next(std::int64_t seconds) const;

 private:
  friend class CronParser;
  static constexpr int kFirstYear = 1970;
  static constexpr int kLastYear = 2099;

  // The first time after `after` on the day that starts at `midnight`.
  std::optional<std::int64_t> NextOfDay(std::int64_t midnight, std::int64_t after) const;
  bool MatchesDay(std::int64_t year, int month, int day) const;
  bool MatchesDayOfMonth(std::int64_t year, int month, int day) const;
  bool MatchesDayOfWeek(std::int64_t year, int month, int day) const;

  std::bitset<60> seconds_;
  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<13> months_;  // from 1
  std::bitset<kLastYear - kFirstYear + 1> years_;

  bool any_day_of_month_ = false;
  std::bitset<32> days_;       // from 1
  std::bitset<32> workdays_;   // `15W`: the working day nearest to the 15th
  bool last_day_ = false;      // `L`
  bool last_workday_ = false;  // `LW`

  bool any_day_of_week_ = false;
  std::bitset<7> weekdays_;                     // 0: Sunday
  std::bitset<7> last_weekdays_;                // `5L`: the last one of the month
  std::array<std::bitset<6>, 7> nth_weekdays_;  // `5#3`: the third one
};

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_CRON_H_
