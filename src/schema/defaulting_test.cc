#include "schema/defaulting.h"

#include <gtest/gtest.h>

#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"
#include "schema/image.h"
#include "schema/quality.h"

namespace portcullis::schema {
namespace {

doc::Value Json(base::Arena& arena, std::string_view text) {
  auto parsed = json::Parse(text, arena);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *parsed : doc::Value();
}

struct Row {
  std::string_view name;
  std::string_view in;
  std::string_view out;
};

TEST(Default, Rows) {
  const Row kRows[] = {
      {"empty values go, namespace and zero objects come",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{},
           "creationTimestamp":null},"data":{},"immutable":false})",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default"},
           "immutable":false})"},
      {"cluster-scoped objects lose their namespace",
       R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","namespace":"b"}})",
       R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a",
           "labels":{"kubernetes.io/metadata.name":"a"}},"spec":{},"status":{"phase":"Active"}})"},
      {"stringData wins over data",
       R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},
           "data":{"x":"b2xk","y":"eQ=="},"stringData":{"x":"new"}})",
       R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","namespace":"default"},
           "type":"Opaque","data":{"x":"bmV3","y":"eQ=="}})"},
      {"lists that are always written are null, but an empty one stays",
       R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"a"}})",
       R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role",
           "metadata":{"name":"a","namespace":"default"},"rules":null})"},
      {"quantities are canonical",
       R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"a"},
           "spec":{"hard":{"cpu":2,"memory":"1024Mi","pods":"1000"}}})",
       R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"a","namespace":"default"},
           "spec":{"hard":{"cpu":"2","memory":"1Gi","pods":"1k"}},"status":{}})"},
      {"egress rules imply the egress type",
       R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"a"},
           "spec":{"egress":[{"ports":[{"port":53}]}]}})",
       R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy",
           "metadata":{"name":"a","namespace":"default"},"spec":{"podSelector":{},
           "egress":[{"ports":[{"port":53,"protocol":"TCP"}]}],"policyTypes":["Ingress","Egress"]}})"},
      {"unknown kinds stay",
       R"({"apiVersion":"x.io/v1","kind":"X","metadata":{"name":"a"},"data":{}})",
       R"({"apiVersion":"x.io/v1","kind":"X","metadata":{"name":"a"},"data":{}})"},
      {"wrong types stay",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"b"},"data":[1]})",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"b"},"data":[1]})"},
  };
  for (const Row& row : kRows) {
    base::Arena arena;
    const doc::Value got = Default(Json(arena, row.in), TypeTable::Builtin(), arena);
    EXPECT_TRUE(doc::DataEqual(got, Json(arena, row.out)))
        << row.name << ": " << json::ToString(got);
  }
}

TEST(Default, PodsAreCompletedTemplatesLess) {
  base::Arena arena;
  const doc::Value pod = Default(
      Json(arena, R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[
           {"name":"c","image":"nginx","resources":{"limits":{"cpu":"1"}}}]}})"),
      TypeTable::Builtin(), arena);
  const doc::Value* spec = pod.Find("spec");
  const doc::Value& container = spec->Find("containers")->as_list()[0];
  EXPECT_EQ(container.StringAt("imagePullPolicy"), "Always");
  EXPECT_EQ(container.Find("resources")->Find("requests")->StringAt("cpu"), "1");
  EXPECT_EQ(spec->Find("tolerations")->size(), 2U);
  EXPECT_EQ(spec->Find("priority")->as_int(), 0);

  const doc::Value deployment = Default(
      Json(arena, R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{
           "template":{"spec":{"containers":[{"name":"c","image":"nginx:1",
           "resources":{"limits":{"cpu":"1"}}}]}}}})"),
      TypeTable::Builtin(), arena);
  const doc::Value* tmpl = deployment.Find("spec")->Find("template")->Find("spec");
  EXPECT_EQ(tmpl->Find("tolerations"), nullptr);
  EXPECT_EQ(tmpl->Find("containers")->as_list()[0].Find("resources")->Find("requests"), nullptr);
  EXPECT_TRUE(deployment.Find("spec")->Find("selector")->is_null());
  EXPECT_EQ(deployment.Find("spec")->Find("replicas")->as_int(), 1);
}

TEST(Default, IsIdempotentAndThenSharesEverything) {
  base::Arena arena;
  const doc::Value once = Default(
      Json(arena, R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"a"},"spec":{
           "volumeClaimTemplates":[{"metadata":{"name":"d"}}],
           "template":{"spec":{"containers":[{"name":"c"}]}}}})"),
      TypeTable::Builtin(), arena);
  const doc::Value twice = Default(once, TypeTable::Builtin(), arena);
  EXPECT_TRUE(doc::DataEqual(once, twice));
  const doc::Value* a = once.Find("spec")->Find("template");
  const doc::Value* b = twice.Find("spec")->Find("template");
  EXPECT_EQ(a->map_rep(), b->map_rep());
}

TEST(Default, WarnsOfUnknownFieldsByPath) {
  base::Arena arena;
  std::vector<std::string> warnings;
  DefaultOptions options;
  options.warnings = &warnings;
  Default(Json(arena, R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"foo":1,
           "spec":{"containers":[{"name":"c"},{"name":"d","imagePolicy":"x"}]}})"),
          TypeTable::Builtin(), arena, options);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0], "unknown field \"foo\"");
  EXPECT_EQ(warnings[1], "unknown field \"spec.containers[1].imagePolicy\"");
}

TEST(Default, CustomResources) {
  base::Arena arena;
  TypeTable types;
  ASSERT_TRUE(types
                  .AddCrd(Json(arena, R"({"apiVersion":"apiextensions.k8s.io/v1",
    "kind":"CustomResourceDefinition","spec":{"group":"g.io","scope":"Cluster",
    "names":{"kind":"A","plural":"as"},"versions":[{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
      "default":{},"properties":{
      "n":{"type":"integer","default":3},"s":{"type":"string","nullable":true,"default":"x"},
      "t":{"type":"string"},
      "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true,
        "properties":{"known":{"type":"object"}}},
      "map":{"type":"object","additionalProperties":{"type":"object",
        "properties":{"d":{"type":"boolean","default":true}}}}}}}}}}]}})"))
                  .empty());
  const Row kRows[] = {
      {"defaults in absent objects", R"({"apiVersion":"g.io/v1","kind":"A"})",
       R"({"apiVersion":"g.io/v1","kind":"A","spec":{"n":3,"s":"x"}})"},
      {"nulls", R"({"apiVersion":"g.io/v1","kind":"A","spec":{"n":null,"s":null,"t":null}})",
       R"({"apiVersion":"g.io/v1","kind":"A","spec":{"n":3,"s":null}})"},
      {"pruning, kept parts, map values",
       R"({"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"a","bad":1,"labels":{}},
           "spec":{"u":1,"s":"","n":0,"free":{"x":{"y":1},"known":{"z":1}},
           "map":{"k":{"e":1}}}})",
       R"({"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"a"},
           "spec":{"s":"","n":0,"free":{"x":{"y":1},"known":{}},"map":{"k":{"d":true}}}})"},
  };
  for (const Row& row : kRows) {
    const doc::Value got = Default(Json(arena, row.in), types, arena);
    EXPECT_TRUE(doc::DataEqual(got, Json(arena, row.out)))
        << row.name << ": " << json::ToString(got);
  }
}

TEST(ServerFill, AddsSystemMetadataAndStatus) {
  base::Arena arena;
  ServerFacts facts;
  facts.uid = "u";
  facts.creation_timestamp = "2026-01-01T00:00:00Z";
  const doc::Value pod =
      ServerFill(Json(arena, R"({"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"a-"},
           "spec":{"containers":[{"name":"c","resources":{}}]},"status":{"phase":"Running"}})"),
                 TypeTable::Builtin(), arena, facts);
  EXPECT_EQ(pod.Find("metadata")->StringAt("name"), "a-abcde");
  EXPECT_EQ(pod.Find("metadata")->Find("generation")->as_int(), 1);
  EXPECT_EQ(pod.Find("status")->StringAt("phase"), "Pending");
  EXPECT_EQ(pod.Find("status")->StringAt("qosClass"), "BestEffort");
}

TEST(Image, Latest) {
  const std::pair<std::string_view, bool> kCases[] = {
      {"nginx", true},
      {"nginx:latest", true},
      {"nginx:1", false},
      {"", false},
      {"localhost:5000/nginx", true},
      {"ghcr.io/a/b:v1", false},
      {"Upper/nginx", true},
      {"nginx:", false},
      {"a//b", false},
      {"*:latest", false},
      {"nginx@sha256:abc", false},
      {"ghcr.io/a/b@sha256:"
       "0123456789012345678901234567890123456789012345678901234567890123",
       false},
      {"a__b/c-d.e", true},
      {"a___b", false},
      {"Nginx", false}};
  for (const auto& [image, latest] : kCases) EXPECT_EQ(IsLatestImage(image), latest) << image;
}

TEST(QualityClass, OfContainers) {
  base::Arena arena;
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {R"({"containers":[{"resources":{}}]})", "BestEffort"},
      {R"({"containers":[{"resources":{"requests":{"cpu":"1"}}}]})", "Burstable"},
      {R"({"containers":[{"resources":{"requests":{"cpu":"1000m","memory":"1Gi"},
           "limits":{"cpu":"1","memory":"1024Mi"}}}]})",
       "Guaranteed"},
      {R"({"containers":[{"resources":{"requests":{"cpu":"1","memory":"1Gi"},
           "limits":{"cpu":"1","memory":"1Gi"}}},{"resources":{}}]})",
       "Burstable"}};
  for (const auto& [spec, expected] : kCases) EXPECT_EQ(QualityClass(Json(arena, spec)), expected);
}

}  // namespace
}  // namespace portcullis::schema
