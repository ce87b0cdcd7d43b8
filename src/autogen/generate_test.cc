#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "autogen/autogen.h"
#include "autogen/native.h"
#include "doc/path.h"
#include "json/writer.h"
#include "yaml/reader.h"

namespace portcullis::autogen {
namespace {

class GenerateTest : public testing::Test {
 protected:
  doc::Value Parse(const std::string& yaml) {
    auto parsed = yaml::Parse(arena_.CopyString(yaml), arena_);
    EXPECT_TRUE(parsed.ok()) << parsed.error().message;
    return *parsed;
  }
  // A policy about Pods with more members of spec.
  doc::Value Policy(const std::string& kind, const std::string& more) {
    return Parse("apiVersion: policies.kyverno.io/v1\nkind: " + kind +
                 "\nmetadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules:\n"
                 "    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], "
                 "resources: [pods]}\n" +
                 more);
  }
  // The member at `path` of the spec for Deployments; what was refused, if it was.
  std::string Moved(const doc::Value& policy, const std::string& path) {
    last_ = Generate(policy, arena_);
    if (last_.variants.empty()) {
      std::string text = "refused";
      for (const Refusal& refusal : last_.refusals) {
        for (const Note& note : refusal.notes) {
          if (note.outcome == Note::Outcome::kRefused) text += ": " + note.reason;
        }
        break;
      }
      return text;
    }
    const auto parsed = doc::ParsePath(path);
    const doc::Value* value = doc::Lookup(last_.variants[0].spec, *parsed);
    return value == nullptr ? "absent" : std::string(value->as_string());
  }
  std::string Applied(const std::string& expression) {
    return Moved(Policy("MutatingPolicy",
                        "  mutations:\n  - patchType: ApplyConfiguration\n"
                        "    applyConfiguration:\n      expression: >-\n        " +
                            expression + "\n"),
                 "mutations[0].applyConfiguration.expression");
  }
  std::string Patched(const std::string& expression) {
    return Moved(Policy("MutatingPolicy",
                        "  mutations:\n  - patchType: JSONPatch\n"
                        "    jsonPatch:\n      expression: >-\n        " +
                            expression + "\n"),
                 "mutations[0].jsonPatch.expression");
  }

  base::Arena arena_;
  Generated last_;
};

TEST_F(GenerateTest, TargetsAndConstraints) {
  const doc::Value policy =
      Policy("ValidatingPolicy", "  validations: [{expression: object.spec.x}]\n");
  const Generated generated = Generate(policy, arena_);
  ASSERT_TRUE(generated.eligible);
  ASSERT_EQ(generated.variants.size(), 2U);
  EXPECT_EQ(generated.variants[0].key, "defaults");
  EXPECT_EQ(generated.variants[0].prefix, "autogen-defaults-");
  EXPECT_EQ(generated.variants[0].targets.size(), 5U);
  EXPECT_EQ(
      json::ToString(*generated.variants[0].spec.Find("matchConstraints")),
      R"({"resourceRules":[{"apiGroups":["apps"],"apiVersions":["v1"],"operations":["CREATE"],)"
      R"("resources":["daemonsets","deployments","replicasets","statefulsets"]},)"
      R"({"apiGroups":["batch"],"apiVersions":["v1"],"operations":["CREATE"],)"
      R"("resources":["jobs"]}]})");
  EXPECT_EQ(generated.variants[1].key, "cronjobs");
  EXPECT_EQ(generated.variants[1].targets,
            (std::vector<Target>{{"batch", "v1", "cronjobs", "CronJob"}}));
}

TEST_F(GenerateTest, Controllers) {
  struct Case {
    const char* controllers;
    std::size_t defaults, cronjobs, extract, warnings;
  };
  const std::vector<Case> cases = {
      {"[]", 0, 0, 0, 0},
      {"null", 5, 1, 0, 0},
      {"[deployments, deployments]", 1, 0, 0, 0},
      {"[cronjobs, jobs]", 1, 1, 0, 0},
      {"[none]", 0, 0, 0, 1},
      {"[Deployment, deployment, all, foos]", 0, 0, 0, 4},
      {"[jobsets.v1alpha2.jobset.x-k8s.io, statefulsets]", 1, 0, 1, 0},
      {"[a.b., .b.c, a..c, a.b]", 0, 0, 0, 4},
      {"[7, {}]", 0, 0, 0, 0},
  };
  for (const Case& c : cases) {
    const Generated generated = Generate(
        Policy("NamespacedValidatingPolicy",
               std::string("  autogen: {podControllers: {controllers: ") + c.controllers + "}}\n"),
        arena_);
    std::size_t counts[3] = {};
    for (const Variant& variant : generated.variants) {
      counts[static_cast<std::size_t>(variant.group)] = variant.targets.size();
    }
    EXPECT_TRUE(generated.eligible) << c.controllers;
    EXPECT_EQ(counts[0], c.defaults) << c.controllers;
    EXPECT_EQ(counts[1], c.cronjobs) << c.controllers;
    EXPECT_EQ(counts[2], c.extract) << c.controllers;
    EXPECT_EQ(generated.warnings.size(), c.warnings) << c.controllers;
  }
}

TEST_F(GenerateTest, CustomKinds) {
  const Generated generated = Generate(
      Policy("ValidatingPolicy",
             "  validations: [{expression: object.spec.x}]\n"
             "  autogen: {podControllers: {controllers: [jobsets.v1alpha2.jobset.x-k8s.io]}}\n"),
      arena_);
  ASSERT_EQ(generated.variants.size(), 1U);
  EXPECT_EQ(generated.variants[0].key, "extract");
  EXPECT_EQ(generated.variants[0].targets,
            (std::vector<Target>{{"jobset.x-k8s.io", "v1alpha2", "jobsets", "Jobset"}}));
  EXPECT_EQ(Moved(Policy("ValidatingPolicy",
                         "  validations: [{expression: object.spec.x}]\n"
                         "  autogen: {podControllers: {controllers: [a.b.c]}}\n"),
                  "validations[0].expression"),
            "object.spec.x");
}

TEST_F(GenerateTest, NotEligible) {
  const std::vector<std::string> specs = {
      "{}",
      "{matchConstraints: {}}",
      "{matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: [v1], resources: "
      "[pods]}]}}",
      "{matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], resources: [pods, "
      "pods]}]}}",
      "{matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], resources: "
      "[pods/ephemeralcontainers]}]}}",
      "{matchConstraints: {objectSelector: {matchLabels: {a: b}}, resourceRules: [{apiGroups: "
      "[''], "
      "apiVersions: [v1], resources: [pods]}]}}",
      "{matchConstraints: {excludeResourceRules: [{}], resourceRules: [{apiGroups: [''], "
      "apiVersions: "
      "[v1], resources: [pods]}]}}",
      "{matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], resources: [pods], "
      "resourceNames: [a]}]}}",
  };
  for (const std::string& spec : specs) {
    const Generated generated =
        Generate(Parse("{kind: ValidatingPolicy, spec: " + spec + "}"), arena_);
    EXPECT_FALSE(generated.eligible) << spec;
    EXPECT_FALSE(generated.reason.empty()) << spec;
  }
  EXPECT_TRUE(
      Generate(Parse("{kind: ValidatingPolicy, spec: {matchConstraints: {objectSelector: "
                     "{matchLabels: {}}, resourceRules: [{apiGroups: [''], apiVersions: [v1], "
                     "resources: [pods]}]}}}"),
               arena_)
          .eligible);
  EXPECT_FALSE(Generate(Policy("GeneratingPolicy", ""), arena_).eligible);
  EXPECT_FALSE(Generate(Parse("{kind: ValidatingPolicy}"), arena_).eligible);
  EXPECT_FALSE(Generate(Parse("{kind: ValidatingPolicy, spec: 1}"), arena_).eligible);
}

TEST_F(GenerateTest, NoOperationsMatchNothing) {
  const Generated generated = Generate(
      Parse("{kind: ValidatingPolicy, spec: {matchConstraints: {resourceRules: [{apiGroups: "
            "[''], apiVersions: [v1], operations: [], resources: [pods]}]}}}"),
      arena_);
  ASSERT_EQ(generated.variants.size(), 2U);
  EXPECT_EQ(generated.variants[0].spec.Find("matchConstraints"), nullptr);
}

TEST_F(GenerateTest, VariablesThatAreTheObject) {
  const std::string variables =
      "  variables:\n  - {name: obj, expression: object}\n  - {name: objs, expression: '[object, "
      "oldObject]'}\n"
      "  - {name: maybe, expression: 'optional.of(object)'}\n  - {name: again, expression: "
      "variables.obj}\n";
  const auto use = [&](const std::string& expression) {
    return Moved(
        Policy("ValidatingPolicy",
               variables + "  validations:\n  - expression: |-\n      " + expression + "\n"),
        "validations[0].expression");
  };
  EXPECT_EQ(use("variables.obj.spec.x"), "variables.obj.spec.template.spec.x");
  EXPECT_EQ(use("variables.?obj.?spec"), "variables.?obj.?spec.?template.?spec");
  EXPECT_EQ(use("variables['obj']['spec']"), "variables['obj']['spec']['template']['spec']");
  EXPECT_EQ(use("variables.again.metadata.labels"),
            "variables.again.spec.template.metadata.labels");
  EXPECT_EQ(use("variables.objs.all(o, o.spec.x)"),
            "variables.objs.all(o, o.spec.template.spec.x)");
  EXPECT_EQ(use("variables.maybe.?spec.?x"), "variables.maybe.?spec.?template.?spec.?x");
  EXPECT_EQ(use("[1].all(variables, variables.obj.spec)"),
            "[1].all(variables, variables.obj.spec)");
  EXPECT_EQ(use("variables.other.spec"), "variables.other.spec");
}

TEST_F(GenerateTest, VariablesThatArePartsOfTheObject) {
  const auto policy = [&](const std::string& definition, const std::string& use) {
    return Policy("ValidatingPolicy",
                  "  variables:\n  - name: v\n    expression: |-\n      " + definition +
                      "\n  validations:\n  - expression: |-\n      " + use + "\n");
  };
  struct Case {
    const char* definition;
    const char* use;
    const char* new_definition;
    const char* new_use;
  };
  const std::vector<Case> cases = {
      {"object.spec", "variables.v.hostNetwork", "object.spec.template.spec",
       "variables.v.hostNetwork"},
      {"object.spec", "variables.v.template.spec.x", "object.spec", "variables.v.template.spec.x"},
      {"object.spec", "has(variables.v.template) || variables.v.x", "object.spec.template.spec",
       "has(object.spec.template) || variables.v.x"},
      {"object.metadata", "variables.v.labels", "object.spec.template.metadata",
       "variables.v.labels"},
      {"object.metadata", "variables.v.name", "object.metadata", "variables.v.name"},
      {"object.metadata", "variables.v.name == variables.v.labels.a", "object.metadata",
       "variables.v.name == object.spec.template.metadata.labels.a"},
      {"true ? object.metadata : oldObject.metadata // c",
       "variables.v.name == variables.v.labels.a",
       "true ? object.metadata : oldObject.metadata // c",
       "variables.v.name == (true ? object.spec.template.metadata : "
       "oldObject.spec.template.metadata).labels.a"},
      {"object.metadata", "variables.?v.?labels == variables.v.name", "object.metadata",
       "optional.of(object.spec.template.metadata).?labels == variables.v.name"},
      {"object.metadata", "size(variables.v)", "object.spec.template.metadata",
       "size(variables.v)"},
      {"object.metadata.labels", "variables.v.name", "object.spec.template.metadata.labels",
       "variables.v.name"},
      {"[object].map(o, o.metadata)", "variables.v.all(m, m.name == '')",
       "[object].map(o, o.metadata)", "variables.v.all(m, m.name == '')"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Moved(policy(c.definition, c.use), "variables[0].expression"), c.new_definition)
        << c.use;
    EXPECT_EQ(Moved(policy(c.definition, c.use), "validations[0].expression"), c.new_use) << c.use;
  }
  EXPECT_EQ(Moved(policy("object.metadata",
                         "variables.v.name == '' || [1].all(object, variables.v.labels.a == '')"),
                  "validations[0].expression")
                .substr(0, 7),
            "refused");
}

TEST_F(GenerateTest, EveryExpressionOfAValidatingPolicy) {
  const doc::Value policy = Policy(
      "ValidatingPolicy", R"(  matchConditions: [{name: object.spec, expression: object.spec.a}]
  variables: [{name: v, expression: object.spec.b}]
  validations: [{expression: object.spec.c, message: object.spec, messageExpression: object.spec.d}]
  auditAnnotations: [{key: object.spec, valueExpression: object.spec.e}]
)");
  Moved(policy, "validations");
  EXPECT_EQ(Moved(policy, "matchConditions[0].expression"), "object.spec.template.spec.a");
  EXPECT_EQ(Moved(policy, "matchConditions[0].name"), "object.spec");
  EXPECT_EQ(Moved(policy, "variables[0].expression"), "object.spec.template.spec.b");
  EXPECT_EQ(Moved(policy, "validations[0].expression"), "object.spec.template.spec.c");
  EXPECT_EQ(Moved(policy, "validations[0].message"), "object.spec");
  EXPECT_EQ(Moved(policy, "validations[0].messageExpression"), "object.spec.template.spec.d");
  EXPECT_EQ(Moved(policy, "auditAnnotations[0].valueExpression"), "object.spec.template.spec.e");
  EXPECT_EQ(last_.variants[0].notes.size(), 5U);
}

TEST_F(GenerateTest, ImageValidatingPolicy) {
  const doc::Value policy =
      Policy("ImageValidatingPolicy", R"(  images: [{name: i, expression: object.spec.a}]
  matchImageReferences: [{glob: object.spec}, {expression: "ref == 'object.spec'"}]
  attestors:
  - {name: n, cosign: {key: {data: object.spec, expression: object.spec.k}, keyless: {identities: [{issuer: object.spec, subjectExpression: object.spec.s}]}}}
  validations: [{expression: object.spec.c}]
)");
  EXPECT_EQ(Moved(policy, "images[0].expression"), "object.spec.template.spec.a");
  EXPECT_EQ(Moved(policy, "matchImageReferences[0].glob"), "object.spec");
  EXPECT_EQ(Moved(policy, "attestors[0].cosign.key.expression"), "object.spec.template.spec.k");
  EXPECT_EQ(Moved(policy, "attestors[0].cosign.key.data"), "object.spec");
  EXPECT_EQ(Moved(policy, "attestors[0].cosign.keyless.identities[0].subjectExpression"),
            "object.spec.template.spec.s");
}

TEST_F(GenerateTest, ApplyConfigurations) {
  const std::string open = "Object{spec: Object.spec{template: Object.spec.template{";
  EXPECT_EQ(Applied("Object{spec: Object.spec{x: 1}}"),
            open + "spec: Object.spec.template.spec{x: 1}}}}");
  EXPECT_EQ(Applied("Object {spec: Object.spec {x: '}'}}"),
            "Object {spec: Object.spec{template: Object.spec.template{spec: "
            "Object.spec.template.spec {x: '}'}}}}");
  EXPECT_EQ(Applied("Object{}"), open + "}}}");
  EXPECT_EQ(Applied("Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}"),
            open +
                "metadata: Object.spec.template.metadata{labels: "
                "Object.spec.template.metadata.labels{a: 'b'}}}}}");
  EXPECT_EQ(Applied("has(object.spec.x) ? Object{spec: Object.spec{x: object.spec.x}} : Object{}"),
            "has(object.spec.template.spec.x) ? " + open +
                "spec: Object.spec.template.spec{x: object.spec.template.spec.x}}}} : " + open +
                "}}}");
  EXPECT_EQ(Applied("Object{metadata: Object.metadata{name: 'x'}}"),
            "Object{metadata: Object.metadata{name: 'x'}}");
  EXPECT_EQ(
      Applied("Object{metadata: Object.metadata{name: 'x', labels: {'a': object.metadata.name}}, "
              "spec: Object.spec{y: object.spec.z}}"),
      "Object{metadata: Object.metadata{name: 'x'}, spec: Object.spec{template: "
      "Object.spec.template{spec: Object.spec.template.spec{y: object.spec.template.spec.z}, "
      "metadata: Object.spec.template.metadata{labels: {'a': object.metadata.name}}}}}");
  EXPECT_EQ(Applied("Object{kind: 'Pod', spec: Object.spec{x: 1}}"),
            "Object{kind: 'Pod', spec: Object.spec{template: Object.spec.template{spec: "
            "Object.spec.template.spec{x: 1}}}}");
  EXPECT_EQ(Applied("Object{spec: Object.spec{template: Object.spec.template{spec: "
                    "Object.spec.template.spec{x: 1}}}}"),
            "Object{spec: Object.spec{template: Object.spec.template{spec: "
            "Object.spec.template.spec{x: 1}}}}");
  EXPECT_EQ(Applied("Object{spec: Object.spec{containers: object.spec.containers.map(c, "
                    "Object.spec.containers{name: c.name})}}"),
            open +
                "spec: Object.spec.template.spec{containers: object.spec.template.spec.containers"
                ".map(c, Object.spec.template.spec.containers{name: c.name})}}}}");
  EXPECT_EQ(Applied("Object{metadata: true ? Object.metadata{name: 'x'} : Object.metadata{}}")
                .substr(0, 7),
            "refused");
}

TEST_F(GenerateTest, JsonPatches) {
  EXPECT_EQ(
      Patched("[JSONPatch{op: 'add', path: '/spec/x', value: object.spec.y}]"),
      "[JSONPatch{op: 'add', path: '/spec/template/spec/x', value: object.spec.template.spec.y}]");
  EXPECT_FALSE(last_.variants[0].move_patch_paths);
  EXPECT_EQ(
      Patched("[JSONPatch{op: 'move', from: \"/metadata/labels/a\", path: '/metadata/name'}]"),
      "[JSONPatch{op: 'move', from: \"/spec/template/metadata/labels/a\", path: "
      "'/metadata/name'}]");
  EXPECT_EQ(
      Patched(
          "[JSONPatch{op: 'add', path: '/spec/containers/' + string(1) + '/x', value: '/spec/x'}]"),
      "[JSONPatch{op: 'add', path: '/spec/template/spec/containers/' + string(1) + '/x', value: "
      "'/spec/x'}]");
  EXPECT_EQ(
      Patched("[JSONPatch{op: 'add', path: true ? r'/spec/x' : \"\"\"/status/y\"\"\", value: 1}]"),
      "[JSONPatch{op: 'add', path: true ? r'/spec/template/spec/x' : \"\"\"/status/y\"\"\", value: "
      "1}]");
  EXPECT_FALSE(last_.variants[0].move_patch_paths);
  for (const char* open :
       {"variables.path", "'/' + 'spec/x'", "'/spec/' + variables.f", "'/spec/temp' + 'late'",
        "'/metadata/' + variables.f", "'/spec' + '/x'"}) {
    const std::string expression =
        std::string("[JSONPatch{op: 'add', path: ") + open + ", value: 1}]";
    EXPECT_EQ(Patched(expression), expression);
    EXPECT_TRUE(last_.variants[0].move_patch_paths) << open;
  }
  EXPECT_EQ(
      Patched("[JSONPatch{op: 'add', path: '/spec/x', value: Object.spec.containers{name: 'a'}}]"),
      "[JSONPatch{op: 'add', path: '/spec/template/spec/x', value: "
      "Object.spec.template.spec.containers{name: 'a'}}]");
}

TEST_F(GenerateTest, TargetConditionsOfMutationsStay) {
  EXPECT_EQ(Moved(Policy("MutatingPolicy",
                         "  targetMatchConditions: [{name: a, expression: object.spec.x}]\n"),
                  "targetMatchConditions[0].expression"),
            "object.spec.x");
}

TEST_F(GenerateTest, OddDocuments) {
  for (const char* more :
       {"  validations: 1\n", "  validations: [1, null, [], {expression: 2}]\n",
        "  variables: [{expression: object}, {name: 1, expression: object.spec}]\n",
        "  autogen: 1\n", "  autogen: {podControllers: []}\n"}) {
    EXPECT_TRUE(Generate(Policy("ValidatingPolicy", more), arena_).eligible) << more;
  }
  for (const char* more :
       {"  mutations: [1, {applyConfiguration: 1}, {jsonPatch: {expression: 1}}]\n"}) {
    EXPECT_TRUE(Generate(Policy("MutatingPolicy", more), arena_).eligible) << more;
  }
}

// ---- native forms -------------------------------------------------------------------------------

TEST_F(GenerateTest, NativeValidating) {
  const doc::Value policy = Policy("ValidatingPolicy", R"yaml(  autogen:
    podControllers: {controllers: []}
    validatingAdmissionPolicy: {enabled: true}
  failurePolicy: Ignore
  validationActions: [Audit, Warn]
  matchConditions: [{name: m, expression: "object.metadata.name in exceptions.allowedValues"}]
  validations: [{expression: "object.spec.all(c, c in exceptions.allowedImages)"}]
)yaml");
  const std::vector<doc::Value> exceptions = {
      Parse(R"yaml(
metadata: {name: a}
spec:
  policyRefs: [{kind: ValidatingPolicy, name: p}]
  matchConditions: [{name: x, expression: 'object.a // c'}, {name: y, expression: object.b}]
)yaml"),
      Parse("{metadata: {name: b}, spec: {policyRefs: [{kind: ValidatingPolicy, name: p}], images: "
            "[\"it's\"]}}"),
      Parse("{metadata: {name: c}, spec: {policyRefs: [{kind: MutatingPolicy, name: p}]}}"),
  };
  const NativeForm form = ToNative(policy, exceptions, arena_);
  ASSERT_EQ(form.objects.size(), 2U);
  EXPECT_TRUE(form.warnings.empty());
  EXPECT_EQ(form.objects[0].Find("metadata")->StringAt("name"), "vpol-p");
  const doc::Value& spec = *form.objects[0].Find("spec");
  EXPECT_EQ(spec.StringAt("failurePolicy"), "Ignore");
  EXPECT_NE(spec.Find("matchConstraints"), nullptr);
  EXPECT_EQ(json::ToString(*spec.Find("matchConditions")),
            R"json([{"name":"a","expression":"!((object.a // c\n) && (object.b))"},)json"
            R"json({"name":"m","expression":"object.metadata.name in []"}])json");
  EXPECT_EQ(json::ToString(*spec.Find("validations")),
            R"json([{"expression":"object.spec.all(c, c in variables.allowedImages)"}])json");
  EXPECT_EQ(json::ToString(*spec.Find("variables")),
            R"json([{"name":"allowedImages","expression":"['it\\'s']"}])json");
  EXPECT_EQ(json::ToString(*form.objects[1].Find("spec")),
            R"({"policyName":"vpol-p","validationActions":["Audit","Warn"]})");
}

TEST_F(GenerateTest, NoNativeForm) {
  const auto reasons = [&](const doc::Value& policy) {
    const NativeForm form = ToNative(policy, {}, arena_);
    EXPECT_TRUE(form.objects.empty() || form.refusals.empty());
    return form.refusals.empty() ? std::string() : form.refusals[0];
  };
  EXPECT_EQ(reasons(Policy("ValidatingPolicy", "")),
            "skip generating ValidatingAdmissionPolicy: pod controllers autogen is enabled.");
  const std::string none = "  autogen: {podControllers: {controllers: []}}\n";
  EXPECT_EQ(reasons(Policy("ValidatingPolicy", none)), "");
  EXPECT_EQ(reasons(Policy("ValidatingPolicy", none + "  evaluation: {mode: JSON}\n")),
            "evaluation.mode JSON has no native form");
  EXPECT_NE(
      reasons(Policy("MutatingPolicy", none + "  evaluation: {mutateExisting: {enabled: true}}\n")),
      "");
  EXPECT_NE(reasons(Policy("NamespacedValidatingPolicy", none)), "");
  EXPECT_NE(reasons(Policy("GeneratingPolicy", none)), "");
  EXPECT_NE(reasons(Parse("{kind: ValidatingPolicy}")), "");
}

TEST_F(GenerateTest, NativeMutating) {
  const NativeForm form =
      ToNative(Policy("MutatingPolicy",
                      "  autogen: {podControllers: {controllers: []}}\n  mutations:\n"
                      "  - {patchType: JSONPatch, jsonPatch: {expression: '[]'}}\n"),
               {}, arena_);
  ASSERT_EQ(form.objects.size(), 2U);
  EXPECT_EQ(form.warnings.size(), 1U);  // Kyverno would not make it
  EXPECT_EQ(form.objects[0].Find("spec")->StringAt("reinvocationPolicy"), "Never");
  EXPECT_EQ(json::ToString(*form.objects[1].Find("spec")), R"({"policyName":"mpol-p"})");
}

}  // namespace
}  // namespace portcullis::autogen
