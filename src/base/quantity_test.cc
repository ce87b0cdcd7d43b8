#include "base/quantity.h"

#include <gtest/gtest.h>

#include "base/semver.h"

namespace portcullis::base {
namespace {

TEST(QuantityTest, CanonicalText) {
  const std::pair<const char*, const char*> kCases[] = {
      {"0", "0"},
      {".5", "500m"},
      {"1000", "1k"},
      {"1000m", "1"},
      {"1.5Gi", "1536Mi"},
      {"100Ti", "100Ti"},
      {"1E-2", "10e-3"},
      {"e3", "0"},
      {"1e+3", "1e+3"},
      {"00100", "00100"},
      {"1.000", "1"},
      {"-", "0"},
      {"1e1000", "10e999"},
      {"1e-1000", "1e-9"},
      {"16Ei", "9223372036854775807"},
      {"-8Ei", "-9223372036854775807"},
      {"0.0001Ki", "102400u"},
      {"1e19", "10e18"},
      {"0.1234567891", "123456790n"},
      {"100000000000000000000", "100E"},
      {"0.5Ki", "512"},
      {"1024Ki", "1Mi"},
      {"1000E", "1e21"},
      {"0.1000000000000000000000000000000000000000000000001", "100000001n"},
      {"0.1000000000000000000000000000000000000000000000000", "100m"},
  };
  for (const auto& [text, canonical] : kCases) EXPECT_EQ(Quantity::Canonical(text), canonical);
}

TEST(QuantityTest, RefusesWithKubernetesTexts) {
  for (const char* bad : {"", "1.2.3", " 1", "10Mo", "1_000"}) {
    EXPECT_EQ(Quantity::Parse(bad).error().message,
              "quantities must match the regular expression "
              "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  for (const char* bad : {"10Mm", "1K", "1e", "--1", "1ki"}) {
    EXPECT_EQ(Quantity::Parse(bad).error().message, "unable to parse quantity's suffix");
    EXPECT_FALSE(Quantity::IsValid(bad));
  }
}

TEST(QuantityTest, RepresentationDecidesIntegers) {
  for (const char* integer : {"1", "1k", "99Ti", "12345678901Ki", "1E", "999999999999999999"}) {
    EXPECT_TRUE(Quantity::Parse(integer)->IsInteger()) << integer;
  }
  for (const char* other : {"1.0", "1000m", "1.5Gi", "100Ti", "1Pi", "9223372036854775807"}) {
    EXPECT_FALSE(Quantity::Parse(other)->IsInteger()) << other;
  }
}

TEST(QuantityTest, Arithmetic) {
  const auto q = [](std::string_view text) { return Quantity::Parse(text).value(); };
  EXPECT_EQ(q("50M").Add(q("50Mi")).ToString(), "102428800");
  EXPECT_EQ(q("1Ki").Add(q("1k")).ToString(), "2024");
  EXPECT_EQ(q("1.5Gi").Add(q("1536Mi")).ToString(), "3Gi");
  EXPECT_EQ(q("1").Sub(q("1n")).ToString(), "999999999n");
  EXPECT_EQ(q("0").Sub(q("1Ki")).ToString(), "-1Ki");
  EXPECT_EQ(q("9223372036854775808").Add(q("9223372036854775807")).ToString(),
            "18446744073709551615");
  EXPECT_EQ(q("200M"), q("0.2G"));
  EXPECT_LT(q("50M").Compare(q("50Mi")), 0);
  EXPECT_GT(q("1e1000").Compare(q("1e-1000")), 0);
  EXPECT_EQ(q("1e1000").Add(q("1n")).ToString(), "10e999");
  EXPECT_EQ(q("1500m").Value(), 2);
  EXPECT_EQ(q("1500m").MilliValue(), 1500);
  EXPECT_EQ(q("0.1").Add(q("0.2")).AsApproximateFloat(), 3 * 0.1);
}

TEST(SemverTest, ErrorsAndOrder) {
  const std::pair<const char*, const char*> kBad[] = {
      {"", "Version string empty"},
      {"1.2", "No Major.Minor.Patch elements found"},
      {"01.2.3", "Major number must not contain leading zeroes \"01\""},
      {"1.a.3", "Invalid character(s) found in minor number \"a\""},
      {"1.2.", "strconv.ParseUint: parsing \"\": invalid syntax"},
      {"1.2.3-", "Prerelease is empty"},
      {"1.2.3-01", "Numeric PreRelease version must not contain leading zeroes \"01\""},
      {"1.2.3+", "Build meta data is empty"},
      {"1.2.3+b_d", "Invalid character(s) found in build meta data \"b_d\""},
  };
  for (const auto& [text, message] : kBad) {
    const auto result = ParseSemver(text);
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.error().message, message);
  }
  const char* ascending[] = {"1.0.0-1",    "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
                             "1.0.0-rc.2", "1.0.0-rc.11", "1.0.0",         "1.0.1"};
  for (std::size_t i = 0; i + 1 < std::size(ascending); ++i) {
    EXPECT_LT(ParseSemver(ascending[i])->Compare(*ParseSemver(ascending[i + 1])), 0);
  }
  EXPECT_EQ(ParseSemver("1.0.0+a")->Compare(*ParseSemver("1.0.0+b")), 0);
  EXPECT_EQ(NormalizeSemver("v01.02.03").value(), "1.2.3");
  EXPECT_EQ(NormalizeSemver("v1").value(), "1.0.0");
  EXPECT_EQ(NormalizeSemver("1.2.-3").value(), "1.2.0-3");
  EXPECT_EQ(NormalizeSemver("1-a").error().message,
            "short version cannot contain PreRelease/Build meta data");
}

}  // namespace
}  // namespace portcullis::base
