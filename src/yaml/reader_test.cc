#include "yaml/reader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "json/writer.h"
#include "yaml/scalar.h"

namespace portcullis::yaml {
namespace {

std::string Read(std::string_view text, bool strict = false) {
  base::Arena arena;
  const base::Result<doc::Value> value = Parse(text, arena, {.strict = strict});
  if (!value.ok()) return value.error().message;
  return json::ToString(*value);
}

struct Row {
  std::string_view text;
  std::string_view expected;
};

TEST(YamlReader, PlainScalars) {
  const Row rows[] = {
      // The exact table.
      {"y", "true"},
      {"Y", "true"},
      {"Yes", "true"},
      {"on", "true"},
      {"TRUE", "true"},
      {"n", "false"},
      {"No", "false"},
      {"OFF", "false"},
      {"False", "false"},
      {"~", "null"},
      {"null", "null"},
      {"Null", "null"},
      {"", "null"},
      {"tRue", R"("tRue")"},
      {"nULL", R"("nULL")"},
      {"None", R"("None")"},
      {"inf", R"("inf")"},
      {"Infinity", R"("Infinity")"},
      {"<<", R"("<<")"},
      // Numbers.
      {"0o17", "15"},
      {"017", "15"},
      {"08", "8"},
      {"0888", "888"},
      {"0x1F", "31"},
      {"-0x1F", "-31"},
      {"+0x1f", "31"},
      {"0b101", "5"},
      {"-0b11", "-3"},
      {"0b2", R"("0b2")"},
      {"0x", R"("0x")"},
      {"0o8", R"("0o8")"},
      {"1_000", "1000"},
      {"0_7", "7"},
      {"1__0", "10"},
      {"1_", "1"},
      {"-_1", "-1"},
      {"_1", R"("_1")"},
      {"1e", R"("1e")"},
      {"1.2.3", R"("1.2.3")"},
      {"0x1p3", R"("0x1p3")"},
      {"190:20:30", R"("190:20:30")"},
      {"1:30", R"("1:30")"},
      {"+12", "12"},
      {"-0", "0"},
      {".5", "0.5"},
      {"5.", "5"},
      {"0.", "0"},
      {"1e3", "1000"},
      {"1.5e3", "1500"},
      {"12e03", "12000"},
      {"1e5_0", "1e+50"},
      {"1e309", R"("1e309")"},
      {"1e+400", R"("1e+400")"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9223372036854776000"},
      {"18446744073709551616", "18446744073709552000"},
      {"1.0", "1"},
      {"1e20", "100000000000000000000"},
      {"-1.5", "-1.5"},
      {"2001-01-01", R"("2001-01-01")"},
      {"2001-12-14 21:59:43.10 -5", R"("2001-12-14 21:59:43.10 -5")"},
      {".inf", "json: unsupported value: +Inf"},
      {"-.Inf", "json: unsupported value: -Inf"},
      {".NaN", "json: unsupported value: NaN"},
      // Quoting makes strings.
      {"'1'", R"("1")"},
      {"\"true\"", R"("true")"},
      {"|\n 12", R"("12")"},
      {">\n y", R"("y")"},
      {"! 12", R"("12")"},
      {"! 'x'", R"("x")"},
  };
  for (const Row& row : rows) {
    std::string expected(row.expected);
    EXPECT_EQ(Read("- " + std::string(row.text)),
              expected.starts_with("json:") ? expected : "[" + expected + "]")
        << row.text;
  }
}

TEST(YamlReader, WholeNumbersAreIntegers) {
  base::Arena arena;
  const doc::Value list =
      Parse("[1.0, 1e3, 1.5, 1e20, 4611686018427387904.0, 9223372036854775808]", arena).value();
  EXPECT_EQ(list.as_list()[0].tag(), doc::Tag::kInt);
  EXPECT_EQ(list.as_list()[1].as_int(), 1000);
  EXPECT_EQ(list.as_list()[2].tag(), doc::Tag::kDouble);
  EXPECT_EQ(list.as_list()[3].tag(), doc::Tag::kDouble);
  // The shortest digits of 2^62 are padded with zeros on the way through JSON.
  EXPECT_EQ(list.as_list()[4].as_int(), 4611686018427388000);
  EXPECT_EQ(list.as_list()[5].tag(), doc::Tag::kDouble);
}

TEST(YamlReader, Keys) {
  const Row rows[] = {
      {"1: a", R"({"1":"a"})"},
      {"0x10: a", R"({"16":"a"})"},
      {"true: a", R"({"true":"a"})"},
      {"y: a", R"({"true":"a"})"},
      {"off: a", R"({"false":"a"})"},
      {"1.23456789: a", R"({"1.2345679":"a"})"},
      {"1e21: a", R"({"1e+21":"a"})"},
      {"16777217.0: a", R"({"1.6777216e+07":"a"})"},
      {".inf: a", R"({".inf":"a"})"},
      {"-.inf: a", R"({"-.inf":"a"})"},
      {"'1': a", R"({"1":"a"})"},
      {"~: d", "unsupported map key of type: %!s(<nil>), key: <nil>, value: \"d\""},
      {"? [a, b]\n: c", "yaml: invalid map key: []interface {}{\"a\", \"b\"}"},
      {"2001-01-01: a", R"({"2001-01-01":"a"})"},
      {"A: 1\na: 2", R"({"A":1,"a":2})"},
      {"a: 1\nb: 2\na: 3", R"({"a":3,"b":2})"},
  };
  for (const Row& row : rows) EXPECT_EQ(Read(row.text), row.expected) << row.text;
}

TEST(YamlReader, StrictDuplicates) {
  EXPECT_EQ(Read("a: 1\na: 2\n", true),
            "yaml: unmarshal errors:\n  line 2: key \"a\" already set in map");
  EXPECT_EQ(Read("x:\n  b: 1\n  b: 2\na: 1\na: 2\n", true),
            "yaml: unmarshal errors:\n  line 3: key \"b\" already set in map\n"
            "  line 5: key \"a\" already set in map");
  EXPECT_EQ(Read("b: &b {x: 1}\nc: {<<: *b, x: 2}\n", true),
            "yaml: unmarshal errors:\n  line 2: key \"x\" already set in map");
  EXPECT_EQ(Read("A: 1\na: 2\n", true), R"({"A":1,"a":2})");
  base::Arena arena;
  const auto result =
      Parse("a: 1\nb:\n  c: 1\n  c: 2\n", arena, {.strict = true, .first_line = 11});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().span.line, 14U);
  EXPECT_EQ(result.error().span.column, 3U);
  EXPECT_EQ(result.error().hint, "already set at line 13, column 3");
}

TEST(YamlReader, MergeKeys) {
  const Row rows[] = {
      {"a: &a {x: 1, y2: 2}\nb: {<<: *a, x: 3}", R"({"a":{"x":1,"y2":2},"b":{"x":3,"y2":2}})"},
      {"b: {x: 3, <<: {x: 1}}", R"({"b":{"x":1}})"},
      {"- &a {x: 1}\n- &b {x: 2, z: 3}\n- {<<: [*a, *b]}",
       R"([{"x":1},{"x":2,"z":3},{"x":1,"z":3}])"},
      {"{<<: {x: 1}, <<: {x: 2}}", R"({"x":2})"},
      {"{'<<': 1}", R"({"<<":1})"},
      {"{<<: 1}", "yaml: map merge requires map or sequence of maps as the value"},
      {"{<<: [1]}", "yaml: map merge requires map or sequence of maps as the value"},
      {"- &l [{x: 1}]\n- {<<: *l}",
       "yaml: map merge requires map or sequence of maps as the value"},
  };
  for (const Row& row : rows) EXPECT_EQ(Read(row.text), row.expected) << row.text;
}

TEST(YamlReader, Tags) {
  const Row rows[] = {
      {"!!str 123", R"("123")"},
      {"!!int '7'", "7"},
      {"!!float 3", "3"},
      {"!!float 1.5", "1.5"},
      {"!!bool 'yes'", "true"},
      {"!!null ''", "null"},
      {"!!binary aGk=", R"("hi")"},
      {"!!timestamp 2001-01-01", R"("2001-01-01")"},
      {"!!set {a}", R"({"a":null})"},
      {"!foo bar", R"("bar")"},
      {"!foo {a: 1}", R"({"a":1})"},
      {"!!int abc", "yaml: cannot decode !!str `abc` as a !!int"},
      {"!!int 1.5", "yaml: cannot decode !!float `1.5` as a !!int"},
      {"!!timestamp x", "yaml: cannot decode !!str `x` as a !!timestamp"},
      {"!!binary '?'", "yaml: !!binary value contains invalid base64 data"},
      {"&a ! 12", R"("12")"},
      {"! &a 12", R"("12")"},
      {"&a 12", "12"},
  };
  for (const Row& row : rows) EXPECT_EQ(Read(row.text), row.expected) << row.text;
}

TEST(YamlReader, Anchors) {
  const Row rows[] = {
      {"a: &x 1\nb: *x", R"({"a":1,"b":1})"},
      {"&k a: 1\nb: *k", R"({"a":1,"b":"a"})"},
      {"a: *y", "yaml: unknown anchor 'y' referenced"},
      {"a: &a [*a]", "yaml: anchor 'a' value contains itself"},
      {"- &a 1\n- &a 2\n- *a", "[1,2,2]"},
  };
  for (const Row& row : rows) EXPECT_EQ(Read(row.text), row.expected) << row.text;
}

TEST(YamlReader, AliasBomb) {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below;
    for (int j = 1; j < 10; ++j) text += "," + below;
    text += "]\n";
  }
  EXPECT_EQ(Read(text), "yaml: document contains excessive aliasing");
  // Heavy but legal reuse: 50 aliases of a map of 10.
  std::string legal = "a: &a {";
  for (int i = 0; i < 10; ++i) legal += "k" + std::to_string(i) + ": v, ";
  legal += "}\nl:\n";
  for (int i = 0; i < 50; ++i) legal += "- *a\n";
  EXPECT_TRUE(Read(legal).starts_with("{"));
}

TEST(YamlReader, Errors) {
  const Row rows[] = {
      {"a: b: c", "yaml: mapping values are not allowed in this context"},
      {"a: 1\nb: c: d", "yaml: line 2: mapping values are not allowed in this context"},
      {"a:\n\tb: 2", "yaml: line 2: found character that cannot start any token"},
      {"-\n-\ta: b", "yaml: line 2: found character that cannot start any token"},
      {"a:\tb", R"({"a":"b"})"},
      {"a: \x01", "yaml: control characters are not allowed"},
      {std::string_view("a: \0b", 5), "yaml: control characters are not allowed"},
      {"a: \xC3", "yaml: incomplete UTF-8 octet sequence"},
      {"a: \xFFzzzz", "yaml: invalid leading UTF-8 octet"},
      {"a: \"\\uD83D\"", "yaml: found invalid Unicode character escape code"},
      {"a: \"x\\/y\"", "yaml: found unknown escape character"},
      {"a: 1\nb: \"x\\/y\"", "yaml: line 2: found unknown escape character"},
      {"a: \"x\\\\/y\"", R"({"a":"x\\/y"})"},
      {"[a?b]", "yaml: did not find expected ',' or ']'"},
      {"%YAML 1.2\n---\na: 1", "yaml: found incompatible YAML document"},
      {"%YAML 1.1\n---\na: 1", R"({"a":1})"},
      {"a: [1, 2", "yaml: line 1: did not find expected ',' or ']'"},
      {"a: 1\n b: 2\n", "yaml: line 2: mapping values are not allowed in this context"},
      {"\xEF\xBB\xBF"
       "a: 1",
       R"({"a":1})"},
      {"a: 1\r\nb: 2\r\n", R"({"a":1,"b":2})"},
      {"a: x\xC2\x85"
       "b: z",
       R"({"a":"x","b":"z"})"},
      {"", "null"},
      {"# only a comment\n", "null"},
      {"a: 1\n...\nb: 2\n", R"({"a":1})"},
  };
  for (const Row& row : rows) EXPECT_EQ(Read(row.text), row.expected) << row.text;
}

TEST(YamlReader, ErrorPosition) {
  base::Arena arena;
  const auto result = Parse("a: 1\n\xC3\xA9: c: d", arena, {.first_line = 10});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "yaml: line 2: mapping values are not allowed in this context");
  EXPECT_EQ(result.error().span.line, 11U);
  EXPECT_EQ(result.error().span.column, 5U);
}

TEST(YamlReader, StrictRefusesTextAfterTheEnd) {
  EXPECT_EQ(Read("a: 1\n...\nb: 2\n", true), "yaml: content after the end of the document");
  EXPECT_EQ(Read("a: 1\n...\n# end\n", true), R"({"a":1})");
}

TEST(YamlReader, Utf16) {
  const std::string le(
      "\xFF\xFE"
      "a\0:\0 \0\xE9\0\n\0",
      12);
  EXPECT_EQ(Read(le), "{\"a\":\"\xC3\xA9\"}");
  const std::string be(
      "\xFE\xFF"
      "\0a\0:\0 \xD8\x3D\xDE\x00",
      12);
  EXPECT_EQ(Read(be), "{\"a\":\"\xF0\x9F\x98\x80\"}");
  base::Arena arena;
  const auto result = Parse(std::string_view("a\0:\0", 4), arena);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().hint.find("UTF-16"), std::string::npos);
}

TEST(YamlReader, QuotedFlag) {
  base::Arena arena;
  const doc::Value list = Parse("[a, 'b', \"c\"]", arena).value();
  EXPECT_EQ(list.as_list()[0].flags() & doc::Value::kQuoted, 0);
  EXPECT_NE(list.as_list()[1].flags() & doc::Value::kQuoted, 0);
  EXPECT_NE(list.as_list()[2].flags() & doc::Value::kQuoted, 0);
}

TEST(YamlReader, HostileInputIsLinear) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Read(std::string(200000, '[')), "yaml: exceeded max depth of 10000");
  EXPECT_TRUE(Read(std::string(9999, '[') + std::string(9999, ']')).starts_with("[[["));
  EXPECT_TRUE(Read("a: " + std::string(16'000'000, 'x')).starts_with("{\"a\":\"xxx"));
  std::string wide;
  for (int i = 0; i < 200000; ++i) wide += "k" + std::to_string(i) + ": 1\n";
  EXPECT_TRUE(Read(wide).starts_with("{\"k0\":1"));
  EXPECT_FALSE(Read(std::string(9990, '[') + std::string(1'000'000, ',')).starts_with("["));
  std::string anchors;
  for (int i = 0; i < 50000; ++i) anchors += "- &a" + std::to_string(i) + " \xC3\xA9\n";
  EXPECT_TRUE(Read(anchors).starts_with("[\""));
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start);
  EXPECT_LT(seconds.count(), 30);
}

}  // namespace
}  // namespace portcullis::yaml
