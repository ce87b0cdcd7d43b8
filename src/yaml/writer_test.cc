#include "yaml/writer.h"

#include <gtest/gtest.h>

#include <string>

#include "doc/equal.h"
#include "json/reader.h"
#include "yaml/reader.h"

namespace portcullis::yaml {
namespace {

TEST(YamlWriter, Layout) {
  base::Arena arena;
  const doc::Value value =
      json::Parse(R"({"kind":"Pod","spec":{"list":[1,{"a":"x","b":[[2,3],{}]},[]],"e":{}},
                      "text":"a\nb\n","chomp":"a\nb","keep":"a\n\n","null":null})",
                  arena)
          .value();
  EXPECT_EQ(ToString(value),
            "kind: Pod\n"
            "spec:\n"
            "  list:\n"
            "  - 1\n"
            "  - a: x\n"
            "    b:\n"
            "    - - 2\n"
            "      - 3\n"
            "    - {}\n"
            "  - []\n"
            "  e: {}\n"
            "text: |\n"
            "  a\n"
            "  b\n"
            "chomp: |-\n"
            "  a\n"
            "  b\n"
            "keep: |+\n"
            "  a\n"
            "\n"
            "\"null\": null\n");
}

TEST(YamlWriter, Strings) {
  struct Row {
    std::string_view text;
    std::string_view written;
  };
  const Row rows[] = {
      {"web", "web"},
      {"a b", "a b"},
      {"", "\"\""},
      {"true", "\"true\""},
      {"y", "\"y\""},
      {"017", "\"017\""},
      {"1.5", "\"1.5\""},
      {"1:30", "\"1:30\""},
      {"10:80", "10:80"},
      {"2001-01-01", "\"2001-01-01\""},
      {"a: b", "'a: b'"},
      {"a:b", "a:b"},
      {"a #b", "'a #b'"},
      {"*", "'*'"},
      {"- x", "'- x'"},
      {"-x", "-x"},
      {"it's", "it's"},
      {"'q'", "'''q'''"},
      {" x", "' x'"},
      {"x ", "'x '"},
      {"a\tb", "\"a\\tb\""},
      {"<<", "'<<'"},
      {"---", "'---'"},
      {"\xC3\xA9", "\xC3\xA9"},
      {"\x7F", "\"\\x7F\""},
      {"\xE2\x80\xA8", "\"\\u2028\""},
      {"{{ x }}", "'{{ x }}'"},
      {"a \nb", "\"a \\nb\""},
      {"%x", "'%x'"},
      {"a:", "'a:'"},
  };
  base::Arena arena;
  for (const Row& row : rows) {
    const std::string out = ToString(doc::MakeString(arena, row.text));
    EXPECT_EQ(out, std::string(row.written) + "\n");
    const auto back = Parse(out, arena);
    ASSERT_TRUE(back.ok()) << out;
    ASSERT_TRUE(back->is_string()) << out;
    EXPECT_EQ(back->as_string(), row.text);
  }
}

TEST(YamlWriter, ReadsBackAsTheSameData) {
  const std::string_view documents[] = {
      R"({"a":{"b":{"c":["x\ny"," lead\nline\n","\n","\n\nx","x\n\n\n","t\t\nz"]}}})",
      R"([["\n x",[" \n"]],{"k\nk":"v"},{"":""},{"y":1,"1":2,"~":3,"<<":{"a":1}}])",
      R"([1.5,-0.25,1e21,1e-7,9007199254740993,true,null,"\u0000\u0085\ufeff"])",
      R"("root\ntext\n")",
      R"({"a":[{"b":"l1\nl2","c":[["x\ny"]]}]})",
  };
  base::Arena arena;
  for (const std::string_view document : documents) {
    const doc::Value value = json::Parse(document, arena).value();
    const std::string out = ToString(value);
    const auto back = Parse(out, arena);
    ASSERT_TRUE(back.ok()) << back.error().message << "\n" << out;
    EXPECT_TRUE(doc::DataEqual(value, *back)) << out;
  }
}

TEST(YamlWriter, DeepAndLong) {
  base::Arena arena;
  const std::string deep = std::string(5000, '[') + "{\"a\":1}" + std::string(5000, ']');
  const doc::Value value = json::Parse(deep, arena).value();
  const std::string out = ToString(value);
  EXPECT_LT(out.size(), 30000U);
  EXPECT_TRUE(doc::DataEqual(Parse(out, arena).value(), value));
  const std::string key(5000, 'k');
  const doc::Value wide = json::Parse("{\"" + key + "\":{\"a\":1},\"b\":2}", arena).value();
  const auto back = Parse(ToString(wide), arena);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_TRUE(doc::DataEqual(*back, wide));
}

}  // namespace
}  // namespace portcullis::yaml
