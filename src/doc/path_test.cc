#include "doc/path.h"

#include <gtest/gtest.h>

#include "doc/edit.h"
#include "doc/text_position.h"

namespace portcullis::doc {
namespace {

TEST(Path, RenderAndParse) {
  struct Row {
    std::string_view text;
    std::string_view rendered;  // empty: the same
  };
  const Row rows[] = {
      {"", ""},
      {"spec.containers[0].image", ""},
      {"metadata.labels[\"app.kubernetes.io/name\"]", ""},
      {"metadata.labels[app.kubernetes.io/name]", "metadata.labels[\"app.kubernetes.io/name\"]"},
      {"metadata.labels['a b'].c", "metadata.labels[\"a b\"].c"},
      {"a[\"q\\\"\\\\\"]", ""},
      {"[0][1]", ""},
      {"[\"\"].x", ""},
      {"$.spec", "spec"},
  };
  for (const Row& row : rows) {
    const auto path = ParsePath(row.text);
    ASSERT_TRUE(path.ok()) << row.text;
    EXPECT_EQ(RenderPath(*path), row.rendered.empty() ? row.text : row.rendered);
  }
  for (const char* bad : {"a..b", "a[", "a[]", "a[\"x", "a[\"x\"", ".", "a[0]b"}) {
    EXPECT_FALSE(ParsePath(bad).ok()) << bad;
  }
}

TEST(Pointer, ParseAndRender) {
  const auto tokens = ParsePointer("/a~1b/m~0n/0/~x/");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ(*tokens, (std::vector<std::string>{"a/b", "m~n", "0", "~x", ""}));
  EXPECT_EQ(RenderPointer(*tokens), "/a~1b/m~0n/0/~0x/");
  EXPECT_TRUE(ParsePointer("").value().empty());
  EXPECT_FALSE(ParsePointer("a").ok());
}

TEST(Pointer, Lookup) {
  base::Arena arena;
  const Value items[] = {Value::Int(5)};
  MapBuilder b;
  b.Set("l", MakeList(arena, items));
  b.Set("0", Value::Int(7));
  const Value root = b.Build(arena);
  const auto at = [&](std::string_view p) {
    const Value* v = LookupPointer(root, ParsePointer(p).value());
    return v == nullptr ? -1 : v->as_int();
  };
  EXPECT_EQ(at("/l/0"), 5);
  EXPECT_EQ(at("/l/00"), -1);
  EXPECT_EQ(at("/l/1"), -1);
  EXPECT_EQ(at("/0"), 7);
  EXPECT_EQ(RenderPath(PointerToPath(root, ParsePointer("/l/0").value())), "l[0]");
  EXPECT_EQ(RenderPath(PointerToPath(root, ParsePointer("/x/0").value())), "x.0");
}

TEST(TextPosition, LinesAndColumns) {
  const std::string_view text = "ab\r\n\xC3\xA9z\rq\n";
  EXPECT_EQ(PositionAt(text, 0).column, 1U);
  EXPECT_EQ(PositionAt(text, 4).line, 2U);
  EXPECT_EQ(PositionAt(text, 6).column, 2U);
  EXPECT_EQ(PositionAt(text, 8).line, 3U);
  EXPECT_EQ(PositionAt(text, 99).line, 4U);
  EXPECT_EQ(PositionAt("\xEF\xBB\xBFx", 3).column, 1U);
}

}  // namespace
}  // namespace portcullis::doc
