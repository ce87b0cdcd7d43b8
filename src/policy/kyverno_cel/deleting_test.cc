#include "policy/kyverno_cel/set_fixture.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kRules =
    "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], "
    "resources: [pods, namespaces]}]}\n";
constexpr std::string_view kPod = "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ns}}";

class DeletingPolicies : public SetTest {
 protected:
  std::string AddDeleting(const std::string& spec) {
    return AddPolicy("DeletingPolicy", std::string(kRules) + spec);
  }
};

TEST_F(DeletingPolicies, Answers) {
  const std::string schedule = "  schedule: '*/5 * * * *'\n";
  const std::string deleted =
      R"(deleted {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"ns"}})";
  const std::pair<std::string, std::string> cases[] = {
      {schedule, "p 'p' pass: resource matched\n" + deleted + "\n"},
      {schedule + "  conditions: [{name: c, expression: object.metadata.name == variables.own}]\n"
                  "  variables: [{name: own, expression: \"'a'\"}]\n",
       "p 'p' pass: resource matched\n" + deleted + "\n"},
      {schedule + "  conditions: [{name: c, expression: object.metadata.name == 'b'}]\n",
       "p 'p' fail: resource did not match\n"},
      {schedule + "  conditions: [{name: c, expression: request.operation == 'CREATE'}]\n",
       "p 'p' error: failed to evaluate policy: no such attribute(s): request\n"},
      {schedule + "  conditions: [{name: c, expression: variables.r == 'CREATE'}]\n"
                  "  variables: [{name: r, expression: request.operation}]\n",
       "p 'p' error: failed to evaluate policy: no such attribute(s): request\n"},
  };
  for (const auto& [spec, answer] : cases) {
    loader_ = NewLoader();
    ASSERT_EQ(AddDeleting(spec), "") << spec;
    Start(kPod, "pods");
    EXPECT_EQ(Run(), answer) << spec;
  }
}

TEST_F(DeletingPolicies, ANamespaceIsInItself) {
  ASSERT_EQ(AddDeleting("  schedule: '@hourly'\n  conditions: [{name: c, expression: "
                        "namespaceObject.metadata.name == 'team'}]\n"),
            "");
  Start("{apiVersion: v1, kind: Namespace, metadata: {name: team}}", "namespaces");
  EXPECT_EQ(Run().substr(0, 28), "p 'p' pass: resource matched");
}

TEST_F(DeletingPolicies, AnyExceptionKeeps) {
  ASSERT_EQ(AddDeleting("  schedule: '@hourly'\n"), "");
  ASSERT_EQ(Add("apiVersion: policies.kyverno.io/v1\nkind: PolicyException\nmetadata: {name: e, "
                "namespace: default}\nspec:\n  policyRefs: [{name: p, kind: DeletingPolicy}]\n"
                "  images: [a]\n"),
            "");
  Start(kPod, "pods");
  EXPECT_EQ(Run(), "p 'exception' skip: rule is skipped due to policy exception: default/e\n");
}

TEST_F(DeletingPolicies, RefusedAtLoad) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "spec.schedule: Required value: schedule is required"},
      {"  schedule: '* * *'\n",
       "spec.schedule: Invalid value: \"* * *\": schedule spec in the deletingPolicy is not in "
       "proper cron format: missing field(s)"},
      {"  schedule: '@daily'\n  deletionPropagationPolicy: Never\n",
       "spec.deletionPropagationPolicy: Unsupported value: \"Never\": supported values: "
       "\"Foreground\", \"Background\", \"Orphan\""},
      {"  schedule: '@daily'\n  conditions: [{name: c, expression: object.x}]\n",
       "spec.conditions[0].expression: Invalid value: \"object.x\": output is expected to be of "
       "type bool"},
  };
  for (const auto& [spec, error] : cases) EXPECT_EQ(AddDeleting(spec), error) << spec;
}

}  // namespace
}  // namespace portcullis::policy::kyverno_cel
