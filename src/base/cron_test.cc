#include "base/cron.h"

#include <gtest/gtest.h>

#include <string>

#include "base/time.h"

namespace portcullis::base {
namespace {

std::string NextOf(std::string_view schedule, std::string_view after) {
  const auto parsed = CronSchedule::Parse(schedule);
  if (!parsed.ok()) return parsed.error().message;
  const auto next = parsed.value().Next(ParseRfc3339(after, TimeRules::kStrict)->seconds);
  return next ? FormatRfc3339({*next, 0, 0}) : "never";
}

struct Case {
  const char* schedule;
  const char* after;
  const char* next;
};

TEST(Cron, Next) {
  // 2026-11-30 is a Monday.
  constexpr Case kCases[] = {
      {"*/5 * * * *", "2026-11-30T07:52:10Z", "2026-11-30T07:55:00Z"},
      {"0 0 * * *", "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z"},
      {"30 4 1,15 * 5", "2026-11-30T00:00:00Z", "2026-12-01T04:30:00Z"},
      {"30 4 2,15 * FRI", "2026-12-02T04:30:00Z", "2026-12-04T04:30:00Z"},
      {"0 12 * jan-feb ?", "2026-11-30T00:00:00Z", "2027-01-01T12:00:00Z"},
      {"0 0 L * *", "2027-02-01T00:00:00Z", "2027-02-28T00:00:00Z"},
      {"0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
      {"0 0 15W * *", "2026-11-01T00:00:00Z", "2026-11-16T00:00:00Z"},
      {"0 0 1W 8 *", "2026-07-01T00:00:00Z", "2026-08-03T00:00:00Z"},
      {"0 0 LW 10 *", "2026-10-01T00:00:00Z", "2026-10-30T00:00:00Z"},
      {"0 0 * * 5#3", "2026-11-30T00:00:00Z", "2026-12-18T00:00:00Z"},
      {"0 0 * * 5L", "2026-11-30T00:00:00Z", "2026-12-25T00:00:00Z"},
      {"0 0 * * 6-7", "2026-11-30T00:00:00Z", "2026-12-05T00:00:00Z"},
      {"0 0 * * 7", "2026-11-30T00:00:00Z", "2026-12-06T00:00:00Z"},
      {"@hourly", "2026-11-30T07:52:10Z", "2026-11-30T08:00:00Z"},
      {"@weekly", "2026-11-30T07:52:10Z", "2026-12-06T00:00:00Z"},
      {"0 0 1 1 * 2030", "2026-11-30T00:00:00Z", "2030-01-01T00:00:00Z"},
      {"*/20 * * * * * *", "2026-11-30T00:00:01Z", "2026-11-30T00:00:20Z"},
      {"0 0 31 2 *", "2026-11-30T00:00:00Z", "never"},
      {"0 0 1 1 * 2020", "2026-11-30T00:00:00Z", "never"},
      {"59 23 31 12 *", "2026-12-31T23:59:00Z", "2027-12-31T23:59:00Z"},
      {"0 0 1 1 *", "1960-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
      {"* * * * *", "2200-01-01T00:00:00Z", "never"},
      {"5/15 1 * * *", "2026-11-30T01:06:00Z", "2026-11-30T01:20:00Z"},
  };
  for (const Case& test : kCases) {
    EXPECT_EQ(NextOf(test.schedule, test.after), test.next) << test.schedule;
  }
}

TEST(Cron, Errors) {
  constexpr Case kCases[] = {
      {"* * * *", "", "missing field(s)"},
      {"", "", "missing field(s)"},
      {"@every 5m", "", "missing field(s)"},
      {"60 * * * *", "", "syntax error in minute field: '60'"},
      {"* 24 * * *", "", "syntax error in hour field: '24'"},
      {"* * 0 * *", "", "syntax error in day-of-month field: '0'"},
      {"* * * Foo *", "", "syntax error in month field: 'Foo'"},
      {"* * * * 8", "", "syntax error in day-of-week field: '8'"},
      {"*/0 * * * *", "", "invalid interval */0"},
      {"*/99999999999 * * * *", "", "invalid interval */99999999999"},
      {", * * * *", "", "minute field: missing directive"},
      {"* * * * 5#6", "", "syntax error in day-of-week field: '5#6'"},
      {"1- * * * *", "", "syntax error in minute field: '1-'"},
  };
  for (const Case& test : kCases) {
    EXPECT_EQ(NextOf(test.schedule, "2026-11-30T00:00:00Z"), test.next) << test.schedule;
  }
}

}  // namespace
}  // namespace portcullis::base
