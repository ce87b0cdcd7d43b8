#include "cel/check/schema_types.h"

#include <gtest/gtest.h>

#include "schema/type_table.h"

namespace portcullis::cel {
namespace {

struct EscapeCase {
  const char* property;
  const char* identifier;
};

class EscapeTest : public testing::TestWithParam<EscapeCase> {};

TEST_P(EscapeTest, BothWays) {
  EXPECT_EQ(EscapeProperty(GetParam().property), GetParam().identifier);
  EXPECT_EQ(UnescapeProperty(GetParam().identifier), GetParam().property);
}

INSTANTIATE_TEST_SUITE_P(
    Names, EscapeTest,
    testing::Values(EscapeCase{"replicas", "replicas"}, EscapeCase{"namespace", "__namespace__"},
                    EscapeCase{"a-b", "a__dash__b"}, EscapeCase{"a.b/c", "a__dot__b__slash__c"},
                    EscapeCase{"a__b", "a__underscores__b"}, EscapeCase{"_x", "_x"},
                    EscapeCase{"namespaces", "namespaces"}));

TEST(EscapePropertyTest, WhatCannotBeReached) {
  EXPECT_EQ(EscapeProperty("1st"), "");
  EXPECT_EQ(EscapeProperty("a b"), "");
  EXPECT_EQ(UnescapeProperty("a-b"), "");
  EXPECT_EQ(UnescapeProperty("namespace"), "");
  EXPECT_EQ(UnescapeProperty("a__b"), "");
}

class DeploymentTypesTest : public testing::Test {
 protected:
  DeploymentTypesTest()
      : types_("Deployment",
               *schema::TypeTable::Builtin().FindKind("apps/v1", "Deployment")->schema) {}

  std::string Field(std::string_view type_name, std::string_view field) const {
    const Type* type = types_.FieldType(type_name, field);
    return type == nullptr ? "none" : CheckerName(*type);
  }

  SchemaTypes types_;
};

TEST_F(DeploymentTypesTest, FieldsByPath) {
  ASSERT_NE(types_.root_type(), nullptr);
  EXPECT_EQ(CheckerName(*types_.root_type()), "Deployment");
  EXPECT_EQ(Field("Deployment", "spec"), "Deployment.spec");
  EXPECT_EQ(Field("Deployment.spec", "replicas"), "int");
  EXPECT_EQ(Field("Deployment.spec", "nothing"), "none");
  EXPECT_EQ(Field("Deployment.spec.template.spec", "containers"),
            "list(Deployment.spec.template.spec.containers.@idx)");
  EXPECT_EQ(Field("Deployment.spec.template.spec.containers.@idx", "image"), "string");
  EXPECT_EQ(Field("Deployment.metadata", "labels"), "map(string, string)");
  EXPECT_EQ(Field("Deployment.metadata", "creationTimestamp"), "timestamp");
  EXPECT_EQ(Field("Deployment.spec.strategy.rollingUpdate", "maxSurge"), "dyn");
}

TEST_F(DeploymentTypesTest, QuantitiesHaveNoType) {
  EXPECT_EQ(Field("Deployment.spec.template.spec.containers.@idx.resources", "limits"), "none");
}

TEST_F(DeploymentTypesTest, ReservedWordsWithAndWithoutEscape) {
  EXPECT_EQ(Field("Deployment.metadata", "namespace"), "string");
  EXPECT_EQ(Field("Deployment.metadata", "__namespace__"), "string");
}

TEST_F(DeploymentTypesTest, OnlyObjectsAreTypes) {
  EXPECT_TRUE(types_.HasType("Deployment.spec"));
  EXPECT_FALSE(types_.HasType("Deployment.spec.replicas"));
  EXPECT_FALSE(types_.HasType("Deployment.spec.template.spec.containers"));
  EXPECT_FALSE(types_.HasType("DeploymentX.spec"));
  EXPECT_FALSE(types_.HasType("Other"));
}

}  // namespace
}  // namespace portcullis::cel
