// Rules, selectors and equivalent resources (spec/kubernetes-admission.md 1.3 to 1.8).

#include <gtest/gtest.h>

#include "base/arena.h"
#include "json/reader.h"
#include "match/match_resources.h"
#include "schema/type_table.h"

namespace portcullis::match {
namespace {

class MatchTest : public ::testing::Test {
 protected:
  doc::Value Json(std::string_view text) {
    auto parsed = json::Parse(text, arena_);
    EXPECT_TRUE(parsed.ok()) << text;
    return parsed.ok() ? parsed.value() : doc::Value();
  }

  static AdmissionRequest Request(std::string_view resource, std::string_view sub = "",
                                  std::string_view ns = "default") {
    AdmissionRequest request;
    request.resource = {"", "v1", resource};
    request.sub_resource = sub;
    request.ns = ns;
    request.name = "x";
    return request;
  }

  base::Arena arena_;
};

TEST_F(MatchTest, ResourcePatterns) {
  struct Row {
    const char* pattern;
    const char* resource;
    const char* sub;
    bool matches;
  };
  constexpr Row kRows[] = {
      {"pods", "pods", "", true},
      {"pods", "pods", "status", false},
      {"*", "pods", "", true},
      {"*", "pods", "exec", false},
      {"pods/status", "pods", "", false},
      {"pods/status", "pods", "status", true},
      {"pods/*", "pods", "", true},
      {"pods/*", "pods", "exec", true},
      {"pods/*", "services", "", false},
      {"*/scale", "deployments", "scale", true},
      {"*/scale", "deployments", "", false},
      {"*/*", "pods", "", true},
      {"*/*", "deployments", "scale", true},
      {"pod*", "pods", "", false},
  };
  for (const Row& row : kRows) {
    const Rule rule = Rule::FromValue(Json(
        std::string(
            R"({"apiGroups":[""],"apiVersions":["*"],"operations":["CREATE"],"resources":[")") +
        row.pattern + "\"]}"));
    const AdmissionRequest request = Request(row.resource, row.sub);
    EXPECT_EQ(rule.MatchesResource(request, request.resource), row.matches)
        << row.pattern << " on " << row.resource << "/" << row.sub;
  }
}

TEST_F(MatchTest, ScopeAndOperations) {
  const auto rule = [&](std::string_view scope, std::string_view operation) {
    return Rule::FromValue(
        Json(R"({"apiGroups":["*"],"apiVersions":["*"],"resources":["*"],"operations":[")" +
             std::string(operation) + R"("],"scope":")" + std::string(scope) + "\"}"));
  };
  const AdmissionRequest pod = Request("pods");
  const AdmissionRequest node = Request("nodes", "", "");
  const AdmissionRequest space = Request("namespaces", "", "team");
  EXPECT_TRUE(rule("Namespaced", "*").MatchesResource(pod, pod.resource));
  EXPECT_FALSE(rule("Namespaced", "*").MatchesResource(node, node.resource));
  EXPECT_FALSE(rule("Namespaced", "*").MatchesResource(space, space.resource));
  EXPECT_TRUE(rule("Cluster", "*").MatchesResource(space, space.resource));
  EXPECT_FALSE(rule("Cluster", "*").MatchesResource(pod, pod.resource));
  EXPECT_FALSE(rule("Everywhere", "*").MatchesResource(pod, pod.resource));
  EXPECT_FALSE(rule("*", "UPDATE").MatchesResource(pod, pod.resource));
  EXPECT_FALSE(rule("*", "create").MatchesResource(pod, pod.resource));
}

TEST_F(MatchTest, LabelSelectors) {
  struct Row {
    const char* selector;
    const char* labels;
    bool matches;
  };
  constexpr Row kRows[] = {
      {"{}", "{}", true},
      {R"({"matchLabels":{"a":"1"}})", R"({"a":"1","b":"2"})", true},
      {R"({"matchLabels":{"a":"1"}})", R"({"a":"2"})", false},
      {R"({"matchExpressions":[{"key":"a","operator":"In","values":["1","2"]}]})", R"({"a":"2"})",
       true},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["1"]}]})", "{}", true},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["1"]}]})", R"({"a":"1"})",
       false},
      {R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", R"({"a":""})", true},
      {R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]})", R"({"a":""})", false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(LabelSelector::Compile(Json(row.selector)).Matches(Json(row.labels)), row.matches)
        << row.selector << " on " << row.labels;
  }
  const LabelSelector bad =
      LabelSelector::Compile(Json(R"({"matchExpressions":[{"key":"a","operator":"Is"}]})"));
  EXPECT_EQ(bad.error(), "\"Is\" is not a valid label selector operator");
}

class NoNamespaces final : public provider::Namespaces {
 public:
  provider::Lookup Find(std::string_view) const override { return provider::Lookup::NotFound(); }
};

TEST_F(MatchTest, SelectorErrorsCountOnlyWhenTheRestMatches) {
  const MatchResources resources = MatchResources::FromValue(Json(
      R"({"namespaceSelector":{"matchLabels":{"a":"1"}},
          "resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],
                            "resources":["pods"]}]})"));
  const NoNamespaces namespaces;
  const MatchResult other = resources.Match({Request("services"), &namespaces, nullptr});
  EXPECT_FALSE(other.error);
  EXPECT_FALSE(other.matched);
  const MatchResult pods = resources.Match({Request("pods"), &namespaces, nullptr});
  ASSERT_TRUE(pods.error);
  EXPECT_EQ(pods.error->message, "namespaces \"default\" not found");
}

TEST_F(MatchTest, EquivalentResources) {
  const auto resources = [&](std::string_view policy) {
    return MatchResources::FromValue(Json(
        R"({"resourceRules":[{"apiGroups":["autoscaling"],"apiVersions":["v1"],
            "operations":["CREATE"],"resources":["horizontalpodautoscalers"]}],"matchPolicy":")" +
        std::string(policy) + "\"}"));
  };
  AdmissionRequest request = Request("horizontalpodautoscalers");
  request.resource = {"autoscaling", "v2", "horizontalpodautoscalers"};
  request.kind = {"autoscaling", "v2", "HorizontalPodAutoscaler"};
  const MatchContext context{request, nullptr, &schema::TypeTable::Builtin()};
  EXPECT_FALSE(resources("Exact").Match(context).matched);
  const MatchResult result = resources("Equivalent").Match(context);
  ASSERT_TRUE(result.matched);
  EXPECT_EQ(ToString(result.kind), "autoscaling/v1, Kind=HorizontalPodAutoscaler");
}

TEST_F(MatchTest, Exemptions) {
  AdmissionRequest request = Request("validatingadmissionpolicies");
  request.resource.group = "admissionregistration.k8s.io";
  EXPECT_TRUE(ExemptFromPolicies(request));
  request.resource.resource = "validatingwebhookconfigurations";
  EXPECT_FALSE(ExemptFromPolicies(request));
}

}  // namespace
}  // namespace portcullis::match
