#include <gtest/gtest.h>

#include <thread>

#include "portcullis/portcullis.h"

namespace portcullis {
namespace {

constexpr const char* kPolicy = R"yaml(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: owner}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "has(object.data) && 'owner' in object.data", message: no owner}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: owner}
spec: {policyName: owner, validationActions: [Deny]}
)yaml";

constexpr const char* kGood =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"owner":"x"}})";
constexpr const char* kBad = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";

TEST(Embed, EvaluatesObjects) {
  PolicySetBuilder builder;
  builder.Add(kPolicy, "p.yaml");
  EXPECT_TRUE(builder.problems().empty());
  const PolicySet set = builder.Build();
  EXPECT_EQ(set.size(), 1U);
  Request request;
  request.object = kGood;
  EXPECT_TRUE(set.Evaluate(request).allowed);
  request.object = kBad;
  const Verdict verdict = set.Evaluate(request);
  EXPECT_FALSE(verdict.allowed);
  EXPECT_EQ(verdict.code, 422);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].outcome, Outcome::kFail);
  EXPECT_EQ(verdict.findings[0].message, "no owner");
  EXPECT_EQ(verdict.findings[0].path, "data");
}

TEST(Embed, ReportsProblemsWithTheirPlace) {
  PolicySetBuilder builder;
  builder.Add(
      "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
      "metadata: {name: x}\nspec:\n  validationz: []\n",
      "bad.yaml");
  builder.Add("a: [", "broken.yaml");
  ASSERT_GE(builder.problems().size(), 2U);
  EXPECT_EQ(builder.problems().front().file, "bad.yaml");
  EXPECT_EQ(builder.problems().front().line, 5U);
  EXPECT_EQ(builder.problems().back().file, "broken.yaml");
}

TEST(Embed, AnswersReviews) {
  PolicySetBuilder builder;
  builder.Add(kPolicy, "p.yaml");
  const PolicySet set = builder.Build();
  const std::string review =
      std::string(R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{)") +
      R"("uid":"u1","kind":{"group":"","version":"v1","kind":"ConfigMap"},)" +
      R"("resource":{"group":"","version":"v1","resource":"configmaps"},"name":"a",)" +
      R"("namespace":"default","operation":"CREATE","userInfo":{},"object":)" + kBad + "}}";
  const std::string answer = set.Review(review);
  EXPECT_NE(answer.find("\"uid\":\"u1\""), std::string::npos) << answer;
  EXPECT_NE(answer.find("\"allowed\":false"), std::string::npos) << answer;
  EXPECT_NE(set.Review("{").find("\"code\":400"), std::string::npos);
}

TEST(Embed, IsSharedByThreads) {
  PolicySetBuilder builder;
  builder.Add(kPolicy, "p.yaml");
  const PolicySet set = builder.Build();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([set, i] {
      Request request;
      request.object = i % 2 == 0 ? kGood : kBad;
      for (int n = 0; n < 200; ++n) EXPECT_EQ(set.Evaluate(request).allowed, i % 2 == 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace portcullis
