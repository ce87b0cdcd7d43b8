// Whole requests through a policy set (spec/kubernetes-admission.md 1.2, 2).

#include "engine/admit.h"

#include <gtest/gtest.h>

#include "base/arena.h"
#include "engine/object_warnings.h"
#include "engine/offline.h"
#include "engine/offline_providers.h"
#include "engine/review.h"
#include "json/reader.h"
#include "schema/type_table.h"

namespace portcullis::engine {
namespace {

constexpr std::string_view kPolicy = R"json({
  "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
  "metadata": {"name": "replicas"},
  "spec": {
    "matchConstraints": {"resourceRules": [{"apiGroups": ["apps"], "apiVersions": ["v1"],
      "operations": ["CREATE", "UPDATE"], "resources": ["deployments"]}]},
    "variables": [{"name": "n", "expression": "object.spec.replicas"}],
    "validations": [
      {"expression": "variables.n <= 5",
       "messageExpression": "'at most 5 replicas, not ' + string(variables.n)"},
      {"expression": "object.metadata.name != 'bad'", "message": "bad name"}]}})json";

constexpr std::string_view kBinding = R"({
  "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
  "metadata": {"name": "everywhere"},
  "spec": {"policyName": "replicas", "validationActions": ["Deny"]}})";

class AdmitTest : public ::testing::Test {
 protected:
  doc::Value Json(std::string_view text) {
    auto parsed = json::Parse(text, arena_);
    EXPECT_TRUE(parsed.ok()) << text;
    return parsed.ok() ? parsed.value() : doc::Value();
  }

  policy::LoadReport Add(PolicySetBuilder& builder, std::string_view text) {
    return builder.Add({Json(text), {}}, policy::LoadMode::kStrict);
  }

  OfflineResult Evaluate(const PolicySet& set, std::string_view object) {
    providers_.namespaces = &namespaces_;
    auto result = EvaluateManifest(set, Json(object), {}, providers_, schema::TypeTable::Builtin(),
                                   arena_, {});
    EXPECT_TRUE(result.ok());
    return result.ok() ? std::move(result).value() : OfflineResult();
  }

  base::Arena arena_;
  DocumentNamespaces namespaces_{false};
  provider::Providers providers_;
};

constexpr std::string_view kTooMany =
    R"({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "bad"},
        "spec": {"replicas": 7}})";

TEST_F(AdmitTest, AnswerShowsTheFirstDenialAndTheReportAll) {
  PolicySetBuilder builder;
  EXPECT_TRUE(Add(builder, kPolicy).errors.empty());
  EXPECT_TRUE(Add(builder, kBinding).errors.empty());
  const auto set = builder.Build(false);
  const OfflineResult result = Evaluate(*set, kTooMany);
  EXPECT_FALSE(result.answer.allowed);
  EXPECT_EQ(result.answer.status.code, 422);
  EXPECT_EQ(result.answer.status.message,
            "deployments.apps \"bad\" is forbidden: ValidatingAdmissionPolicy 'replicas' with "
            "binding 'everywhere' denied request: at most 5 replicas, not 7");
  ASSERT_EQ(result.answer.rows.size(), 2U);
  EXPECT_EQ(result.answer.rows[0].outcome, policy::Outcome::kFail);
  EXPECT_EQ(result.answer.rows[1].message, "bad name");
  EXPECT_EQ(result.answer.rows[1].policy_path, "spec.validations[1].expression");

  const OfflineResult fine = Evaluate(
      *set, R"({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}})");
  EXPECT_TRUE(fine.answer.allowed);  // the default of one replica is visible
  ASSERT_EQ(fine.answer.rows.size(), 1U);
  EXPECT_EQ(fine.answer.rows[0].outcome, policy::Outcome::kPass);

  const OfflineResult other =
      Evaluate(*set, R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}})");
  EXPECT_TRUE(other.answer.rows.empty());
}

TEST_F(AdmitTest, UnboundPolicies) {
  for (const bool evaluate : {false, true}) {
    PolicySetBuilder builder;
    Add(builder, kPolicy);
    const auto set = builder.Build(evaluate);
    ASSERT_EQ(set->notes().size(), 1U);
    EXPECT_NE(set->notes()[0].message.find("no binding"), std::string::npos);
    EXPECT_EQ(Evaluate(*set, kTooMany).answer.rows.empty(), !evaluate);
  }
}

TEST_F(AdmitTest, UnknownNamespacesMatterOnlyWhereTheyAreUsed) {
  PolicySetBuilder builder;
  Add(builder, R"json({
    "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
    "metadata": {"name": "p"},
    "spec": {"matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"],
               "operations": ["CREATE"], "resources": ["pods"]}]},
             "validations": [{"expression": "namespaceObject.metadata.name == 'default'"},
                             {"expression": "object.metadata.name == 'x'"}]}})json");
  const auto set = builder.Build(true);
  constexpr std::string_view kPod =
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}})";
  const OfflineResult unknown = Evaluate(*set, kPod);
  ASSERT_EQ(unknown.answer.rows.size(), 1U);
  EXPECT_EQ(unknown.answer.rows[0].outcome, policy::Outcome::kError);
  EXPECT_NE(unknown.answer.rows[0].message.find("not among the inputs"), std::string::npos);
  namespaces_.Add(Json(R"({"metadata": {"name": "default"}})"), arena_);
  EXPECT_EQ(Evaluate(*set, kPod).answer.rows[0].outcome, policy::Outcome::kPass);
}

TEST_F(AdmitTest, RefusedDocuments) {
  struct Row {
    const char* text;
    const char* path;
    const char* message;
  };
  constexpr Row kRows[] = {
      {R"({"apiVersion": "admissionregistration.k8s.io/v1",
           "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": "b"},
           "spec": {"policyName": "p", "validationAction": ["Deny"]}})",
       "spec.validationAction", "unknown field \"spec.validationAction\""},
      {R"({"apiVersion": "admissionregistration.k8s.io/v1",
           "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": "b"},
           "spec": {"policyName": "p", "validationActions": ["Deny", "Deny"]}})",
       "spec.validationActions[1]", "Duplicate value: \"Deny\""},
      {R"({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
           "metadata": {"name": "p"}, "spec": {"failurePolicy": 3}})",
       "spec.failurePolicy", "expected string, got number"},
  };
  for (const Row& row : kRows) {
    PolicySetBuilder builder;
    const policy::LoadReport report = Add(builder, row.text);
    ASSERT_FALSE(report.errors.empty()) << row.text;
    EXPECT_EQ(report.errors[0].path, row.path);
    EXPECT_EQ(report.errors[0].message, row.message);
  }
}

TEST_F(AdmitTest, WarningRecorder) {
  EXPECT_EQ(RecordWarnings({"a", "a", "", "b\nc", "d\te", "f"}),
            (std::vector<std::string>{"a", "f"}));
  const std::vector<std::string> many = {std::string(3000, 'x'), std::string(2000, 'y')};
  const std::vector<std::string> kept = RecordWarnings(many);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].size(), 256U);
  EXPECT_EQ(kept[1].size(), 256U);
}

TEST_F(AdmitTest, WarningsOfTheServerAboutPods) {
  match::AdmissionRequest request;
  request.kind = {"apps", "v1", "Deployment"};
  request.object = Json(R"({"spec": {"template": {"spec": {
      "nodeSelector": {"beta.kubernetes.io/os": "linux"},
      "topologySpreadConstraints": [{"topologyKey": "zone"}, {"labelSelector": {}}],
      "containers": [{"env": [{"name": "A"}, {"name": "B"}, {"name": "A"}]}]}}}})");
  const std::vector<std::string> expected = {
      "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "
      "\"kubernetes.io/os\" instead",
      "spec.template.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results "
      "in matching no pod",
      "spec.template.spec.containers[0].env[2]: hides previous definition of \"A\", which may be "
      "dropped when using apply"};
  EXPECT_EQ(ObjectWarnings(request), expected);
  request.sub_resource = "status";
  EXPECT_TRUE(ObjectWarnings(request).empty());
}

TEST_F(AdmitTest, GuessedPlurals) {
  EXPECT_EQ(GuessPlural("Policy"), "policies");
  EXPECT_EQ(GuessPlural("Gateway"), "gateways");
  EXPECT_EQ(GuessPlural("GlobalSet"), "globalsets");
  EXPECT_EQ(GuessPlural("Ingress"), "ingresses");
}

TEST_F(AdmitTest, ChangesRelativeToWhatWasWritten) {
  const doc::Value written = Json(R"({"spec": {"a": 1}})");
  const doc::Value before = Json(R"({"spec": {"a": 1, "default": true}, "status": {}})");
  const doc::Value after = Json(R"({"spec": {"default": true, "b": [2]}, "status": {}})");
  const doc::Value shown = RelativeToWritten(written, before, after, arena_);
  EXPECT_EQ(shown.as_map().size(), 1U);
  const doc::Value& spec = *shown.Find("spec");
  EXPECT_EQ(spec.Find("a"), nullptr);
  EXPECT_EQ(spec.Find("default"), nullptr);
  EXPECT_NE(spec.Find("b"), nullptr);
}

}  // namespace
}  // namespace portcullis::engine
