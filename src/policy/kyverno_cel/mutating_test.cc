#include "policy/kyverno_cel/set_fixture.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kRules =
    "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], "
    "operations: [CREATE], resources: [configmaps]}]}\n";
constexpr std::string_view kConfigMap =
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: ns}, data: {k: v}}";

class KyvernoMutating : public SetTest {
 protected:
  std::string AddMutating(const std::string& spec, const std::string& metadata = "{name: p}") {
    return AddPolicy("MutatingPolicy", std::string(kRules) + spec, metadata);
  }
  std::string RunOn(std::string_view object = kConfigMap) {
    Start(object, "configmaps");
    return Run();
  }
};

std::string JsonPatch(std::string_view expression) {
  return "  mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"" +
         std::string(expression) + "\"}}]\n";
}

TEST_F(KyvernoMutating, EachSeesWhatTheOneBeforeItMade) {
  ASSERT_EQ(AddMutating(JsonPatch("[JSONPatch{op: 'add', path: '/data/b', "
                                  "value: string(object.data.a) + string(has(request.object.data.a"
                                  "))}]"),
                        "{name: b}"),
            "");
  ASSERT_EQ(AddMutating("  mutations: [{patchType: ApplyConfiguration, applyConfiguration: "
                        "{expression: \"Object{data: {'a': 'x'}}\"}}]\n",
                        "{name: a}"),
            "");
  EXPECT_EQ(RunOn(), "a '' pass: success\nb '' pass: success\n");
  // `request.object` stays as it came.
  EXPECT_EQ(ObjectText(),
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"ns"},)"
            R"("data":{"k":"v","a":"x","b":"xfalse"}})");
}

TEST_F(KyvernoMutating, Errors) {
  const std::string bad = JsonPatch("[JSONPatch{op: 'remove', path: '/data/zz'}]");
  const std::string both = std::string("  mutations: [") +
                           "{patchType: ApplyConfiguration, applyConfiguration: {expression: "
                           "\"Object{data: {'a': 'x'}}\"}}, {patchType: JSONPatch, jsonPatch: "
                           "{expression: \"[JSONPatch{op: 'add', path: '/x', value: "
                           "object.nope}]\"}}]\n";
  const std::pair<std::string, std::string> cases[] = {
      {bad,
       "p 'evaluation' error: failed to evaluate policy: JSON Patch: error in remove for path: "
       "'/data/zz': Unable to remove nonexistent key: zz: missing value\ndenied: Resource: ns/c, "
       "Kind: ConfigMap, Errors: [Policy p: failed to evaluate policy: JSON Patch: error in remove "
       "for path: '/data/zz': Unable to remove nonexistent key: zz: missing value]\n"},
      {"  failurePolicy: Ignore\n" + both,
       "p 'evaluation' error: failed to evaluate policy: no such key: nope\n"},
      {"  failurePolicy: Ignore\n  matchConditions: [{name: c, expression: object.nope == 1}]\n",
       "p '' skip: skip: no such key: nope\n"},
      {"  matchConditions: [{name: c, expression: \"false\"}]\n", "p '' skip: skip\n"},
      {JsonPatch("[JSONPatch{op: 'test', path: '/data/k', value: 'no'}, JSONPatch{op: 'remove', "
                 "path: '/data/k'}]"),
       "p '' pass: success\n"},
  };
  for (const auto& [spec, answer] : cases) {
    loader_ = NewLoader();
    ASSERT_EQ(AddMutating(spec), "") << spec;
    EXPECT_EQ(RunOn(), answer) << spec;
    // What fails changes nothing, not even in part.
    EXPECT_EQ(ObjectText(),
              R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"ns"},)"
              R"("data":{"k":"v"}})");
  }
}

TEST_F(KyvernoMutating, RefusedAtLoad) {
  const std::pair<std::string, std::string> cases[] = {
      {JsonPatch("'x'"),
       "spec.mutations[0].jsonPatch.expression: Invalid value: \"'x'\": output is expected to be "
       "of type list"},
      {"  mutations: [{patchType: Merge}]\n",
       "spec.mutations[0].patchType: Unsupported value: \"Merge\": supported values: "
       "\"ApplyConfiguration\", \"JSONPatch\""},
      {"  evaluation: {admission: {enabled: false}}\n",
       "spec.evaluation: Forbidden: disabling both admission and mutateExisting evaluation modes "
       "is not allowed"},
      {"  targetMatchConstraints: {expression: \"1\"}\n",
       "spec.targetMatchConstraints.expression: Invalid value: \"1\": output type must be a map"},
  };
  for (const auto& [spec, error] : cases) EXPECT_EQ(AddMutating(spec), error) << spec;
  EXPECT_EQ(AddPolicy("MutatingPolicy", "  mutations: []\n"),
            "spec.matchConstraints: Required value: a matchConstraints with at least one resource "
            "rule is required");
}

TEST_F(KyvernoMutating, TargetsAreChangedInsteadOfTheTrigger) {
  cluster_.objects["secrets"] = {
      Parse("{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: ns, labels: {x: z}}}"),
      Parse("{apiVersion: v1, kind: Secret, metadata: {name: b, namespace: ns}}")};
  ASSERT_EQ(AddMutating("  targetMatchConstraints:\n"
                        "    resourceRules: [{apiGroups: [''], apiVersions: ['*'], operations: "
                        "[CREATE], resources: [secrets]}]\n"
                        "    objectSelector: {matchLabels: {x: z}}\n"
                        "  targetMatchConditions: [{name: c, expression: object.metadata.name == "
                        "'a'}]\n" +
                        JsonPatch("[JSONPatch{op: 'add', path: '/metadata/labels/by', value: "
                                  "request.object.metadata.name}]")),
            "");
  EXPECT_EQ(RunOn(),
            "p '' pass: success\npatched {\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":"
            "{\"name\":\"a\",\"namespace\":\"ns\",\"labels\":{\"x\":\"z\",\"by\":\"c\"}}}\n");
  request_.object = Parse(kConfigMap);
  cluster_.objects.clear();
  EXPECT_EQ(Run(), "p '' skip: no existing object matches targetMatchConstraints\n");
}

TEST_F(KyvernoMutating, AnExpressionChoosesTargets) {
  cluster_.objects["secrets"] = {
      Parse("{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: ns}}")};
  ASSERT_EQ(AddMutating("  targetMatchConstraints: {expression: \"resource.Get('v1', 'secrets', "
                        "object.metadata.namespace, 'a')\"}\n" +
                        JsonPatch("[JSONPatch{op: 'add', path: '/type', value: 'Opaque'}]")),
            "");
  EXPECT_EQ(RunOn(),
            "p '' pass: success\npatched {\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":"
            "{\"name\":\"a\",\"namespace\":\"ns\"},\"type\":\"Opaque\"}\n");
}

TEST_F(KyvernoMutating, EmptyListsStayLists) {
  ASSERT_EQ(AddMutating("  mutations: [{patchType: ApplyConfiguration, applyConfiguration: "
                        "{expression: \"Object{metadata: Object.metadata{finalizers: []}}\"}}]\n"),
            "");
  EXPECT_EQ(RunOn(), "p '' pass: success\n");
  EXPECT_NE(ObjectText().find(R"("finalizers":[])"), std::string::npos);
}

TEST_F(KyvernoMutating, InTheirOwnNamespaceOnly) {
  const std::string spec =
      std::string(kRules) + JsonPatch("[JSONPatch{op: 'add', path: '/data/n', value: 'x'}]");
  ASSERT_EQ(AddPolicy("NamespacedMutatingPolicy", spec, "{name: p, namespace: other}"), "");
  EXPECT_EQ(RunOn(), "");
  ASSERT_EQ(AddPolicy("NamespacedMutatingPolicy", spec, "{name: p, namespace: ns}"), "");
  EXPECT_EQ(RunOn(), "p '' pass: success\n");
}

TEST_F(KyvernoMutating, Exceptions) {
  ASSERT_EQ(AddMutating(JsonPatch("[JSONPatch{op: 'add', path: '/data/n', value: "
                                  "string(exceptions.allowedValues.size())}]")),
            "");
  const std::string head =
      "apiVersion: policies.kyverno.io/v1\nkind: PolicyException\nmetadata: {name: e, namespace: "
      "default}\nspec:\n  policyRefs: [{name: p, kind: MutatingPolicy}]\n";
  ASSERT_EQ(Add(head + "  allowedValues: [a, b]\n"), "");
  EXPECT_EQ(RunOn(), "p '' pass: success\n");
  EXPECT_NE(ObjectText().find(R"("n":"2")"), std::string::npos);

  loader_ = NewLoader();
  ASSERT_EQ(AddMutating(JsonPatch("[JSONPatch{op: 'remove', path: '/data/k'}]")), "");
  ASSERT_EQ(Add(head), "");
  EXPECT_EQ(RunOn(), "p 'exception' skip: rule is skipped due to policy exception: default/e\n");
}

TEST_F(KyvernoMutating, PodControllers) {
  ASSERT_EQ(AddPolicy("MutatingPolicy",
                      "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], "
                      "operations: [CREATE], resources: [pods]}]}\n"
                      "  variables: [{name: path, expression: \"'/spec/' + 'hostNetwork'\"}]\n" +
                          JsonPatch("[JSONPatch{op: 'add', path: variables.path, value: false}]")),
            "");
  Start(
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: ns}, spec: "
      "{template: {spec: {containers: []}}}}",
      "deployments");
  EXPECT_EQ(Run(), "p '' pass: success\n");
  EXPECT_EQ(ObjectText(), R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d",)"
                          R"("namespace":"ns"},"spec":{"template":{"spec":{"containers":[],)"
                          R"("hostNetwork":false}}}})");
}

}  // namespace
}  // namespace portcullis::policy::kyverno_cel
