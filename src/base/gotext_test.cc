#include "base/gotext.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/base64.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "base/wildcard.h"

namespace portcullis::base {
namespace {

TEST(GoTextTest, QuotesAsStrconv) {
  const std::pair<std::string, std::string> kCases[] = {
      {"", R"("")"},
      {"a\"b\\c", R"("a\"b\\c")"},
      {std::string("\x00\x7f\n\t", 4), R"("\x00\x7f\n\t")"},
      {"h\xC3\xA9 \xF0\x9F\x98\x80", "\"h\xC3\xA9 \xF0\x9F\x98\x80\""},
      {"\xC2\xA0", R"("\u00a0")"},
      {"\xF3\xA0\x80\x81", R"("\U000e0001")"},
      {"a\xFFz", R"("a\xffz")"},
  };
  for (const auto& [text, quoted] : kCases) EXPECT_EQ(GoQuote(text), quoted);
}

TEST(GoTextTest, QuotesAsJson) {
  EXPECT_EQ(GoJsonString("a<b>&\"\\\n\x01"), R"("a\u003cb\u003e\u0026\"\\\n\u0001")");
  EXPECT_EQ(GoJsonString("<", false), R"("<")");
  EXPECT_EQ(GoJsonString("\xE2\x80\xA8\xFF"), R"("\u2028\ufffd")");
}

TEST(GoTextTest, PrintsDoubles) {
  const struct {
    double value;
    const char* plain;
    const char* json;
  } kCases[] = {
      {1.0, "1", "1"},
      {-0.0, "-0", "-0"},
      {123456.0, "123456", "123456"},
      {1000000.0, "1e+06", "1000000"},
      {1234567.5, "1.2345675e+06", "1234567.5"},
      {0.0001, "0.0001", "0.0001"},
      {0.00001, "1e-05", "0.00001"},
      {1e-7, "1e-07", "1e-7"},
      {1e21, "1e+21", "1e+21"},
      {1e20, "1e+20", "100000000000000000000"},
      {1e-10, "1e-10", "1e-10"},
      {5e-324, "5e-324", "5e-324"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(GoFloat(c.value), c.plain);
    EXPECT_EQ(GoJsonFloat(c.value), c.json);
  }
  EXPECT_EQ(GoFloat(std::numeric_limits<double>::infinity()), "+Inf");
  EXPECT_EQ(GoFloat(std::nan("")), "NaN");
  EXPECT_EQ(GoFixed(2.5, 0), "2");
  EXPECT_EQ(GoFixed(1234567.891, 2), "1234567.89");
  EXPECT_EQ(GoExponent(1052.033, 6), "1.052033e+03");
  EXPECT_EQ(GoFloatPlain(2e-9), "0.000000002");
}

TEST(GoTextTest, ReadsNumbers) {
  std::int64_t i = 0;
  EXPECT_EQ(ParseInt("-9223372036854775808", i), NumberStatus::kOk);
  EXPECT_EQ(i, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(ParseInt("9223372036854775808", i), NumberStatus::kRange);
  for (const char* bad : {"", "+", "1_0", " 1", "0x1"}) {
    EXPECT_EQ(ParseInt(bad, i), NumberStatus::kSyntax) << bad;
  }
  std::uint64_t u = 0;
  EXPECT_EQ(ParseUint("18446744073709551615", u), NumberStatus::kOk);
  EXPECT_EQ(ParseUint("+1", u), NumberStatus::kSyntax);
  EXPECT_EQ(NumberErrorText("Atoi", "x", NumberStatus::kSyntax),
            "strconv.Atoi: parsing \"x\": invalid syntax");

  const std::pair<const char*, double> kFloats[] = {
      {"1.", 1},     {".5", 0.5},    {"1_000.5", 1000.5}, {"0x1p-2", 0.25},
      {"0x_1p0", 1}, {"-1e3", -1e3}, {"1e-400", 0},       {"1e+1_0", 1e10},
  };
  double d = 0;
  for (const auto& [text, value] : kFloats) {
    EXPECT_EQ(ParseFloat(text, d), NumberStatus::kOk) << text;
    EXPECT_EQ(d, value) << text;
  }
  EXPECT_EQ(ParseFloat("-Infinity", d), NumberStatus::kOk);
  EXPECT_TRUE(std::isinf(d) && d < 0);
  EXPECT_EQ(ParseFloat("1e400", d), NumberStatus::kRange);
  for (const char* bad : {"", ".", "1e", "0x1", "_1", "1__0", "1_", "-nan", "1 ", "e5", "1_.5"}) {
    EXPECT_EQ(ParseFloat(bad, d), NumberStatus::kSyntax) << bad;
  }
}

TEST(GoTextTest, PrintsDurations) {
  const std::pair<std::int64_t, const char*> kCases[] = {
      {0, "0s"},
      {1, "1ns"},
      {1'500, "1.5\xC2\xB5s"},
      {100'000'000, "100ms"},
      {1'500'000'000, "1.5s"},
      {5'400'000'000'000, "1h30m0s"},
      {-60'000'000'000, "-1m0s"},
      {std::numeric_limits<std::int64_t>::min(), "-2562047h47m16.854775808s"},
  };
  for (const auto& [value, text] : kCases) EXPECT_EQ(GoDuration(value), text);
}

TEST(Utf8Test, CountsAndFindsCodePoints) {
  const std::string text = "ab\xC3\xA9\xF0\x9F\x98\x80z";
  EXPECT_EQ(CountCodePoints(text), 5U);
  EXPECT_EQ(CodePointOffset(text, 3), 4U);
  EXPECT_EQ(CodePointOffset(text, 5), text.size());
  EXPECT_EQ(CodePointOffset(text, 6), std::string_view::npos);
  EXPECT_EQ(CountCodePoints(std::string(40, 'a') + "\xFF\xFF"), 42U);
  EXPECT_EQ(CodePointOffset("abc", 4), std::string_view::npos);
  EXPECT_FALSE(IsValidUtf8("\xED\xA0\x80"));
  EXPECT_FALSE(IsValidUtf8("\xC0\x80"));
  EXPECT_EQ(ToValidUtf8("a\xE2\x82"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(DecodeLastRune("x\xC3\xA9").code, U'\u00e9');
}

TEST(WildcardTest, Matches) {
  const struct {
    const char* pattern;
    const char* text;
    bool matches;
  } kCases[] = {
      {"*", "", true},       {"", "", true},          {"", "a", false},
      {"a*c", "abbc", true}, {"a*c", "abcd", false},  {"?b*", "abc", true},
      {"?", "", false},      {"?", "\xC3\xA9", true}, {"*a*b*c*", "xxaxxbxxcxx", true},
      {"a**b", "ab", true},  {"*ab", "aab", true},    {"nginx:?*", "nginx:", false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(WildcardMatch(c.pattern, c.text), c.matches) << c.pattern << " " << c.text;
  }
}

TEST(Base64Test, RoundTripsAndReportsPositions) {
  for (const Base64 kind : {Base64::kStd, Base64::kRawStd, Base64::kUrl, Base64::kRawUrl}) {
    for (const std::string text : {"", "f", "fo", "foo", "foob", "\xFB\xFF\xFE"}) {
      EXPECT_EQ(Base64Decode(Base64Encode(text, kind), kind).value(), text);
    }
  }
  EXPECT_EQ(Base64Decode("aGVs\nbG8=").value(), "hello");
  const std::pair<const char*, int> kBad[] = {{"a", 0},         {"aGVsbG8", 4}, {"aG!s", 2},
                                              {"aGVsbG8=x", 8}, {"====", 0},    {"ab=c", 2}};
  for (const auto& [text, position] : kBad) {
    const auto result = Base64Decode(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.error().message,
              "illegal base64 data at input byte " + std::to_string(position))
        << text;
  }
}

TEST(SuggestTest, FindsTheClosestName) {
  const std::string names[] = {"validations", "variables", "matchConditions"};
  EXPECT_EQ(ClosestName("validation", std::span<const std::string>(names)), "validations");
  EXPECT_EQ(ClosestName("matchcondition", std::span<const std::string>(names)), "matchConditions");
  EXPECT_EQ(ClosestName("zzz", std::span<const std::string>(names)), "");
  EXPECT_EQ(EditDistance("ab", "ba", 3), 1U);
}

}  // namespace
}  // namespace portcullis::base
