#include "json/reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "json/writer.h"

namespace portcullis::json {
namespace {

using doc::Tag;
using doc::Value;

std::string Read(std::string_view text, const ReadOptions& options = {}) {
  base::Arena arena;
  const base::Result<Value> value = Parse(text, arena, options);
  if (!value.ok()) return "error: " + value.error().message;
  return ToString(*value);
}

struct Row {
  std::string_view text;
  std::string_view expected;
};

TEST(JsonReader, Values) {
  const Row rows[] = {
      {"null", "null"},
      {" true ", "true"},
      {"[]", "[]"},
      {"{}", "{}"},
      {"[ 1 , [ ] , { } ]", "[1,[],{}]"},
      {R"({"a":{"b":[1,2,{"c":null}]},"d":false})", R"({"a":{"b":[1,2,{"c":null}]},"d":false})"},
      {R"({"a":1,"b":2,"a":3})", R"({"a":3,"b":2})"},
      {R"({"":1})", R"({"":1})"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "9223372036854776000"},  // a double
      {"1e21", "1e+21"},
      {"1e-7", "1e-7"},
      {"0.1", "0.1"},
      {"123456789012345678901234567890", "1.2345678901234568e+29"},
      {"1e-400", "0"},
      {"\"\\ud83d\\ude00\"", "\"\xF0\x9F\x98\x80\""},
      {"\"\\ud800\"", "\"\xEF\xBF\xBD\""},
      {"\"\\ud800\\u0041\"",
       "\"\xEF\xBF\xBD"
       "A\""},
      {"\"\\udc00x\"", "\"\xEF\xBF\xBDx\""},
      {"\"a\xFF\xFE"
       "b\"",
       "\"a\xEF\xBF\xBD\xEF\xBF\xBD"
       "b\""},
      {"\"\xC3\xA9\"", "\"\xC3\xA9\""},
      {"\"\xED\xA0\x80\"", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
      {R"("\"\\\/\b\f\n\r\t\u0041")", R"("\"\\/\b\f\n\r\tA")"},
      {"\"a long string that spans more than one block of sixteen bytes \\n and goes on\"",
       "\"a long string that spans more than one block of sixteen bytes \\n and goes on\""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Read(row.text), row.expected) << row.text;
  }
}

TEST(JsonReader, Numbers) {
  base::Arena arena;
  const auto parse = [&](std::string_view text) { return Parse(text, arena).value(); };
  EXPECT_EQ(parse("-0").tag(), Tag::kInt);
  EXPECT_EQ(parse("-0").as_int(), 0);
  EXPECT_EQ(parse("-0.0").tag(), Tag::kDouble);
  EXPECT_TRUE(std::signbit(parse("-0.0").as_double()));
  EXPECT_EQ(parse("1.0").tag(), Tag::kDouble);
  EXPECT_EQ(parse("1e2").tag(), Tag::kDouble);
  EXPECT_EQ(parse("1e2").as_double(), 100);
  EXPECT_EQ(parse("9223372036854775808").tag(), Tag::kDouble);
  EXPECT_EQ(parse("18446744073709551616").as_double(), 18446744073709551616.0);
  EXPECT_EQ(parse("2.2250738585072014e-308").as_double(), 2.2250738585072014e-308);
  EXPECT_EQ(parse("1.7976931348623157e308").as_double(), 1.7976931348623157e308);
  EXPECT_EQ(parse("0.30000000000000004").as_double(), 0.30000000000000004);
  EXPECT_EQ(parse("5e-324").as_double(), 5e-324);
}

TEST(JsonReader, Errors) {
  const Row rows[] = {
      {"", "unexpected end of JSON input"},
      {"  ", "unexpected end of JSON input"},
      {"[1", "unexpected end of JSON input"},
      {"\"abc", "unexpected end of JSON input"},
      {"\"abc\\", "invalid character ' ' in string escape code"},
      {"tru", "invalid character ' ' in literal true (expecting 'e')"},
      {"-", "invalid character ' ' in numeric literal"},
      {"1 x", "invalid character 'x' after top-level value"},
      {"01", "invalid character '1' after top-level value"},
      {"{} {}", "invalid character '{' after top-level value"},
      {"\xEF\xBB\xBF{}", "invalid character '\xC3\xAF' looking for beginning of value"},
      {"[1,]", "invalid character ']' looking for beginning of value"},
      {"[1 2]", "invalid character '2' after array element"},
      {"{\"a\":1,}", "invalid character '}' looking for beginning of object key string"},
      {"{a:1}", "invalid character 'a' looking for beginning of object key string"},
      {"{\"a\" 1}", "invalid character '1' after object key"},
      {"{\"a\":1 \"b\"}", "invalid character '\"' after object key:value pair"},
      {"trux", "invalid character 'x' in literal true (expecting 'e')"},
      {"nul!", "invalid character '!' in literal null (expecting 'l')"},
      {"-x", "invalid character 'x' in numeric literal"},
      {"1.x", "invalid character 'x' after decimal point in numeric literal"},
      {"1ex", "invalid character 'x' in exponent of numeric literal"},
      {"\"\\x\"", "invalid character 'x' in string escape code"},
      {"\"\\u00g0\"", "invalid character 'g' in \\u hexadecimal character escape"},
      {"\"a\nb\"", "invalid character '\\n' in string literal"},
      {"'a'", "invalid character '\\'' looking for beginning of value"},
      {std::string_view("\0", 1), "invalid character '\\x00' looking for beginning of value"},
      {"1e400", "json: cannot unmarshal number 1e400 into Go value of type float64"},
      {"-1e400", "json: cannot unmarshal number -1e400 into Go value of type float64"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Read(row.text), "error: " + std::string(row.expected)) << row.text;
  }
}

TEST(JsonReader, ErrorPosition) {
  base::Arena arena;
  const auto result = Parse("{\n  \"\xC3\xA9\": x\n}", arena);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().span.line, 2U);
  EXPECT_EQ(result.error().span.column, 8U);
}

TEST(JsonReader, StrictDuplicateNamesBothPlaces) {
  base::Arena arena;
  const auto result =
      Parse("{\"spec\": {\"list\": [0, {\n\"a\": 1,\n \"a\": 2}]}}", arena, {.strict = true});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "duplicate field \"spec.list[1].a\"");
  EXPECT_EQ(result.error().span.line, 3U);
  EXPECT_EQ(result.error().span.column, 2U);
  EXPECT_EQ(result.error().hint, "already set at line 2, column 1");
}

TEST(JsonReader, DuplicatesInWideMaps) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  text += "\"k7\":\"last\"}";
  base::Arena arena;
  const Value value = Parse(text, arena).value();
  EXPECT_EQ(value.size(), 100U);
  EXPECT_EQ(value.StringAt("k7"), "last");
  EXPECT_EQ(value.as_map()[7].key.as_string(), "k7");
  EXPECT_EQ(value.Find("k99")->as_int(), 99);
  EXPECT_FALSE(Parse(text, arena, {.strict = true}).ok());
}

TEST(JsonReader, Depth) {
  const auto nested = [](std::size_t depth, char open, char close) {
    return std::string(depth, open) + std::string(depth, close);
  };
  EXPECT_EQ(Read(nested(10000, '[', ']')), nested(10000, '[', ']'));
  EXPECT_EQ(Read(nested(10001, '[', ']')), "error: exceeded max depth");
  EXPECT_EQ(Read(std::string(2000000, '[')), "error: exceeded max depth");
}

TEST(JsonReader, FlagsAndViews) {
  const std::string text = R"(["plain","caf)"
                           "\xC3\xA9"
                           R"(","a\nb"])";
  base::Arena arena;
  const Value value = Parse(text, arena, {.input_outlives = true}).value();
  EXPECT_EQ(value.as_list()[0].flags(), Value::kAscii);
  EXPECT_EQ(value.as_list()[1].flags(), Value::kNonAscii);
  EXPECT_EQ(value.as_list()[2].flags(), Value::kAscii);
  EXPECT_EQ(value.as_list()[0].as_string().data(), text.data() + 2);
  const Value copied = Parse(text, arena).value();
  EXPECT_NE(copied.as_list()[0].as_string().data(), text.data() + 2);
}

TEST(JsonReader, Prefix) {
  base::Arena arena;
  const std::string_view text = "{\"a\":1}\n[2] 3";
  std::size_t used = 0;
  EXPECT_EQ(ToString(ParsePrefix(text, arena, &used).value()), "{\"a\":1}");
  EXPECT_EQ(used, 8U);
}

}  // namespace
}  // namespace portcullis::json
