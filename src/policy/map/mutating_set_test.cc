#include "policy/map/mutating_set.h"

#include <gtest/gtest.h>

#include "json/reader.h"
#include "json/writer.h"
#include "policy/map/loader.h"
#include "schema/type_table.h"

namespace portcullis::policy {
namespace {

constexpr std::string_view kConfigMap =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"1"}})";

class MutatingPolicies : public testing::Test {
 protected:
  // A policy for ConfigMaps; `spec` holds its further members, without braces.
  LoadReport AddPolicy(std::string_view name, std::string_view spec) {
    return Add(
        R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy",)"
        R"("metadata":{"name":")" +
        std::string(name) +
        R"("},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],)"
        R"("apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]},)" +
        std::string(spec) + "}}");
  }
  LoadReport AddBinding(std::string_view policy) {
    return Add(R"({"apiVersion":"admissionregistration.k8s.io/v1",)"
               R"("kind":"MutatingAdmissionPolicyBinding","metadata":{"name":")" +
               std::string(policy) + R"(-b"},"spec":{"policyName":")" + std::string(policy) +
               R"("}})");
  }
  LoadReport Add(const std::string& text) {
    auto value = json::Parse(text, arena_);
    EXPECT_TRUE(value.ok()) << text;
    LoadReport report;
    loader_->Add({*value, {}}, LoadMode::kStrict, arena_, report);
    return report;
  }

  // The whole mutating phase; the object, or the first refusal.
  std::string Mutate(std::string_view object, bool unbound = false) {
    const auto set = loader_->Finish(unbound);
    match::AdmissionRequest request;
    request.kind = request.request_kind = {"", "v1", "ConfigMap"};
    request.resource = request.request_resource = {"", "v1", "configmaps"};
    request.name = "c";
    request.object = *json::Parse(object, arena_);
    provider::Providers providers;
    RequestContext context(request, providers, &schema::TypeTable::Builtin(), arena_);
    verdict_ = {};
    verdict_.want_rows = true;
    std::vector<std::uint32_t> candidates(set->size());
    for (std::uint32_t i = 0; i < candidates.size(); ++i) candidates[i] = i;
    const auto state = set->NewMutationState();
    passes_ = 0;
    for (int pass = 0; pass < 2; ++pass) {
      ++passes_;
      const bool again = set->Mutate(candidates, pass, state.get(), context, verdict_);
      if (verdict_.fatal) return verdict_.fatal->message;
      if (!verdict_.denials.empty()) return verdict_.denials.front().message;
      if (!again) break;
    }
    return json::ToString(request.object);
  }

  base::Arena arena_;
  std::unique_ptr<FamilyLoader> loader_ = NewMutatingAdmissionLoader();
  Verdict verdict_;
  int passes_ = 0;
};

constexpr std::string_view kApplyB =
    R"("reinvocationPolicy":"Never","mutations":[{"patchType":"ApplyConfiguration",)"
    R"("applyConfiguration":{"expression":"Object{data: {'b': '2'}}"}}])";

TEST_F(MutatingPolicies, ApplyConfigurationMerges) {
  EXPECT_TRUE(AddPolicy("p", kApplyB).errors.empty());
  EXPECT_TRUE(AddBinding("p").errors.empty());
  EXPECT_NE(Mutate(kConfigMap).find(R"("data":{"a":"1","b":"2"})"), std::string::npos);
  EXPECT_EQ(passes_, 2);
}

TEST_F(MutatingPolicies, WithoutBindingNothingHappens) {
  AddPolicy("p", kApplyB);
  EXPECT_EQ(Mutate(kConfigMap), kConfigMap);
}

TEST_F(MutatingPolicies, UnboundPoliciesCanRunAsIfBound) {
  AddPolicy("p", kApplyB);
  EXPECT_NE(Mutate(kConfigMap, true).find(R"("b":"2")"), std::string::npos);
}

TEST_F(MutatingPolicies, ReinvocationRunsOnceMore) {
  constexpr std::string_view kCount =
      R"("mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":)"
      R"("[JSONPatch{op: 'add', path: '/data/a', value: object.data.a + 'x'}]"}}],)"
      R"("reinvocationPolicy":")";
  AddPolicy("never", std::string(kCount) + "Never\"");
  AddBinding("never");
  EXPECT_NE(Mutate(kConfigMap).find(R"("a":"1x")"), std::string::npos);
  AddPolicy("needed", std::string(kCount) + "IfNeeded\"");
  AddBinding("needed");
  EXPECT_NE(Mutate(kConfigMap).find(R"("a":"1xx")"), std::string::npos);
}

TEST_F(MutatingPolicies, ErrorsAreCollected) {
  constexpr std::string_view kFailing =
      R"("reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch","jsonPatch":)"
      R"({"expression":"[JSONPatch{op: 'remove', path: '/data/z'}]"}},)"
      R"({"patchType":"JSONPatch","jsonPatch":)"
      R"({"expression":"[JSONPatch{op: 'add', path: '/data/y', value: object.data.z}]"}}])";
  AddPolicy("p", kFailing);
  AddBinding("p");
  EXPECT_EQ(Mutate(kConfigMap),
            "policy 'p' with binding 'p-b' denied request: JSON Patch: error in remove for path: "
            "'/data/z': Unable to remove nonexistent key: z: missing value");
  ASSERT_EQ(verdict_.denials.size(), 1U);
  EXPECT_EQ(verdict_.denials[0].code, 403);
  EXPECT_EQ(verdict_.denials[0].reason, "Invalid");
  EXPECT_EQ(verdict_.denials[0].causes.size(), 2U);
  ASSERT_EQ(verdict_.rows.size(), 2U);
  EXPECT_EQ(verdict_.rows[1].policy_path, "spec.mutations[1].jsonPatch.expression");
}

TEST_F(MutatingPolicies, FailurePolicyIgnoreDropsErrors) {
  AddPolicy("p", R"("failurePolicy":"Ignore","reinvocationPolicy":"Never","mutations":[)"
                 R"({"patchType":"JSONPatch","jsonPatch":{"expression":)"
                 R"("[JSONPatch{op: 'remove', path: '/data/z'}]"}}])");
  AddBinding("p");
  EXPECT_EQ(Mutate(kConfigMap), kConfigMap);
}

TEST_F(MutatingPolicies, UndecodableResultsEndTheRequest) {
  AddPolicy("p", R"("failurePolicy":"Ignore","reinvocationPolicy":"Never","mutations":[)"
                 R"({"patchType":"JSONPatch","jsonPatch":{"expression":)"
                 R"("[JSONPatch{op: 'add', path: '/nope', value: 1}]"}}])");
  AddBinding("p");
  EXPECT_EQ(Mutate(kConfigMap),
            "Internal error occurred: strict decoding error: unknown field \"nope\"");
}

TEST_F(MutatingPolicies, LoadingReportsEveryProblem) {
  const LoadReport report =
      AddPolicy("p", R"("mutations":[{"patchType":"JSONPatch"},{"patchType":"x"}])");
  ASSERT_TRUE(report.refusal.has_value());
  EXPECT_EQ(report.refusal->message,
            "MutatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid: "
            "[spec.mutations[0].jsonPatch: Required value: must be specified when patchType is "
            "JSONPatch, spec.mutations[1].patchType: Unsupported value: \"x\": supported values: "
            "\"ApplyConfiguration\", \"JSONPatch\", spec.reinvocationPolicy: Required value]");
}

TEST_F(MutatingPolicies, UnknownFieldsAreErrorsInFiles) {
  const LoadReport report = AddPolicy("p", std::string(kApplyB) + R"(,"validationActions":[])");
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0].message, "unknown field \"spec.validationActions\"");
}

}  // namespace
}  // namespace portcullis::policy
