#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doc/edit.h"
#include "policy/kyverno_cel/family.h"
#include "yaml/reader.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kPods =
    "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], "
    "operations: [CREATE], resources: [pods]}]}\n";

constexpr std::string_view kPod = R"(
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: a, labels: {x: y}}
spec: {containers: [{name: c, image: nginx}]}
)";

constexpr std::string_view kDeployment = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: a, labels: {t: outer}}
spec: {template: {metadata: {labels: {t: inner}}, spec: {hostPID: true, containers: [{name: c, image: nginx}]}}}
)";

class ValidatingPolicies : public testing::Test {
 protected:
  LoadReport Add(const std::string& text) {
    const auto value = yaml::Parse(arena_.CopyString(text), arena_);
    EXPECT_TRUE(value.ok()) << text;
    LoadReport report;
    loader_->Add({*value, {}}, LoadMode::kStrict, arena_, report);
    return report;
  }
  // `spec` in block style, not indented.
  LoadReport AddPolicy(std::string_view name, std::string_view spec,
                       std::string_view kind = "ValidatingPolicy", std::string_view ns = "") {
    return Add("apiVersion: policies.kyverno.io/v1\nkind: " + std::string(kind) +
               "\nmetadata: {name: " + std::string(name) + ", namespace: \"" + std::string(ns) +
               "\"}\nspec:\n" + Indented(spec));
  }
  LoadReport AddException(std::string_view name, std::string_view spec) {
    return Add("apiVersion: policies.kyverno.io/v1\nkind: PolicyException\nmetadata: {name: " +
               std::string(name) +
               ", namespace: ns}\nspec:\n  policyRefs: [{name: p, kind: ValidatingPolicy}]\n" +
               Indented(spec));
  }

  // The rows, each as `outcome rule: message`; then `denied: ...` and warnings.
  std::vector<std::string> Evaluate(std::string_view text) {
    const auto set = loader_->Finish(false);
    match::AdmissionRequest request;
    request.object = *yaml::Parse(arena_.CopyString(text), arena_);
    const doc::Value& metadata = *request.object.Find("metadata");
    const match::GroupVersion version =
        match::SplitApiVersion(request.object.StringAt("apiVersion"));
    request.kind = {version.group, version.version, request.object.StringAt("kind")};
    std::string plural(request.kind.kind);
    for (char& c : plural) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    request.resource = {version.group, version.version, arena_.CopyString(plural + "s")};
    request.name = metadata.StringAt("name");
    request.ns = metadata.StringAt("namespace");
    provider::Providers providers;
    RequestContext context(request, providers, nullptr, arena_);
    context.explain_failures = true;
    verdict_ = {};
    verdict_.want_rows = true;
    std::vector<std::uint32_t> candidates(set->size());
    for (std::uint32_t i = 0; i < candidates.size(); ++i) candidates[i] = i;
    set->Validate(candidates, context, verdict_);
    set->ValidateDocument(DocumentForm::kAny, context, verdict_);
    notes_.assign(set->notes().begin(), set->notes().end());
    std::vector<std::string> out;
    for (const ResultRow& row : verdict_.rows) {
      out.push_back(std::string(OutcomeName(row.outcome)) + " " + row.rule + ": " + row.message);
    }
    return out;
  }

  static std::string Indented(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      out += "  " + std::string(text.substr(at, end - at)) + "\n";
      at = end + 1;
    }
    return out;
  }

  base::Arena arena_;
  std::unique_ptr<FamilyLoader> loader_ = NewLoader();
  Verdict verdict_;
  base::ErrorList notes_;
};

TEST_F(ValidatingPolicies, OneResultPerPolicy) {
  struct Row {
    const char* spec;
    const char* result;
  };
  constexpr Row kRows[] = {
      {"validations: [{expression: 'true'}, {expression: 'true'}]", "pass : success"},
      {"validations: [{expression: 'true'}, {expression: 'false'}, {expression: 'false'}]",
       "fail : CEL expression validation failed at index 1"},
      {"validations: [{expression: 'object.spec.hostNetwork == false'}]",
       "error : error: no such key: hostNetwork"},
      {"failurePolicy: Ignore\nvalidations: [{expression: 'object.spec.hostNetwork == false'}]",
       "error : error: no such key: hostNetwork"},
      {"matchConditions: [{name: a, expression: 'object.metadata.nope == 1'}, "
       "{name: b, expression: 'false'}]\nvalidations: [{expression: 'false'}]",
       "skip : skip"},
      {"matchConditions: [{name: a, expression: 'object.metadata.nope == 1'}]\n"
       "validations: [{expression: 'false'}]",
       "error evaluation: failed to load context: no such key: nope"},
      {"failurePolicy: Ignore\n"
       "matchConditions: [{name: a, expression: 'object.metadata.nope == 1'}]\n"
       "validations: [{expression: 'false'}]",
       "skip : skip"},
      {"validations: [{expression: 'false', message: m, "
       "messageExpression: '\"x\" + object.metadata.name'}]",
       "fail : xp"},
      {"validations: [{expression: 'false', message: m, "
       "messageExpression: '\"x\" + object.spec.nope'}]",
       "fail : failed to evaluate message expression: no such key: nope"},
      // Variables are computed when they are read.
      {"variables: [{name: bad, expression: 'object.nope'}]\nvalidations: [{expression: 'true'}]",
       "pass : success"},
      {"variables: [{name: bad, expression: 'object.nope'}]\n"
       "validations: [{expression: 'true || variables.bad == 1'}]",
       "pass : success"},
      {"validations: [{expression: 'size(exceptions.allowedImages) == 0'}]", "pass : success"},
      {"validations: [{expression: 'object.spec.?x.orValue(\"d\") == \"d\"'}]", "pass : success"},
      {"validations: [{expression: 'false', message: m}]\n"
       "auditAnnotations: [{key: failMessage, valueExpression: '\"shown\"'}]",
       "fail : shown"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.spec);
    loader_ = NewLoader();
    EXPECT_TRUE(AddPolicy("p", std::string(kPods) + row.spec).errors.empty());
    EXPECT_EQ(Evaluate(kPod), std::vector<std::string>{row.result});
  }
}

TEST_F(ValidatingPolicies, RowsTellWhatDecided) {
  AddPolicy("p", std::string(kPods) +
                     "variables: [{name: all, expression: object.spec.containers}]\n"
                     "validations: [{expression: 'variables.all.all(c, c.image != \"nginx\")'}]");
  Evaluate(kPod);
  ASSERT_EQ(verdict_.rows.size(), 1U);
  const ResultRow& row = verdict_.rows[0];
  EXPECT_EQ(row.policy_path, "spec.validations[0].expression");
  EXPECT_EQ(row.path, "spec.containers[0].image");
  EXPECT_EQ(row.value, "\"nginx\"");
  const std::vector<std::pair<std::string, std::string>> properties = {
      {"cel.validationIndex", "0"}, {"process", "background scan"}};
  EXPECT_EQ(row.properties, properties);
  ASSERT_EQ(verdict_.denials.size(), 1U);
  EXPECT_EQ(verdict_.denials[0].message,
            "Policy p failed: CEL expression validation failed at index 0");
}

TEST_F(ValidatingPolicies, ActionsAndOrder) {
  const std::string fails =
      std::string(kPods) + "validations: [{expression: 'false', message: m}]\n";
  AddPolicy("zz", fails);
  AddPolicy("aa", std::string(kPods) +
                      "validations: [{expression: 'false', message: \"m\\nn\"}]\n"
                      "validationActions: [Deny, Warn]");
  AddPolicy("quiet", fails + "validationActions: [Audit]");
  AddPolicy("own", fails, "NamespacedValidatingPolicy", "a");
  AddPolicy("other", fails, "NamespacedValidatingPolicy", "b");
  EXPECT_EQ(Evaluate(kPod).size(), 4U);
  ASSERT_EQ(verdict_.denials.size(), 1U);
  EXPECT_EQ(verdict_.denials[0].message,
            "Policy aa failed: m\nn; Policy zz failed: m; Policy own failed: m");
  EXPECT_EQ(verdict_.warnings, std::vector<std::string>{"Policy aa failed: m n"});
}

TEST_F(ValidatingPolicies, Exceptions) {
  constexpr std::string_view kAll = "matchConditions: [{name: m, expression: 'true'}]\n";
  constexpr std::string_view kSkip = "skip exception: rule is skipped due to policy exception: ";
  struct Row {
    std::vector<std::string> exceptions;  // e0, e1, ...
    std::string result;
  };
  const std::string all(kAll);
  const std::string skip(kSkip);
  const std::string bad = "matchConditions: [{name: m, expression: 'object.nope == 1'}]";
  const Row rows[] = {
      {{all}, skip + "ns/e0"},
      {{all + "reportResult: pass"},
       "pass exception: rule is passed due to policy exception: ns/e0"},
      {{"matchConditions: [{name: m, expression: 'object.metadata.name == \"q\"'}]"}, "fail : m"},
      {{all + "images: [nginx]"}, "pass : success"},
      {{all + "images: [other]"}, "fail : m"},
      {{all + "images: [other]", all}, skip + "ns/e0, ns/e1"},
      {{bad}, "error evaluation: failed to load context: no such key: nope"},
      {{bad, all}, skip + "ns/e1"},
      {{all + "expiresAt: '2001-01-01T00:00:00Z'"}, "fail : m"},
      {{all + "expiresAt: '2201-01-01T00:00:00Z'"}, skip + "ns/e0"},
      {{all + "evaluationMode: HTTP"}, "fail : m"},
      {{all + "validations: [{expression: 'false', message: control}]"}, "fail : control"},
      {{all + "validations: [{expression: 'true', message: control}]"}, skip + "ns/e0"},
      {{all + "validations: [{expression: 'false', message: control}]", all}, skip + "ns/e1"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.exceptions[0]);
    loader_ = NewLoader();
    AddPolicy("p", std::string(kPods) +
                       "validations: [{expression: 'object.spec.containers.all(c, string(c.image) "
                       "in exceptions.allowedImages)', message: m}]");
    for (std::size_t i = 0; i < row.exceptions.size(); ++i) {
      const LoadReport report = AddException("e" + std::to_string(i), row.exceptions[i]);
      EXPECT_TRUE(report.errors.empty());
    }
    EXPECT_EQ(Evaluate(kPod), std::vector<std::string>{row.result});
  }
}

TEST_F(ValidatingPolicies, ControlsOnlyMatterToWhatFails) {
  AddPolicy("p", std::string(kPods) + "validations: [{expression: 'true'}]");
  AddException("e", "validations: [{expression: 'false', message: control}]");
  EXPECT_EQ(Evaluate(kPod), std::vector<std::string>{"pass : success"});
  ASSERT_EQ(verdict_.rows[0].withheld_exceptions.size(), 1U);
  EXPECT_EQ(verdict_.rows[0].withheld_exceptions[0], "ns/e: control");
}

TEST_F(ValidatingPolicies, ControllersAreJudgedByTheirTemplates) {
  struct Row {
    const char* expression;
    const char* exception;  // null: none
    const char* outcome;
  };
  constexpr Row kRows[] = {
      {"object.spec.containers.all(c, c.image == 'nginx')", nullptr, "pass"},
      {"object.?spec.?hostPID.orValue(false) == false", nullptr, "fail"},
      {"object.metadata.name == 'web'", nullptr, "pass"},
      {"object.metadata.labels.t == 'inner'", nullptr, "pass"},
      {"false", "object.spec.containers.exists(c, c.image == 'nginx')", "skip"},
      {"false", "object.metadata.name == 'web'", "skip"},
      {"false", "object.metadata.labels.t == 'inner'", "skip"},
      {"false", "object.metadata.labels.t == 'outer'", "skip"},
      {"false", "object.metadata.labels.t == 'none'", "fail"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.expression);
    loader_ = NewLoader();
    AddPolicy("p", std::string(kPods) + "validations: [{expression: \"" + row.expression + "\"}]");
    if (row.exception != nullptr) {
      AddException(
          "e", "matchConditions: [{name: m, expression: \"" + std::string(row.exception) + "\"}]");
    }
    Evaluate(kDeployment);
    ASSERT_EQ(verdict_.rows.size(), 1U);
    EXPECT_EQ(OutcomeName(verdict_.rows[0].outcome), row.outcome);
  }
}

TEST_F(ValidatingPolicies, EveryPodTemplateOfACustomKind) {
  constexpr std::string_view kJobSet = R"(
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: js, namespace: a}
spec:
  replicatedJobs:
  - template: {spec: {template: {spec: {containers: [{name: c, image: good}]}}}}
  - template: {spec: {template: {spec: {containers: [{name: c, image: bad}]}}}}
)";
  constexpr std::string_view kSecond =
      " (pod template at spec.replicatedJobs[1].template.spec.template)";
  struct Row {
    const char* expression;
    std::string result;
  };
  const Row rows[] = {
      {"object.spec.containers.all(c, c.image == 'good')", "fail : js" + std::string(kSecond)},
      {"object.kind == 'Pod' && request.kind.kind == 'Pod'", "pass : success"},
      {"object.spec.containers.all(c, c.image == 'good' || c.nope)",
       "error : error: no such key: nope" + std::string(kSecond)},
  };
  const std::string autogen =
      "autogen: {podControllers: {controllers: [jobsets.v1alpha2.jobset.x-k8s.io]}}\n";
  for (const Row& row : rows) {
    SCOPED_TRACE(row.expression);
    loader_ = NewLoader();
    AddPolicy("p", std::string(kPods) + autogen + "validations: [{expression: \"" + row.expression +
                       "\", messageExpression: object.metadata.name + ''}]");
    EXPECT_EQ(Evaluate(kJobSet), std::vector<std::string>{row.result});
  }
  loader_ = NewLoader();
  AddPolicy("p", std::string(kPods) + autogen + "validations: [{expression: 'true'}]");
  EXPECT_EQ(Evaluate("apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: js}\n"),
            std::vector<std::string>{"error : error: extraction mode: no pod template found in "
                                     "jobset.x-k8s.io/v1alpha2/JobSet"});
}

TEST_F(ValidatingPolicies, DocumentsWithoutRequest) {
  AddPolicy(
      "p",
      "evaluation: {mode: JSON}\nmatchConditions: [{name: m, expression: 'request == null'}]\n"
      "validations: [{expression: 'has(object.nope)', message: m}]");
  EXPECT_EQ(Evaluate(kPod), std::vector<std::string>{"fail : m"});
  EXPECT_TRUE(verdict_.denials.empty());
}

TEST_F(ValidatingPolicies, RefusedPolicies) {
  struct Row {
    const char* spec;
    const char* path;
    const char* text;
  };
  constexpr Row kRows[] = {
      {"validations: [{expression: 'object.spec.x'}]", "spec.validations[0].expression",
       "output is expected to be of type bool"},
      {"matchConditions: [{name: a, expression: 'variables.v'}]\nvalidations: []",
       "spec.matchConditions[0].expression", "undefined field 'v'"},
      {"variables: [{name: b, expression: variables.c}, {name: c, expression: '1'}]",
       "spec.variables[0].expression", "undefined field 'c'"},
      {"validations: [{expression: 'true', messageExpression: object.x}]",
       "spec.validations[0].messageExpression", "output is expected to be of type string"},
      {"validations: [{expresion: 'true'}]", "spec.validations[0].expresion", "unknown field"},
      {"variables: [{name: v}]", "spec.variables[0].expression", "Required value"},
      {"failurePolicy: Maybe", "spec.failurePolicy", "Unsupported value"},
      {"validations: true", "spec.validations", "must be of type array"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.spec);
    const LoadReport report = AddPolicy("p", std::string(kPods) + row.spec);
    const auto found =
        std::find_if(report.errors.begin(), report.errors.end(), [&](const base::Error& error) {
          return error.path == row.path && error.message.find(row.text) != std::string::npos;
        });
    EXPECT_NE(found, report.errors.end());
  }
  EXPECT_FALSE(AddPolicy("p", "validations: [{expression: 'true'}]").errors.empty());
}

TEST_F(ValidatingPolicies, HttpInANamespace) {
  const auto refused = [&](std::string_view kind, std::string_view expression) {
    const std::string text = "apiVersion: policies.kyverno.io/v1\nkind: " + std::string(kind) +
                             "\nmetadata: {name: p}\nspec:\n" + Indented(kPods) +
                             "  validations: [{expression: '" + std::string(expression) + "'}]";
    const auto value = yaml::Parse(arena_.CopyString(text), arena_);
    EXPECT_TRUE(value.ok());
    LoadReport report;
    loader_->Add({*value, {}}, LoadMode::kApiServer, arena_, report);
    return report.refusal ? report.refusal->message : std::string();
  };
  constexpr std::string_view kCall = "http.Get(\"https://x\") != null";
  EXPECT_EQ(refused("NamespacedValidatingPolicy", kCall),
            "spec: Forbidden: http.* is not allowed in namespaced policies; set "
            "--allowHTTPInNamespacedPolicies to enable");
  EXPECT_EQ(refused("ValidatingPolicy", kCall), "");
  EXPECT_EQ(refused("NamespacedValidatingPolicy", "object.http == \"http\""), "");
}

TEST_F(ValidatingPolicies, NotesAboutExceptions) {
  AddPolicy("p", std::string(kPods) + "validations: [{expression: 'true'}]");
  const LoadReport bad =
      AddException("bad", "matchConditions: [{name: m, expression: 'variables.x'}]");
  ASSERT_EQ(bad.errors.size(), 1U);
  EXPECT_NE(bad.errors[0].message.find("ns/bad for ValidatingPolicy p"), std::string::npos);
  Add("apiVersion: policies.kyverno.io/v1alpha1\nkind: PolicyException\nmetadata: {name: e}\n"
      "spec: {policyRefs: [{name: none, kind: ValidatingPolicy}], images: [i]}");
  Evaluate(kPod);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_EQ(notes_[0].message,
            "PolicyException e refers to ValidatingPolicy none, which does not exist");
}

}  // namespace
}  // namespace portcullis::policy::kyverno_cel
