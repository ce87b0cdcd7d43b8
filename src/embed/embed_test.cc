#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

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

std::string Policy(const std::string& api_version, const std::string& kind) {
  return "apiVersion: " + api_version + "\nkind: " + kind + R"yaml(
metadata: {name: owner}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
  validations: [{expression: "true"}]
)yaml";
}

std::string Binding(const std::string& name, const std::string& policy) {
  return R"yaml(---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: )yaml" +
         name + "}\nspec: {policyName: " + policy + ", validationActions: [Deny]}\n";
}

// Nothing that was given may be left out in silence.
TEST(Embed, EveryTextThatDoesNotCountIsAProblem) {
  const std::string v1 = "admissionregistration.k8s.io/v1";
  const std::string vap = "ValidatingAdmissionPolicy";
  struct Case {
    const char* name;
    std::string text;
    bool fatal;
    std::uint32_t line;
    const char* words;  // of message and hint
  };
  const Case cases[] = {
      {"empty", "", true, 1, "the text is empty"},
      {"comments", "# nothing\n", true, 1, "no object"},
      {"separators", "---\n---\n", true, 1, "no object"},
      {"broken", "a: [\n", true, 2, "yaml"},
      {"scalar", "hello\n", true, 1, "an object is expected"},
      {"no kind", "apiVersion: v1\n", true, 1, "Object 'kind' is missing"},
      {"unknown version", Policy("admissionregistration.k8s.io/v7", vap), true, 1, "did you mean"},
      {"lower-case kind", Policy(v1, "validatingadmissionpolicy"), true, 2,
       "did you mean ValidatingAdmissionPolicy?"},
      {"lower-case RBAC", "apiVersion: rbac.authorization.k8s.io/v1\nkind: role\n", true, 2,
       "did you mean Role?"},
      {"misspelt field", "apiVersion: " + v1 + "\nkind: " + vap + "\nspec:\n  validationz: []\n",
       true, 4, "unknown field \"spec.validationz\""},
      {"misspelt field in a list",
       "apiVersion: v1\nkind: List\nitems:\n- apiVersion: " + v1 + "\n  kind: " + vap +
           "\n  spec:\n    validationz: []\n",
       true, 7, "unknown field"},
      {"list without items", "apiVersion: v1\nkind: List\nitems: []\n", false, 3, "no items"},
      {"duplicate key", "apiVersion: v1\nkind: Namespace\nkind: Namespace\n", true, 3, "kind"},
      {"duplicate key in JSON", R"({"apiVersion": "v1", "kind": "Namespace", "kind": "Namespace"})",
       true, 1, "kind"},
      {"another tool's policy",
       "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: x}\n", true, 2,
       "not a policy that can be evaluated"},
      {"an object that nothing uses", kGood, false, 1, "neither a policy nor a parameter"},
      {"binding to nothing", Policy(v1, vap) + Binding("a", "owner") + Binding("b", "ownr"), true,
       17, "did you mean \"owner\"?"},
      {"policy without binding", Policy(v1, vap), false, 1, "owner"},
      {"policy given twice", Policy(v1, vap) + "---\n" + Policy(v1, vap) + Binding("a", "owner"),
       false, 9, "replaces the one of the same name at f.yaml:1:1"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    PolicySetBuilder builder;
    builder.Add(test.text, "f.yaml");
    const PolicySet set = builder.Build();
    bool found = false;
    std::string all;
    for (const Problem& problem : set.problems()) {
      const std::string words = problem.message + " " + problem.hint;
      all += problem.file + ":" + std::to_string(problem.line) + ": " + words + "\n";
      found = found || (problem.file == "f.yaml" && problem.line == test.line &&
                        problem.fatal == test.fatal && words.find(test.words) != std::string::npos);
    }
    EXPECT_TRUE(found) << all;
  }
}

TEST(Embed, ReadsListsAndParametersInAnyOrder) {
  PolicySetBuilder builder;
  builder.Add(R"({"apiVersion": "v1", "kind": "ConfigMap", "data": {"n": "2"},
                  "metadata": {"name": "limits"}})",
              "params.json");
  builder.Add(R"yaml(
apiVersion: v1
kind: List
items:
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicyBinding
  metadata: {name: keys}
  spec:
    policyName: keys
    validationActions: [Deny]
    paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata: {name: keys}
  spec:
    paramKind: {apiVersion: v1, kind: ConfigMap}
    matchConstraints:
      resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
    validations: [{expression: "size(object.data) <= int(params.data.n)"}]
)yaml",
              "policies.yaml");
  const PolicySet set = builder.Build();
  EXPECT_EQ(set.size(), 1U);
  EXPECT_TRUE(set.problems().empty());
  Request request;
  request.object = kGood;
  const Verdict good = set.Evaluate(request);
  EXPECT_TRUE(good.allowed) << good.error << good.message;
  request.object = R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},
                       "data": {"a": "", "b": "", "c": ""}})";
  EXPECT_FALSE(set.Evaluate(request).allowed);
}

// A request that a policy could not see as it was meant is refused, with the reason.
TEST(Embed, RefusesWhatItCannotEvaluateWhole) {
  PolicySetBuilder builder;
  builder.Add(kPolicy, "p.yaml");
  const PolicySet set = builder.Build();
  const std::string good = kGood;
  struct Case {
    const char* name;
    const char* operation;
    std::string object;
    std::string old_object;
    std::string user;
    const char* words;
  };
  const Case cases[] = {
      {"nothing", "CREATE", "", "", "", "no object"},
      {"comment", "CREATE", "# x\n", "", "", "no object"},
      {"scalar", "CREATE", "12", "", "", "an object is expected"},
      {"two documents", "CREATE", good + "\n---\n" + kBad, "", "", "holds 2"},
      {"a list", "CREATE",
       R"({"apiVersion":"v1","kind":"List","items":[)" + good + "," + kBad + "]}", "", "",
       "holds 2"},
      {"text behind the end", "CREATE", good + " garbage", "", "", "object:1"},
      {"duplicate key", "CREATE", "apiVersion: v1\nkind: ConfigMap\nkind: ConfigMap\n", "", "",
       "object:3"},
      {"misspelt kind", "CREATE", R"({"apiVersion":"v1","kind":"configmap"})", "", "",
       "did you mean ConfigMap?"},
      {"wrong type", "CREATE", R"({"apiVersion":"v1","kind":"ConfigMap","data":{"n":1}})", "", "",
       "cannot unmarshal number"},
      {"unknown operation", "PATCH", good, "", "", "PATCH"},
      {"UPDATE alone", "UPDATE", good, "", "", "old_object"},
      {"UPDATE to nothing", "UPDATE", "", good, "", "no object"},
      {"bad old object", "UPDATE", good, "{", "", "old_object:1"},
      {"DELETE of nothing", "DELETE", "", "", "", "old_object"},
      {"user that is a list", "CREATE", good, "", "[]", "user info"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    Request request;
    request.operation = test.operation;
    request.object = test.object;
    request.old_object = test.old_object;
    request.user_info = test.user;
    const Verdict verdict = set.Evaluate(request);
    EXPECT_FALSE(verdict.allowed);
    EXPECT_TRUE(verdict.findings.empty());
    EXPECT_NE(verdict.error.find(test.words), std::string::npos) << verdict.error;
  }
}

TEST(Embed, PassesTheServersWarningsOn) {
  PolicySetBuilder builder;
  builder.Add(kPolicy, "p.yaml");
  const PolicySet set = builder.Build();
  Request request;
  request.object = R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},
                       "data": {"owner": "x"}, "dat": {}})";
  const Verdict verdict = set.Evaluate(request);
  EXPECT_TRUE(verdict.allowed);
  ASSERT_EQ(verdict.warnings.size(), 1U);
  EXPECT_EQ(verdict.warnings[0], "unknown field \"dat\"");
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

constexpr const char* kLookUps = R"yaml(
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: teams}
spec:
  validationActions: [Deny]
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  variables:
    - {name: teams, expression: "resource.Get('v1', 'secrets', 'ops', 'teams').data"}
    - {name: limits, expression: "globalContext.Get('limits', '')"}
  validations:
    - expression: "object.metadata.name in variables.teams && int(variables.limits.max) == 5"
      message: no such team
---
apiVersion: policies.kyverno.io/v1
kind: PolicyException
metadata: {name: old, namespace: ops}
spec:
  policyRefs: [{name: teams, kind: ValidatingPolicy}]
  matchConditions: [{name: old, expression: "object.metadata.name == 'old'"}]
  expiresAt: "2026-01-01T00:00:00Z"
---
apiVersion: cli.kyverno.io/v1alpha1
kind: Context
metadata: {name: c}
spec:
  globalContextEntries: [{name: limits, data: {max: 5}}]
---
apiVersion: v1
kind: Secret
metadata: {name: teams, namespace: ops}
data: {a: eA==}
)yaml";

std::string ConfigMap(const std::string& name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + R"("}})";
}

TEST(Embed, LooksThingsUp) {
  PolicySetBuilder builder;
  builder.Add(kLookUps, "p.yaml");
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::int64_t now = 1'700'000'000 * kSecond;
  builder.SetClock([&now] { return now; });
  const PolicySet set = builder.Build();
  for (const Problem& problem : set.problems()) ADD_FAILURE() << problem.message;
  EXPECT_EQ(set.size(), 1U);
  Request request;
  request.object = ConfigMap("a");
  EXPECT_TRUE(set.Evaluate(request).allowed);
  request.object = ConfigMap("b");
  const Verdict refused = set.Evaluate(request);
  EXPECT_FALSE(refused.allowed);
  ASSERT_EQ(refused.findings.size(), 1U);
  EXPECT_EQ(refused.findings[0].message, "no such team");
  request.object = ConfigMap("old");
  const Verdict exempt = set.Evaluate(request);
  EXPECT_TRUE(exempt.allowed);
  ASSERT_EQ(exempt.findings.size(), 1U);
  EXPECT_EQ(exempt.findings[0].exceptions, std::vector<std::string>{"ops/old"});
  now = 1'800'000'000 * kSecond;
  EXPECT_FALSE(set.Evaluate(request).allowed);
}

TEST(Embed, ProblemsOfLookUps) {
  PolicySetBuilder builder;
  builder.Add("apiVersion: cli.kyverno.io/v1alpha1\nkind: Context\nspec: {resource: []}\n",
              "c.yaml");
  ASSERT_FALSE(builder.problems().empty());
  EXPECT_TRUE(builder.problems()[0].fatal);
  EXPECT_EQ(builder.problems()[0].line, 3U);
}

}  // namespace
}  // namespace portcullis
