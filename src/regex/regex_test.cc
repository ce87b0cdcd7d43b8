#include "regex/regex.h"

#include <gtest/gtest.h>

namespace portcullis::regex {
namespace {

std::string ErrorOf(std::string_view pattern) {
  const auto result = Regex::Compile(pattern);
  return result.ok() ? "ok" : result.error().message;
}

TEST(RegexTest, ErrorsReadAsGos) {
  const struct {
    const char* pattern;
    const char* message;
  } kCases[] = {
      {"a(b", "missing closing ): `a(b`"},
      {"a)", "unexpected ): `a)`"},
      {"[a", "missing closing ]: `[a`"},
      {"[z-a]", "invalid character class range: `z-a`"},
      {"a**", "invalid nested repetition operator: `**`"},
      {"*a", "missing argument to repetition operator: `*`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"a\\", "trailing backslash at end of expression: ``"},
      {"\\C", "invalid escape sequence: `\\C`"},
      {"(?<=a)b", "invalid named capture: `(?<=a)b`"},
      {"(?P<>a)", "invalid named capture: `(?P<>`"},
      {"a(?=b)", "invalid or unsupported Perl syntax: `(?=`"},
      {"\\p{Foo}", "invalid character class range: `\\p{Foo}`"},
      {"(?<a>x)(b", "missing closing ): `(?<a>x)(b`"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(ErrorOf(c.pattern), std::string("error parsing regexp: ") + c.message);
  }
  for (const char* good :
       {"(?<x>b)", "(?P<1x>a)", "[\\d-z]", "\\Qa(b\\E", "[]a]", "[[:alpha:](?<]"}) {
    EXPECT_EQ(ErrorOf(good), "ok") << good;
  }
}

TEST(RegexTest, MatchesLiteralsAndPatternsAlike) {
  const struct {
    const char* pattern;
    const char* text;
    bool partial;
    bool full;
  } kCases[] = {
      {"b", "abc", true, false},      {"^b", "abc", false, false},
      {"^ab", "abc", true, false},    {"bc$", "abc", true, false},
      {"^abc$", "abc", true, true},   {"a\\.c", "a.c", true, true},
      {"a.c", "a\nc", false, false},  {"", "", true, true},
      {"^$", "", true, true},         {"^$", "a", false, false},
      {"[0-9]+", "a12", true, false}, {"\xC3\xA9", "h\xC3\xA9", true, false},
  };
  for (const auto& c : kCases) {
    const auto regex = Regex::Compile(c.pattern).value();
    EXPECT_EQ(regex->PartialMatch(c.text), c.partial) << c.pattern << " on " << c.text;
    EXPECT_EQ(regex->FullMatch(c.text), c.full) << c.pattern << " on " << c.text;
  }
}

TEST(RegexTest, FindAllSkipsEmptyMatchesAfterMatches) {
  const auto find = [](std::string_view pattern, std::string_view text, std::ptrdiff_t limit = -1) {
    std::string out;
    for (const auto match : Regex::Compile(pattern).value()->FindAll(text, limit)) {
      out += "<" + std::string(match) + ">";
    }
    return out;
  };
  EXPECT_EQ(find("[^,]*", "a,b"), "<a><b>");
  EXPECT_EQ(find("", "abc"), "<><><><>");
  EXPECT_EQ(find("", ""), "<>");
  EXPECT_EQ(find("a", "aaa", 2), "<a><a>");
  EXPECT_EQ(find("a", "aaa", 0), "");
  EXPECT_EQ(find("a$", "aba"), "<a>");
  EXPECT_EQ(find("^a", "aaa"), "<a>");
}

TEST(RegexTest, GroupsThatTakeNoPartAreAbsent) {
  const auto regex = Regex::Compile("(?<x>a)|(b)").value();
  std::vector<Group> groups;
  ASSERT_TRUE(regex->FindSubmatch("b", groups));
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_FALSE(groups[1].has_value());
  EXPECT_EQ(groups[2], "b");
  EXPECT_EQ(regex->group_names()[0], "x");
  EXPECT_EQ(regex->group_names()[1], "");
}

TEST(RegexTest, CacheKeepsResultsAndFailures) {
  const auto first = Cached("a+").value();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Cached("x" + std::to_string(i) + "+").ok());
  EXPECT_TRUE(Cached("a+").ok());
  EXPECT_TRUE(first->PartialMatch("caat"));
  EXPECT_FALSE(Cached("(").ok());
  EXPECT_FALSE(Cached("(").ok());
}

}  // namespace
}  // namespace portcullis::regex
