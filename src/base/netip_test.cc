#include "base/netip.h"

#include <gtest/gtest.h>

#include "base/url.h"
#include "base/validation.h"

namespace portcullis::base {
namespace {

TEST(NetipTest, CanonicalTextOrReason) {
  const std::pair<const char*, const char*> kCases[] = {
      {"127.0.0.1", "127.0.0.1"},
      {"2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"},
      {"::1.2.3.4", "::102:304"},
      {"::", "::"},
      {"1::", "1::"},
      {"1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"},
      {"fe80::1%eth0", "fe80::1%eth0"},
      {"::ffff:1.2.3.4", "::ffff:1.2.3.4"},
      {"", "unable to parse IP"},
      {"1.2.3", "IPv4 address too short"},
      {"1.2.3.04", "IPv4 field has octet with leading zero"},
      {"1.2.3.256", "IPv4 field has value >255"},
      {"1.2..4", "IPv4 field must have at least one digit (at \".4\")"},
      {"1:", "colon must be followed by more characters (at \":\")"},
      {"1::2::3", "multiple :: in address (at \":3\")"},
      {"12345::", "each group must have 4 or less digits (at \"12345::\")"},
      {"fe80::1%", "zone must be a non-empty string"},
      {"1:2:3:4:5:6:7", "address string too short"},
      {"1:2:3:4::5:6:7:8", "the :: must expand to at least one field of zeros"},
  };
  for (const auto& [text, expected] : kCases) {
    const auto result = ParseIpAddress(text);
    EXPECT_EQ(result.ok() ? result->ToString()
                          : result.error().message.substr(result.error().message.find("): ") + 3),
              expected)
        << text;
  }
}

TEST(NetipTest, Prefixes) {
  EXPECT_EQ(ParseIpPrefix("10.1.2.3/8")->Masked().ToString(), "10.0.0.0/8");
  EXPECT_EQ(ParseIpPrefix("2001:db8::1/33")->Masked().ToString(), "2001:db8::/33");
  EXPECT_TRUE(ParseIpPrefix("10.0.0.0/8")->Contains(*ParseIpAddress("10.9.9.9")));
  EXPECT_FALSE(ParseIpPrefix("::/0")->Contains(*ParseIpAddress("10.9.9.9")));
  EXPECT_EQ(ParseIpPrefix("1.2.3.4/08").error().message,
            "netip.ParsePrefix(\"1.2.3.4/08\"): bad bits after slash: \"08\"");
  EXPECT_EQ(ParseIpPrefix("a").error().message, "netip.ParsePrefix(\"a\"): no '/'");
  EXPECT_EQ(ParseIpPrefix("1.2.3.4/33").error().message,
            "netip.ParsePrefix(\"1.2.3.4/33\"): prefix length out of range");
}

TEST(UrlTest, PrintsBackOrFails) {
  const std::pair<const char*, const char*> kCases[] = {
      {"http://example.com:80/path?k=v#f", "http://example.com:80/path?k=v#f"},
      {"https://[fe80::1%25eth0]:80/", "https://[fe80::1%25eth0]:80/"},
      {"http://", "http:"},
      {"http:///p", "http:///p"},
      {"mailto:a@b.c", "mailto:a@b.c"},
      {"HTTP://EXAMPLE.com/", "http://EXAMPLE.com/"},
      {"http://a.com/%41%2F", "http://a.com/%41%2F"},
      {"http://u:p@a.com", "http://u:p@a.com"},
      {"http://a b.com/", "parse \"http://a b.com/\": invalid character \" \" in host name"},
      {"http://::1/", "parse \"http://::1/\": invalid port \"::1\" after host"},
      {"http://%41.com", "parse \"http://%41.com\": invalid URL escape \"%41\""},
      {"://a", "parse \"://a\": missing protocol scheme"},
      {"http://[::1", "parse \"http://[::1\": missing ']' in host"},
      {"a:b:c/d", "a:b:c/d"},
      {"1:b", "parse \"1:b\": first path segment in URL cannot contain colon"},
  };
  for (const auto& [text, expected] : kCases) {
    const auto url = ParseUrl(text);
    EXPECT_EQ(url.ok() ? url->ToString() : url.error().message, expected);
  }
  EXPECT_EQ(ParseRequestUri("example.com").error().message,
            "parse \"example.com\": invalid URI for request");
  EXPECT_EQ(ParseUrl("https://[::1]:8080/x")->Hostname(), "::1");
  EXPECT_EQ(ParseUrl("https://[::1]:8080/x")->Port(), "8080");
  EXPECT_EQ(ParseQuery("a=1&b=%zz&&c=x+y&d;e").size(), 2U);
}

TEST(ValidationTest, NamesAndMessages) {
  EXPECT_TRUE(ValidateDns1123Label("my-name").empty());
  EXPECT_EQ(ValidateDns1123Label("a.b"), Messages{"must not contain dots"});
  EXPECT_EQ(ValidateDns1123Label(std::string(64, 'a')),
            Messages{"must be no more than 63 characters"});
  EXPECT_EQ(ValidateQualifiedName("").size(), 2U);
  EXPECT_EQ(ValidateQualifiedName("").front(), "name part must be non-empty");
  EXPECT_EQ(ValidateLabelValue(std::string(64, 'a')), Messages{"must be no more than 63 bytes"});
  EXPECT_TRUE(ValidateLabelValue("").empty());
  EXPECT_EQ(MaskTrailingDash("ab-"), "aa");
  EXPECT_EQ(MaskTrailingDash(std::string(63, 'a') + "-").size(), 63U);
  EXPECT_EQ(MaskTrailingDash("-"), "-");
  EXPECT_FALSE(IsDns1123Subdomain("a..b"));
  EXPECT_EQ(ValidatePathSegment("a/b"), Messages{"may not contain '/'"});
}

}  // namespace
}  // namespace portcullis::base
