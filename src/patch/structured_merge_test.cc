#include "patch/structured_merge.h"

#include <gtest/gtest.h>

#include "json/reader.h"
#include "json/writer.h"
#include "patch/go_value_text.h"

namespace portcullis::patch {
namespace {

const schema::Schema& SchemaOf(std::string_view kind) {
  for (const schema::Kind& entry : schema::kBuiltinKinds) {
    if (entry.kind == kind) return *entry.schema;
  }
  ADD_FAILURE() << "no kind " << kind;
  return *schema::kBuiltinKinds[0].schema;
}

struct Case {
  std::string_view kind;
  std::string_view live;
  std::string_view patch;
  std::string_view expected;  // JSON, or the error text
};

class StructuredMerge : public testing::TestWithParam<Case> {};

TEST_P(StructuredMerge, MergesBySchema) {
  base::Arena arena;
  const auto live = json::Parse(GetParam().live, arena);
  const auto patch = json::Parse(GetParam().patch, arena);
  ASSERT_TRUE(live.ok() && patch.ok());
  const MergeResult result = ApplyConfiguration(arena, SchemaOf(GetParam().kind), *live, *patch);
  EXPECT_EQ(result.ok() ? json::ToString(result.value) : result.error, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Merges, StructuredMerge,
    testing::Values(
        Case{"ConfigMap", R"({"data":{"a":"1"}})", R"({"data":{"b":"2"},"metadata":{"name":"x"}})",
             R"({"data":{"a":"1","b":"2"},"metadata":{"name":"x"}})"},
        Case{"ConfigMap", R"({"data":{"a":"1"}})", R"({"data":{}})", R"({"data":{"a":"1"}})"},
        Case{"Pod", R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}})",
             R"({"spec":{"containers":[{"name":"b","image":"2"},{"name":"c"}]}})",
             R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"},)"
             R"({"name":"c"}]}})"},
        Case{"Pod", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
             R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})",
             R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"},
        // The protocol of ports is part of their key and has a default.
        Case{
            "Pod",
            R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":1,"protocol":"TCP"}]}]}})",
            R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":1,"name":"x"}]}]}})",
            R"({"spec":{"containers":[{"name":"a","ports":[)"
            R"({"containerPort":1,"protocol":"TCP","name":"x"}]}]}})"},
        Case{"Pod", R"({"metadata":{"finalizers":["b","c"]}})",
             R"({"metadata":{"finalizers":["a","b"]}})",
             R"({"metadata":{"finalizers":["a","b","c"]}})"},
        Case{"Pod", R"({"metadata":{"finalizers":["x","y"]}})",
             R"({"metadata":{"finalizers":["y","z"]}})",
             R"({"metadata":{"finalizers":["x","y","z"]}})"},
        Case{"PodDisruptionBudget", R"({"spec":{"minAvailable":"50%"}})",
             R"({"spec":{"minAvailable":2}})", R"({"spec":{"minAvailable":2}})"}));

INSTANTIATE_TEST_SUITE_P(
    Refuses, StructuredMerge,
    testing::Values(
        Case{"Deployment", "{}", R"({"spec":{"selector":{"matchLabels":{"a":"b"}}}})",
             "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
             ".spec.selector"},
        Case{"Pod", "{}", R"({"spec":{"containers":[{"name":"a","args":["x"]}],"tolerations":[]}})",
             "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
             ".spec.containers[0].args, .spec.tolerations"},
        Case{"Pod", "{}", R"({"spec":{"imagePullSecrets":[{"name":"r"}]}})",
             "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
             ".spec.imagePullSecrets[0]"},
        Case{"Deployment", "{}", R"({"spec":{"replicas":"3"}})",
             "failed to convert patch object to typed object: .spec.replicas: expected numeric "
             "(int or float), got string"},
        Case{"Deployment", "{}", R"({"spec":{"replicas":null}})",
             "failed to convert patch object to typed object: .spec.replicas: expected numeric "
             "(int or float), got structpb.NullValue"},
        Case{"Pod", "{}", R"({"metadata":{"labels":["a"]}})",
             "failed to convert patch object to typed object: .metadata.labels: expected map, got "
             "&{[a]}"},
        Case{"Pod", "{}", R"({"metadata":{"labels":{"a":1}}})",
             "failed to convert patch object to typed object: .metadata.labels.a: expected string, "
             "got &value.valueUnstructured{Value:1}"},
        Case{"Pod", "{}", R"({"spec":{"nope":1}})",
             "failed to convert patch object to typed object: .spec.nope: field not declared in "
             "schema"},
        Case{"Pod", "{}", R"({"spec":{"hostNetwork":"yes","nope":1}})",
             "failed to convert patch object to typed object: errors:\n"
             "  .spec.hostNetwork: expected boolean, got &{yes}\n"
             "  .spec.nope: field not declared in schema"},
        Case{"Pod", "{}", R"({"spec":{"containers":[{"name":"a"},{"name":"a"}]}})",
             "failed to convert patch object to typed object: .spec.containers: duplicate entries "
             "for key [name=\"a\"]"},
        Case{"Pod", "{}", R"({"spec":{"containers":["a"]}})",
             "failed to convert patch object to typed object: .spec.containers: element 0: "
             "associative list with keys may not have non-map elements"}));

TEST(StructuredMergeValues, CelValuesAreTypeErrors) {
  base::Arena arena;
  const auto entry = [&arena](std::string_view key, const doc::Value& value) {
    const doc::MapEntry one{doc::Value::String(key), value};
    return doc::MakeMap(arena, {&one, 1});
  };
  const auto error = [&](const doc::Value& value) {
    return ApplyConfiguration(arena, SchemaOf("ConfigMap"), doc::Value::EmptyMap(),
                              entry("data", entry("k", value)))
        .error;
  };
  const std::string prefix =
      "failed to convert patch object to typed object: .data.k: expected string, got "
      "&value.valueUnstructured{Value:";
  EXPECT_EQ(error(doc::Value::Bytes("hi")), prefix + "[]uint8{0x68, 0x69}}");
  EXPECT_EQ(error(doc::Value::Duration(90'000'000'000)), prefix + "90000000000}");
  EXPECT_EQ(error(doc::Value::Null()), prefix + "0}");
  EXPECT_EQ(error(doc::Value::Uint(10)), prefix + "0xa}");
  EXPECT_EQ(error(doc::Value::Timestamp(1704067200, 0)),
            prefix + "time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)}");
}

TEST(GoValueText, PrintsLikeFmt) {
  base::Arena arena;
  const auto value = json::Parse(R"({"b":[1,"x",1.5],"a":{"k":true}})", arena);
  EXPECT_EQ(GoPlainText(*value), "map[a:map[k:true] b:[1 x 1.5]]");
  EXPECT_EQ(GoSyntaxText(*value),
            "map[string]interface {}{\"a\":map[string]interface {}{\"k\":true}, "
            "\"b\":[]interface {}{1, \"x\", 1.5}}");
  EXPECT_EQ(GoPlainText(doc::Value::Timestamp(1704067200, 500'000'000)),
            "2024-01-01 00:00:00.5 +0000 UTC");
}

}  // namespace
}  // namespace portcullis::patch
