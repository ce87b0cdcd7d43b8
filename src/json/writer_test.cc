#include "json/writer.h"

#include <gtest/gtest.h>

#include "json/reader.h"

namespace portcullis::json {
namespace {

doc::Value Read(base::Arena& arena, std::string_view text) { return Parse(text, arena).value(); }

TEST(JsonWriter, Layout) {
  base::Arena arena;
  const doc::Value value = Read(arena, R"({"b":[1,{"c":[]}],"a":{"x":{},"<":"&"}})");
  EXPECT_EQ(ToString(value), R"({"b":[1,{"c":[]}],"a":{"x":{},"<":"&"}})");
  EXPECT_EQ(ToString(value, {.escape_html = true, .sort_keys = true}),
            R"({"a":{"\u003c":"\u0026","x":{}},"b":[1,{"c":[]}]})");
  EXPECT_EQ(ToString(value, {.indent = 2}),
            "{\n  \"b\": [\n    1,\n    {\n      \"c\": []\n    }\n  ],\n"
            "  \"a\": {\n    \"x\": {},\n    \"<\": \"&\"\n  }\n}");
}

TEST(JsonWriter, Scalars) {
  base::Arena arena;
  struct Row {
    std::string_view in;
    std::string_view out;
  };
  const Row rows[] = {
      {"1.0", "1"},
      {"1e20", "100000000000000000000"},
      {"1e21", "1e+21"},
      {"1e-6", "0.000001"},
      {"1e-7", "1e-7"},
      {"-0.0", "-0"},
      {"\"\\u0001\\u2028\\u007f\"", "\"\\u0001\\u2028\x7F\""},
  };
  for (const Row& row : rows) EXPECT_EQ(ToString(Read(arena, row.in)), row.out) << row.in;
}

}  // namespace
}  // namespace portcullis::json
