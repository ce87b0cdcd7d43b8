#include "patch/json_patch.h"

#include <gtest/gtest.h>

#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"
#include "patch/diff.h"
#include "patch/json_merge.h"

namespace portcullis::patch {
namespace {

doc::Value Read(base::Arena& arena, std::string_view text) {
  auto value = json::Parse(text, arena);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : doc::Value::Null();
}

struct Case {
  std::string_view document;
  std::string_view patch;
  std::string_view expected;  // JSON, or the error text
};

class JsonPatchTable : public testing::TestWithParam<Case> {};

TEST_P(JsonPatchTable, AppliesLikeTheApiServer) {
  base::Arena arena;
  auto operations = DecodeJsonPatch(Read(arena, GetParam().patch));
  ASSERT_TRUE(operations.ok());
  const doc::Value document = Read(arena, GetParam().document);
  const std::string before = json::ToString(document);
  const JsonPatchResult result = ApplyJsonPatch(arena, document, *operations);
  EXPECT_EQ(json::ToString(document), before) << "the input must stay as it was";
  if (!result.ok()) {
    EXPECT_EQ(result.error, GetParam().expected);
    return;
  }
  EXPECT_EQ(json::ToString(result.value), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Rfc6902, JsonPatchTable,
    testing::Values(
        Case{R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux"}])",
             R"({"foo":"bar","baz":"qux"})"},
        Case{R"({"foo":["bar","baz"]})", R"([{"op":"add","path":"/foo/1","value":"qux"}])",
             R"({"foo":["bar","qux","baz"]})"},
        Case{R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])",
             R"({"foo":"bar"})"},
        Case{R"({"foo":["bar","qux","baz"]})", R"([{"op":"remove","path":"/foo/1"}])",
             R"({"foo":["bar","baz"]})"},
        Case{R"({"baz":"qux","foo":"bar"})", R"([{"op":"replace","path":"/baz","value":"boo"}])",
             R"({"baz":"boo","foo":"bar"})"},
        Case{R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
             R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
             R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
        Case{R"({"foo":["all","grass","cows","eat"]})",
             R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
             R"({"foo":["all","cows","eat","grass"]})"},
        Case{
            R"({"baz":"qux","foo":["a",2,"c"]})",
            R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}])",
            R"({"baz":"qux","foo":["a",2,"c"]})"},
        Case{R"({"baz":"qux"})", R"([{"op":"test","path":"/baz","value":"bar"}])",
             "testing value /baz failed: test failed"},
        Case{R"({"foo":"bar"})", R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
             R"({"foo":"bar","child":{"grandchild":{}}})"},
        Case{R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":10}])",
             R"({"/":9,"~1":10})"},
        Case{R"({"foo":["bar"]})", R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
             R"({"foo":["bar",["abc","def"]]})"}));

INSTANTIATE_TEST_SUITE_P(
    ApiServer, JsonPatchTable,
    testing::Values(
        Case{R"({"a":{}})", R"([{"op":"replace","path":"/a/b","value":1}])", R"({"a":{"b":1}})"},
        Case{R"({"a":{}})", R"([{"op":"copy","from":"/a/x","path":"/a/y"}])",
             R"({"a":{"y":null}})"},
        Case{R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/-1"}])", R"({"a":[1]})"},
        Case{R"({"a":[1,2]})", R"([{"op":"add","path":"/a/-1","value":3}])", R"({"a":[1,2,3]})"},
        Case{R"({"a":[1,2]})", R"([{"op":"replace","path":"/a/00","value":3}])", R"({"a":[3,2]})"},
        Case{R"({"a":1})", R"([{"op":"add","path":"x/b","value":2}])", R"({"a":1,"b":2})"},
        Case{R"({"a":1})", R"([{"op":"replace","path":"","value":{"b":2}}])", R"({"b":2})"},
        Case{R"({"a":1})", R"([{"op":"add","path":"/b"}])", R"({"a":1,"b":null})"},
        Case{R"({"a":1})", R"([{"op":"test","path":"/zz","value":null}])", R"({"a":1})"},
        Case{R"({"a":1})", R"([{"op":"merge","path":"/a"}])", "Unexpected kind: merge"},
        Case{R"({"a":1})", R"([{"path":"/a"}])", "Unexpected kind: unknown"},
        Case{R"({"a":1})", R"([{"op":"add","value":1}])",
             "add operation failed to decode path: missing value"},
        Case{R"({"a":1})", R"([{"op":"add","path":"","value":1}])",
             R"(add operation does not apply: doc is missing path: "": missing value)"},
        Case{R"({"a":1})", R"([{"op":"add","path":"/b/c","value":1}])",
             R"(add operation does not apply: doc is missing path: "/b/c": missing value)"},
        Case{R"({"a":1})", R"([{"op":"replace","path":"/b/c","value":1}])",
             "replace operation does not apply: doc is missing path: /b/c: missing value"},
        Case{R"({"a":{}})", R"([{"op":"remove","path":"/a/zz"}])",
             "error in remove for path: '/a/zz': Unable to remove nonexistent key: zz: "
             "missing value"},
        Case{R"({"a":{}})", R"([{"op":"remove","path":"/b/zz"}])",
             R"(remove operation does not apply: doc is missing path: "/b/zz": missing value)"},
        Case{R"({"a":{}})", R"([{"op":"move","from":"/a/zz","path":"/b"}])",
             "error in move for path: 'zz': Unable to remove nonexistent key: zz: missing value"},
        Case{R"({"a":{}})", R"([{"op":"copy","path":"/b"}])",
             "copy operation failed to decode from: operation, missing from field: missing value"},
        Case{R"({"a":[]})", R"([{"op":"add","path":"/a/7","value":1}])",
             "error in add for path: '/a/7': Unable to access invalid index: 7: "
             "invalid index referenced"},
        Case{R"({"a":[]})", R"([{"op":"add","path":"/a/x","value":1}])",
             "error in add for path: '/a/x': value was not a proper array index: 'x': "
             R"(strconv.Atoi: parsing "x": invalid syntax)"},
        Case{R"({"a":[]})", R"([{"op":"replace","path":"/a/0","value":1}])",
             "replace operation does not apply: doc is missing key: /a/0: missing value"},
        Case{R"({"a":1})", R"([{"op":"test","path":"/b/c","value":1}])",
             "test operation does not apply: is missing path: /b/c: missing value"}));

TEST(JsonPatch, FailedTestIsMarked) {
  base::Arena arena;
  auto operations = DecodeJsonPatch(Read(arena, R"([{"op":"test","path":"/a","value":2}])"));
  const auto result = ApplyJsonPatch(arena, Read(arena, R"({"a":1})"), *operations);
  EXPECT_TRUE(result.test_failed);
}

TEST(JsonPatch, NullThatIsAValueDoesNotEqualAnAbsentKey) {
  base::Arena arena;
  Operation operation;
  operation.op = "test";
  operation.path = "/zz";
  operation.has_value = operation.null_is_value = true;
  EXPECT_TRUE(ApplyJsonPatch(arena, Read(arena, "{}"), {&operation, 1}).test_failed);
}

TEST(JsonPatch, CopiesAreLimited) {
  base::Arena arena;
  std::vector<Operation> operations(64);
  for (Operation& operation : operations) {
    operation.op = "copy";
    operation.from = "/a";
    operation.path = "/a/-";
  }
  const auto result = ApplyJsonPatch(arena, Read(arena, R"({"a":["0123456789"]})"), operations);
  EXPECT_TRUE(result.error.starts_with(
      "Unable to complete the copy, the accumulated size increase of copy is "))
      << result.error;
}

TEST(JsonPatch, DepthIsLimited) {
  base::Arena arena;
  std::vector<Operation> operations;
  for (int i = 0; i < 2000; ++i) {
    Operation wrap;
    wrap.op = "add";
    wrap.path = "/b";
    wrap.has_value = true;
    wrap.value = doc::Value::EmptyMap();
    operations.push_back(wrap);
    Operation in;
    in.op = "move";
    in.from = "/a";
    in.path = "/b/a";
    operations.push_back(in);
    Operation back;
    back.op = "move";
    back.from = "/b";
    back.path = "/a";
    operations.push_back(back);
  }
  const auto result = ApplyJsonPatch(arena, Read(arena, R"({"a":1})"), operations);
  EXPECT_NE(result.error.find("exceeded max depth"), std::string::npos) << result.error;
}

// Quadratic growth would need gigabytes here.
TEST(JsonPatch, ManyOperationsOnOneMapStaySmall) {
  base::Arena arena;
  constexpr std::size_t kMembers = 20000;
  std::vector<doc::MapEntry> entries;
  std::vector<Operation> operations(kMembers);
  for (std::size_t i = 0; i < kMembers; ++i) {
    const std::string key = "k" + std::to_string(i);
    entries.push_back({doc::MakeString(arena, key), doc::Value::Int(1)});
    operations[i].op = "remove";
    operations[i].path = arena.CopyString("/m/" + key);
  }
  const doc::MapEntry root{doc::Value::String("m"), doc::MakeMap(arena, entries)};
  const std::size_t before = arena.bytes_used();
  const auto result = ApplyJsonPatch(arena, doc::MakeMap(arena, {&root, 1}), operations);
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(json::ToString(result.value), R"({"m":{}})");
  EXPECT_LT(arena.bytes_used() - before, std::size_t{1} << 20);
}

TEST(JsonPatch, CanBeInterrupted) {
  base::Arena arena;
  const std::atomic<bool> interrupt{true};
  JsonPatchLimits limits;
  limits.interrupt = &interrupt;
  Operation operation;
  operation.op = "test";
  operation.path = "/a";
  const auto result = ApplyJsonPatch(arena, Read(arena, "{}"), {&operation, 1}, limits);
  EXPECT_EQ(result.error, "operation interrupted");
}

TEST(DecodeJsonPatch, RefusesOtherDocuments) {
  base::Arena arena;
  EXPECT_EQ(DecodeJsonPatch(Read(arena, "{}")).error().message,
            "json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  EXPECT_EQ(DecodeJsonPatch(Read(arena, "[1]")).error().message,
            "json: cannot unmarshal number into Go value of type jsonpatch.Operation");
  EXPECT_TRUE(DecodeJsonPatch(Read(arena, "null"))->empty());
}

TEST(MergePatch, Rfc7386) {
  base::Arena arena;
  struct Row {
    std::string_view target, patch, expected;
  };
  for (const Row& row :
       {Row{R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
        Row{R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
        Row{R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
        Row{R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
        Row{R"(["a","b"])", R"({"a":"b","c":null})", R"({"a":"b"})"},
        Row{R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
        Row{R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"}}) {
    EXPECT_EQ(
        json::ToString(ApplyMergePatch(arena, Read(arena, row.target), Read(arena, row.patch))),
        row.expected);
  }
}

TEST(Diff, EmitsWhatChanged) {
  base::Arena arena;
  const auto operations = Diff(arena, Read(arena, R"({"b":1,"c":{"x/y":1},"l":[1,2],"s":[1,2]})"),
                               Read(arena, R"({"a":[],"c":{"x/y":2},"l":[1,3,4],"s":[1]})"));
  EXPECT_EQ(json::ToString(ToDocument(arena, operations)),
            R"([{"op":"add","path":"/a","value":[]},{"op":"remove","path":"/b"},)"
            R"({"op":"replace","path":"/c/x~1y","value":2},)"
            R"({"op":"replace","path":"/l/1","value":3},{"op":"add","path":"/l/2","value":4},)"
            R"({"op":"replace","path":"/s","value":[1]}])");
}

// A small generator of documents; deterministic.
class Documents {
 public:
  Documents(base::Arena& arena, std::uint32_t seed) : arena_(arena), state_(seed * 2 + 1) {}
  doc::Value Make(int depth) {
    switch (Next() % (depth > 0 ? 7 : 4)) {
      case 0:
        return doc::Value::Int(static_cast<std::int64_t>(Next() % 3));
      case 1:
        return doc::Value::Bool(Next() % 2 == 0);
      case 2:
        return doc::Value::Null();
      case 3:
        return doc::Value::String("s");
      case 4: {
        std::vector<doc::Value> items;
        for (std::uint32_t n = Next() % 4; n > 0; --n) items.push_back(Make(depth - 1));
        return doc::MakeList(arena_, items);
      }
      default: {
        std::vector<doc::MapEntry> entries;
        for (const std::string_view key : {"a", "b", "~/", ""}) {
          if (Next() % 2 == 0) continue;
          entries.push_back({doc::Value::String(key), Make(depth - 1)});
        }
        return doc::MakeMap(arena_, entries);
      }
    }
  }
  doc::Value Object() {
    doc::Value value = Make(4);
    while (!value.is_map()) value = Make(4);
    return value;
  }

 private:
  std::uint32_t Next() {
    state_ = state_ * 1664525U + 1013904223U;
    return state_ >> 16;
  }
  base::Arena& arena_;
  std::uint32_t state_;
};

TEST(Diff, AppliedToTheFirstGivesTheSecond) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    base::Arena arena;
    Documents documents(arena, seed);
    const doc::Value a = documents.Object();
    const doc::Value b = documents.Object();
    const auto result = ApplyJsonPatch(arena, a, Diff(arena, a, b));
    ASSERT_TRUE(result.ok()) << result.error << " " << json::ToString(a) << json::ToString(b);
    ASSERT_TRUE(doc::DataEqual(result.value, b))
        << json::ToString(a) << " " << json::ToString(b) << " " << json::ToString(result.value);
  }
}

}  // namespace
}  // namespace portcullis::patch
