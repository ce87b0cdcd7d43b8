#include "schema/type_table.h"

#include <gtest/gtest.h>

#include "json/reader.h"

namespace portcullis::schema {
namespace {

doc::Value Json(base::Arena& arena, std::string_view text) {
  auto parsed = json::Parse(text, arena);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *parsed : doc::Value();
}

constexpr std::string_view kWidget = R"({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "widgets.example.com"},
  "spec": {"group": "example.com", "scope": "Namespaced",
    "names": {"kind": "Widget", "plural": "widgets", "shortNames": ["wd", "wdg"]},
    "versions": [
      {"name": "v1alpha1", "served": false, "storage": false,
       "schema": {"openAPIV3Schema": {"type": "object"}}},
      {"name": "v1beta1", "served": true, "storage": false,
       "schema": {"openAPIV3Schema": {"type": "object"}}},
      {"name": "v1", "served": true, "storage": true, "subresources": {"status": {}, "scale": {}},
       "schema": {"openAPIV3Schema": {"type": "object", "properties": {
         "spec": {"type": "object", "required": ["size"], "properties": {
           "size": {"type": "integer", "default": 1},
           "parts": {"type": "array", "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": ["name"],
             "items": {"type": "object", "properties": {"name": {"type": "string"}}}}}}}}}}]}})";

TEST(BuiltinTable, FieldsOfEveryTypeAreFound) {
  for (const Schema& node : kBuiltinSchemas) {
    for (const Field& field : node.fields()) {
      EXPECT_EQ(node.FindField(field.name), &field) << node.type_name << "." << field.name;
    }
    EXPECT_EQ(node.FindField("noSuchField"), nullptr);
  }
  for (const Schema* type : kBuiltinTypes) {
    if (type == nullptr) continue;
    EXPECT_EQ(FindBuiltinType(type->type_name), type) << type->type_name;
  }
  EXPECT_EQ(FindBuiltinType("io.k8s.api.core.v1.Pot"), nullptr);
}

TEST(BuiltinTable, ListsAndMapsSayHowTheyMerge) {
  const Schema* container = FindBuiltinType("io.k8s.api.core.v1.Container");
  ASSERT_NE(container, nullptr);
  const Schema* ports = container->FindField("ports")->schema;
  EXPECT_EQ(ports->list_type, ListType::kMap);
  ASSERT_EQ(ports->keys().size(), 2U);
  EXPECT_EQ(ports->keys()[0], "containerPort");
  EXPECT_EQ(ports->merge_key, "containerPort");
  EXPECT_FALSE(ports->atomic());
  EXPECT_TRUE(container->FindField("args")->schema->atomic());
  EXPECT_TRUE(FindBuiltinType("io.k8s.api.core.v1.SecretKeySelector")->atomic());
  const Schema* service = FindBuiltinType("io.k8s.api.core.v1.ServiceSpec");
  EXPECT_TRUE(service->FindField("selector")->schema->atomic());
}

TEST(TypeTable, FindsKindsAndResources) {
  const TypeTable& types = TypeTable::Builtin();
  const Kind* deployment = types.FindKind("apps/v1", "Deployment");
  ASSERT_NE(deployment, nullptr);
  EXPECT_EQ(deployment->plural, "deployments");
  EXPECT_TRUE(deployment->namespaced);
  const Subresource* scale = deployment->FindSubresource("scale");
  ASSERT_NE(scale, nullptr);
  EXPECT_EQ(scale->group, "autoscaling");
  EXPECT_EQ(types.FindResource("apps", "v1", "deployments"), deployment);
  EXPECT_FALSE(types.FindKind("v1", "Namespace")->namespaced);
  EXPECT_EQ(types.FindKind("apps/v1", "Pod"), nullptr);
  EXPECT_TRUE(types.FindKind("v1", "PodList")->plural.empty());
}

TEST(TypeTable, UnderstandsWhatUsersWrite) {
  const TypeTable& types = TypeTable::Builtin();
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"deploy", "Deployment"},
      {"Deployment", "Deployment"},
      {"deployments", "Deployment"},
      {"deployments.apps", "Deployment"},
      {"deployments.v1.apps", "Deployment"},
      {"po", "Pod"},
      {"netpol", "NetworkPolicy"},
      {"EVENTS", "Event"}};
  for (const auto& [name, kind] : kCases) {
    const Kind* found = types.FindByName(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->kind, kind) << name;
  }
  EXPECT_EQ(types.FindByName("deployments.batch"), nullptr);
  EXPECT_EQ(types.FindByName("event")->group, "");
}

TEST(TypeTable, SuggestsKinds) {
  const TypeTable& types = TypeTable::Builtin();
  EXPECT_EQ(types.ClosestKind("Deploymnet"), "Deployment");
  EXPECT_EQ(types.ClosestKind("deployment"), "Deployment");
  EXPECT_EQ(types.ClosestKind("Pods", "v1"), "Pod");
  EXPECT_EQ(types.ClosestKind("Zebra"), "");
  EXPECT_EQ(types.ClosestApiVersion("extensions/v1beta1", "Ingress"), "networking.k8s.io/v1");
}

TEST(TypeTable, EquivalentVersionsPreferredFirst) {
  const auto versions = TypeTable::Builtin().Versions("autoscaling", "HorizontalPodAutoscaler");
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions[0]->version, "v2");
  EXPECT_EQ(versions[1]->version, "v1");
}

TEST(TypeTable, AddsDefinitions) {
  base::Arena arena;
  TypeTable types;
  EXPECT_TRUE(types.AddCrd(Json(arena, kWidget)).empty());
  const Kind* widget = types.FindKind("example.com/v1", "Widget");
  ASSERT_NE(widget, nullptr);
  EXPECT_TRUE(widget->custom);
  EXPECT_EQ(widget->singular, "widget");
  EXPECT_NE(widget->FindSubresource("status"), nullptr);
  EXPECT_EQ(widget->FindSubresource("scale")->kind, "Scale");
  EXPECT_EQ(types.FindByName("wdg"), widget);
  EXPECT_EQ(types.FindKind("example.com/v1alpha1", "Widget"), nullptr);
  EXPECT_EQ(types.ResourceVersions("example.com", "widgets").size(), 2U);
  const Schema* spec = widget->schema->Child("spec");
  ASSERT_NE(spec, nullptr);
  EXPECT_TRUE(spec->FindField("size")->required());
  EXPECT_EQ(spec->Child("parts")->keys()[0], "name");
  // A later definition of the same name replaces the earlier one.
  EXPECT_TRUE(types.AddCrd(Json(arena, kWidget)).empty());
  EXPECT_EQ(types.ResourceVersions("example.com", "widgets").size(), 2U);
}

TEST(TypeTable, RefusesWhatHasNoMeaning) {
  struct Case {
    std::string_view crd;
    std::string_view path;
  };
  const Case kCases[] = {
      {R"({"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1"})", "spec"},
      {R"({"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1beta1",
           "spec": {}})",
       "apiVersion"},
      {R"({"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1",
           "spec": {"group": "g.io", "scope": "Cluster", "names": {"kind": "A", "plural": "as"},
           "versions": [{"name": "v1", "served": true, "storage": true}]}})",
       "spec.versions[0].schema.openAPIV3Schema"},
      {R"({"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1",
           "spec": {"group": "g.io", "scope": "Cluster", "names": {"kind": "A", "plural": "as"},
           "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
             "openAPIV3Schema": {"type": "object", "properties": {"a": {}}}}}]}})",
       "spec.versions[0].schema.openAPIV3Schema.properties[a].type"},
  };
  for (const Case& test : kCases) {
    base::Arena arena;
    TypeTable types;
    const base::ErrorList errors = types.AddCrd(Json(arena, test.crd));
    ASSERT_FALSE(errors.empty()) << test.crd;
    EXPECT_EQ(errors[0].path, test.path);
    EXPECT_EQ(types.FindByName("as"), nullptr);
  }
}

}  // namespace
}  // namespace portcullis::schema
