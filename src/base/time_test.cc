#include "base/time.h"

#include <gtest/gtest.h>

namespace portcullis::base {
namespace {

std::string RoundTrip(std::string_view text, TimeRules rules) {
  const auto instant = ParseRfc3339(text, rules);
  return instant ? FormatRfc3339(*instant) : "refused";
}

TEST(TimeTest, ReadsRfc3339) {
  const struct {
    const char* text;
    const char* lenient;
    const char* strict;
  } kCases[] = {
      {"2023-01-01T00:00:00Z", "2023-01-01T00:00:00Z", "2023-01-01T00:00:00Z"},
      {"2023-01-01T00:00:00.1200+05:00", "2023-01-01T00:00:00.12+05:00",
       "2023-01-01T00:00:00.12+05:00"},
      {"2023-01-01T00:00:00.1234567899Z", "2023-01-01T00:00:00.123456789Z",
       "2023-01-01T00:00:00.123456789Z"},
      {"2023-01-01T1:00:00Z", "2023-01-01T01:00:00Z", "refused"},
      {"2023-01-01T00:00:00,5Z", "2023-01-01T00:00:00.5Z", "refused"},
      {"2023-01-01T00:00:00+24:00", "2023-01-01T00:00:00+24:00", "refused"},
      {"2023-01-01T00:00:00+25:00", "refused", "refused"},
      {"2023-02-29T00:00:00Z", "refused", "refused"},
      {"2023-01-01T00:00:60Z", "refused", "refused"},
      {"2023-01-01t00:00:00z", "refused", "refused"},
      {"0001-01-01T00:00:00+01:00", "refused", "refused"},
      {"9999-12-31T23:59:59-01:00", "refused", "refused"},
      {"2023-01-01T00:00:00", "refused", "refused"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(RoundTrip(c.text, TimeRules::kLenient), c.lenient) << c.text;
    EXPECT_EQ(RoundTrip(c.text, TimeRules::kStrict), c.strict) << c.text;
  }
}

TEST(TimeTest, CivilDatesInvert) {
  for (std::int64_t day = -800'000; day < 3'000'000; day += 997) {
    const CivilTime civil = CivilFromSeconds(day * 86'400);
    ASSERT_EQ(DaysFromCivil(civil.year, civil.month, civil.day), day);
  }
  const CivilTime civil = CivilFromSeconds(1'709'164'800);  // 2024-02-29
  EXPECT_EQ(civil.day_of_week, 4);
  EXPECT_EQ(civil.day_of_year, 60);
}

TEST(TimeTest, ReadsDurations) {
  const std::pair<const char*, std::int64_t> kGood[] = {
      {"0", 0},       {"1h30m", 5'400'000'000'000}, {"-.5s", -500'000'000}, {"1.s", 1'000'000'000},
      {"1us", 1'000}, {"1\xC2\xB5s", 1'000},        {"+2ms", 2'000'000},
  };
  for (const auto& [text, value] : kGood) {
    const Result<std::int64_t> result = ParseGoDuration(text);
    ASSERT_TRUE(result.ok()) << text;
    EXPECT_EQ(*result, value) << text;
  }
  const std::pair<const char*, const char*> kBad[] = {
      {"", "time: invalid duration \"\""},
      {"1", "time: missing unit in duration \"1\""},
      {"1d", "time: unknown unit \"d\" in duration \"1d\""},
      {"1 h", "time: unknown unit \" h\" in duration \"1 h\""},
      {".s", "time: invalid duration \".s\""},
      {"9999999h", "time: invalid duration \"9999999h\""},
  };
  for (const auto& [text, message] : kBad) {
    const Result<std::int64_t> result = ParseGoDuration(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.error().message, message);
  }
  EXPECT_EQ(CelDuration(6'347'000'000'000), "6347s");
  EXPECT_EQ(CelDuration(2), "0.000000002s");
}

TEST(TimeTest, FindsZones) {
  EXPECT_EQ(ZoneOffset("-09:30", 0).value(), -34'200);
  EXPECT_EQ(ZoneOffset("+1:5", 0).value(), 3'900);
  EXPECT_EQ(ZoneOffset("", 0).value(), 0);
  EXPECT_EQ(ZoneOffset("a:00", 0).error().message, "strconv.Atoi: parsing \"a\": invalid syntax");
  EXPECT_EQ(ZoneOffset("Foo/Bar", 0).error().message, "unknown time zone Foo/Bar");
  EXPECT_EQ(ZoneOffset("../x", 0).error().message, "time: invalid location name");
}

}  // namespace
}  // namespace portcullis::base
