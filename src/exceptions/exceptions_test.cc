#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "exceptions/exception.h"
#include "exceptions/fields.h"
#include "exceptions/grant.h"
#include "json/reader.h"

namespace portcullis::exceptions {
namespace {

doc::Value Json(std::string_view text, base::Arena& arena) {
  const auto value = json::Parse(text, arena);
  EXPECT_TRUE(value.ok()) << text;
  return *value;
}

TEST(Fields, UnknownAndWrong) {
  base::Arena arena;
  const FieldFindings findings =
      CheckFields(Json(R"json({"apiVersion": "v1", "kind": "X", "extra": 1, "spec": {
             "matchConstraints": {"resourceRules": [{"apiGroup": [""], "resources": "pods"}],
                                  "objectSelector": {"matchLabels": {"a": 1}}},
             "validations": [{"expression": "true"}, {"message": "m"}, null],
             "variables": [{"name": "a", "expression": "1"}, {"name": "a", "expression": "2"}],
             "webhookConfiguration": {"timeoutSeconds": "3"}},
             "metadata": {"name": "p", "labels": {"a": true}}})json",
                       arena),
                  kValidatingPolicyFields);
  EXPECT_EQ(findings.unknown,
            (std::vector<std::string>{"extra", "spec.matchConstraints.resourceRules[0].apiGroup"}));
  EXPECT_EQ(findings.hints[1], "apiGroups");
  std::vector<std::string> paths;
  for (const base::Error& error : findings.errors) paths.push_back(error.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"spec.matchConstraints.resourceRules[0].resources",
                                             "spec.matchConstraints.objectSelector.matchLabels.a",
                                             "spec.validations[1].expression", "spec.variables[1]",
                                             "spec.webhookConfiguration.timeoutSeconds",
                                             "metadata.labels.a"}));
  EXPECT_EQ(findings.errors[3].message, "Duplicate value: {\"name\":\"a\"}");
}

TEST(Fields, Attestors) {
  base::Arena arena;
  const FieldFindings findings = CheckFields(Json(R"json({"spec": {"attestors": [
             {"name": "a", "cosign": {"key": {"data": 1}, "ctlog": {"insecureIgnoreTlog": "yes"},
                                      "source": {"pullSecrets": []}, "annotations": {"k": 1}}},
             {"name": "b", "cosign": {"keyless": {"roots": "r"}}},
             {"notary": {"certs": "c", "tsaCert": {}}}],
             "attestations": [{"name": "x", "intoto": {}}]}})json",
                                                  arena),
                                             kImageValidatingPolicyFields);
  EXPECT_EQ(findings.unknown,
            (std::vector<std::string>{"spec.attestors[0].cosign.source.pullSecrets",
                                      "spec.attestors[2].notary.tsaCert"}));
  std::vector<std::string> paths;
  for (const base::Error& error : findings.errors) paths.push_back(error.path);
  EXPECT_EQ(paths, (std::vector<std::string>{
                       "spec.attestors[0].cosign.key.data",
                       "spec.attestors[0].cosign.ctlog.insecureIgnoreTlog",
                       "spec.attestors[0].cosign.annotations.k",
                       "spec.attestors[1].cosign.keyless.identities", "spec.attestors[2].name",
                       "spec.attestors[2].notary.certs", "spec.attestations[0].intoto.type"}));
}

TEST(Exceptions, Refused) {
  struct Row {
    const char* spec;  // beside a reference
    const char* path;
    const char* text;
  };
  constexpr Row kRows[] = {
      {R"("policyRefs": [])", "spec.policyRefs", "must specify at least one policy ref"},
      {R"("policyRefs": [{"kind": "ValidatingPolicy"}])", "spec.policyRefs[0].name",
       "must specify policy name"},
      {R"("matchConditions": [{"name": "a", "expression": "object.x"}])",
       "spec.matchConditions[0].expression", "output is expected to be of type bool"},
      {R"("matchConditions": [{"name": "a", "expression": "exceptions.allowedImages == []"}])",
       "spec.matchConditions[0].expression", "undeclared reference to 'exceptions'"},
      {R"("expiresAt": "tomorrow")", "spec.expiresAt", "must be a date and time"},
      {R"("reportResult": "fail")", "spec.reportResult", "supported values"},
      {R"("validations": [{"expression": "true &&\ntrue"}])", "spec.validations[0].message",
       "message must be specified"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.spec);
    base::Arena arena;
    const std::string spec(row.spec);
    const std::string refs = R"("policyRefs": [{"name": "p", "kind": "ValidatingPolicy"}], )";
    base::ErrorList errors;
    std::vector<std::string> warnings;
    LoadException(Json(R"({"metadata": {"name": "e"}, "spec": {)" +
                           (spec.find("policyRefs") == std::string::npos ? refs : "") + spec + "}}",
                       arena),
                  errors, warnings);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].path, row.path);
    EXPECT_NE(errors[0].message.find(row.text), std::string::npos) << errors[0].message;
  }
}

TEST(Exceptions, WithoutConditionsItExemptsEverything) {
  base::Arena arena;
  base::ErrorList errors;
  std::vector<std::string> warnings;
  const PolicyException exception =
      LoadException(Json(R"({"metadata": {"name": "e", "namespace": "n"},
               "spec": {"policyRefs": [{"name": "p", "kind": "ValidatingPolicy"}]}})",
                         arena),
                    errors, warnings);
  EXPECT_TRUE(errors.empty());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(exception.RefersTo("ValidatingPolicy", "p"));
  EXPECT_FALSE(exception.RefersTo("NamespacedValidatingPolicy", "p"));
}

TEST(Grants, PriorityChoosesTheResult) {
  base::Arena arena;
  std::vector<PolicyException> exceptions(3);
  for (std::size_t i = 0; i < exceptions.size(); ++i) exceptions[i].name = std::to_string(i);
  exceptions[1].priority = 5;
  exceptions[1].report_pass = true;
  exceptions[2].images = {"i"};
  std::vector<Attached> attached;
  for (const PolicyException& exception : exceptions) attached.push_back({&exception, nullptr});
  cel::MapActivation activation;
  GrantRules rules;
  const Grants grants = Evaluate(attached, rules, activation, arena, {});
  EXPECT_TRUE(grants.full);
  EXPECT_TRUE(grants.report_pass);
  EXPECT_EQ(KeysOf(grants.granted), "0, 1, 2");

  // Where images do not narrow, any match exempts.
  const std::span<const Attached> last(&attached[2], 1);
  EXPECT_FALSE(Evaluate(last, rules, activation, arena, {}).full);
  rules.partial = false;
  EXPECT_TRUE(Evaluate(last, rules, activation, arena, {}).full);
}

}  // namespace
}  // namespace portcullis::exceptions
