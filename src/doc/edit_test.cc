#include "doc/edit.h"

#include <gtest/gtest.h>

#include <string>

#include "doc/equal.h"

namespace portcullis::doc {
namespace {

// A small printer, so that this layer needs no JSON.
std::string Show(const Value& v) {
  std::string out;
  switch (v.tag()) {
    case Tag::kInt:
      return std::to_string(v.as_int());
    case Tag::kString:
      return std::string(v.as_string());
    case Tag::kList:
      for (const Value& item : v.as_list()) out += (out.empty() ? "" : ",") + Show(item);
      return "[" + out + "]";
    case Tag::kMap:
      for (const MapEntry& e : v.as_map()) {
        out += (out.empty() ? "" : ",") + Show(e.key) + ":" + Show(e.value);
      }
      return "{" + out + "}";
    default:
      return "?";
  }
}

class EditTest : public testing::Test {
 protected:
  base::Arena arena_;
  // {a:1,b:{c:[10,20]}}
  Value root_ = [this] {
    const Value items[] = {Value::Int(10), Value::Int(20)};
    MapBuilder inner;
    inner.Set("c", MakeList(arena_, items));
    MapBuilder outer;
    outer.Set("a", Value::Int(1));
    outer.Set("b", inner.Build(arena_));
    return outer.Build(arena_);
  }();

  std::string Set(std::string_view path, bool create = false) {
    const auto r =
        SetAt(arena_, root_, ParsePath(path).value(), Value::Int(9), {.create_parents = create});
    return r.ok() ? Show(*r) : "error at " + r.error().path;
  }
  std::string Remove(std::string_view path) {
    const auto r = RemoveAt(arena_, root_, ParsePath(path).value());
    return r.ok() ? Show(*r) : "error at " + r.error().path;
  }
  std::string Insert(std::string_view path) {
    const auto r = InsertAt(arena_, root_, ParsePath(path).value(), Value::Int(9));
    return r.ok() ? Show(*r) : "error at " + r.error().path;
  }
};

TEST_F(EditTest, Set) {
  EXPECT_EQ(Set(""), "9");
  EXPECT_EQ(Set("a"), "{a:9,b:{c:[10,20]}}");
  EXPECT_EQ(Set("b.c[1]"), "{a:1,b:{c:[10,9]}}");
  EXPECT_EQ(Set("b.c[2]"), "{a:1,b:{c:[10,20,9]}}");
  EXPECT_EQ(Set("b.c[3]"), "error at b.c[3]");
  EXPECT_EQ(Set("x.y"), "error at x");
  EXPECT_EQ(Set("x.y", true), "{a:1,b:{c:[10,20]},x:{y:9}}");
  EXPECT_EQ(Set("x[0]", true), "{a:1,b:{c:[10,20]},x:[9]}");
  EXPECT_EQ(Set("a.y", true), "error at a.y");
  EXPECT_EQ(Show(root_), "{a:1,b:{c:[10,20]}}");
}

TEST_F(EditTest, RemoveAndInsert) {
  EXPECT_EQ(Remove("a"), "{b:{c:[10,20]}}");
  EXPECT_EQ(Remove("b.c[0]"), "{a:1,b:{c:[20]}}");
  EXPECT_EQ(Remove("b.c[2]"), "error at b.c[2]");
  EXPECT_EQ(Remove("b.z"), "error at b.z");
  EXPECT_EQ(Remove(""), "error at ");
  EXPECT_EQ(Insert("b.c[0]"), "{a:1,b:{c:[9,10,20]}}");
  EXPECT_EQ(Insert("b.c[2]"), "{a:1,b:{c:[10,20,9]}}");
  EXPECT_EQ(Insert("b.c[3]"), "error at b.c[3]");
}

TEST_F(EditTest, SharesUntouchedSubtrees) {
  const Value changed = SetAt(arena_, root_, ParsePath("a").value(), Value::Int(2)).value();
  EXPECT_EQ(changed.Find("b")->map_rep(), root_.Find("b")->map_rep());
  const Value copy = DeepCopy(arena_, root_);
  EXPECT_NE(copy.Find("b")->map_rep(), root_.Find("b")->map_rep());
  EXPECT_TRUE(DataEqual(copy, root_));
}

TEST(MapBuilder, WideMaps) {
  base::Arena arena;
  MapBuilder builder;
  for (int i = 0; i < 1000; ++i) {
    builder.Set(MakeString(arena, "k" + std::to_string(i % 500)), Value::Int(i));
  }
  EXPECT_EQ(builder.size(), 500U);
  EXPECT_TRUE(builder.Remove("k3"));
  EXPECT_FALSE(builder.Remove("k3"));
  const Value map = builder.Build(arena);
  EXPECT_EQ(map.Find("k499")->as_int(), 999);
  EXPECT_EQ(map.Find("k3"), nullptr);
  EXPECT_EQ(MapBuilder(map).size(), 499U);
}

TEST(DataEqual, Numbers) {
  EXPECT_TRUE(DataEqual(Value::Int(1), Value::Double(1)));
  EXPECT_TRUE(DataEqual(Value::Int(1), Value::Uint(1)));
  EXPECT_FALSE(DataEqual(Value::Int(-1), Value::Uint(0xFFFFFFFFFFFFFFFFULL)));
  EXPECT_FALSE(DataEqual(Value::Int(9223372036854775807), Value::Double(9223372036854775808.0)));
  EXPECT_FALSE(DataEqual(Value::Int(1), Value::Double(1.5)));
  EXPECT_FALSE(DataEqual(Value::Int(0), Value::Bool(false)));
  EXPECT_EQ(CompareNumbers(Value::Double(-1.5), Value::Int(-1)), -1);
  EXPECT_EQ(CompareNumbers(Value::Uint(5), Value::Double(4.5)), 1);
}

TEST(DataEqual, Containers) {
  base::Arena arena;
  const auto map = [&](std::initializer_list<std::pair<const char*, int>> entries) {
    MapBuilder b;
    for (const auto& [k, v] : entries) b.Set(k, Value::Int(v));
    return b.Build(arena);
  };
  EXPECT_TRUE(DataEqual(map({{"a", 1}, {"b", 2}}), map({{"b", 2}, {"a", 1}})));
  EXPECT_FALSE(DataEqual(map({{"a", 1}, {"b", 2}}), map({{"a", 1}, {"c", 2}})));
  EXPECT_FALSE(DataEqual(map({{"a", 1}}), map({{"a", 1}, {"c", 2}})));
  const Value ab[] = {Value::Int(1), Value::Int(2)};
  const Value ba[] = {Value::Int(2), Value::Int(1)};
  EXPECT_FALSE(DataEqual(MakeList(arena, ab), MakeList(arena, ba)));
  EXPECT_FALSE(DataEqual(MakeList(arena, {}), Value::EmptyMap()));
}

}  // namespace
}  // namespace portcullis::doc
