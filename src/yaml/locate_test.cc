#include "yaml/locate.h"

#include <gtest/gtest.h>

#include <string>

namespace portcullis::yaml {
namespace {

// "key line:column value line:column", with `matched/of` when the path does not exist.
std::string Where(std::string_view text, std::string_view path, std::uint32_t first_line = 1) {
  const doc::Path steps = doc::ParsePath(path).value();
  const doc::PathLocation at = Locate(text, steps, first_line);
  std::string out = std::to_string(at.key.line) + ":" + std::to_string(at.key.column) + " " +
                    std::to_string(at.value.line) + ":" + std::to_string(at.value.column);
  if (!at.exact) out += " " + std::to_string(at.matched) + "/" + std::to_string(steps.size());
  return out;
}

TEST(Locate, Yaml) {
  constexpr std::string_view kText =
      "# comment\n"
      "metadata:\n"
      "  labels:\n"
      "    app.kubernetes.io/name: web\n"
      "    \xC3\xA9: {x: 1}\n"
      "spec:\n"
      "  list:\n"
      "  - name: a\n"
      "    image: b\n"
      "  - - 1\n"
      "    - 2\n"
      "y: 1\n";
  EXPECT_EQ(Where(kText, ""), "2:1 2:1");
  EXPECT_EQ(Where(kText, "metadata.labels"), "3:3 4:5");
  EXPECT_EQ(Where(kText, "metadata.labels[app.kubernetes.io/name]"), "4:5 4:29");
  EXPECT_EQ(Where(kText, "metadata.labels[\"\xC3\xA9\"].x"), "5:9 5:12");
  EXPECT_EQ(Where(kText, "spec.list[0]"), "8:5 8:5");
  EXPECT_EQ(Where(kText, "spec.list[0].image"), "9:5 9:12");
  EXPECT_EQ(Where(kText, "spec.list[1][1]"), "11:7 11:7");
  EXPECT_EQ(Where(kText, "true"), "12:1 12:4");
  EXPECT_EQ(Where(kText, "spec.list[7].x"), "7:3 8:3 2/4");
  EXPECT_EQ(Where(kText, "nothing"), "2:1 2:1 0/1");
  EXPECT_EQ(Where(kText, "spec", 101), "106:1 107:3");
}

TEST(Locate, AliasesAndMerges) {
  constexpr std::string_view kText =
      "base: &b\n"
      "  x: 1\n"
      "  y2: 2\n"
      "a: *b\n"
      "c:\n"
      "  <<: *b\n"
      "  x: 3\n"
      "d: {<<: [{z: 1}, *b]}\n";
  EXPECT_EQ(Where(kText, "a.y2"), "3:3 3:7");
  EXPECT_EQ(Where(kText, "c.x"), "7:3 7:6");
  EXPECT_EQ(Where(kText, "c.y2"), "3:3 3:7");
  EXPECT_EQ(Where(kText, "d.z"), "8:11 8:14");
}

TEST(Locate, Json) {
  constexpr std::string_view kText =
      "{\"a\": [1, {\"b\\n\": 2}],\n"
      " \"s\": \"\\ud83d\\ude00\", \"t\": {}, \"a2\": null}";
  EXPECT_EQ(Where(kText, "a[1]"), "1:11 1:11");
  EXPECT_EQ(Where(kText, "a[1][\"b\n\"]"), "1:12 1:19");
  EXPECT_EQ(Where(kText, "t"), "2:23 2:28");
  EXPECT_EQ(Where(kText, "a2", 5), "6:32 6:38");
  EXPECT_EQ(Where(kText, "a[5]"), "1:2 1:7 1/2");
}

TEST(Locate, BrokenText) {
  EXPECT_EQ(Where("a: [1", "a[0]"), "1:5 1:5");
  EXPECT_EQ(Where("", "a"), "1:1 1:1 0/1");
  EXPECT_EQ(Where("{\"a\": \"", "a.b"), "1:2 1:7 1/2");
}

}  // namespace
}  // namespace portcullis::yaml
