#include "patch/native_decode.h"

#include <gtest/gtest.h>

#include "json/reader.h"
#include "json/writer.h"

namespace portcullis::patch {
namespace {

struct Case {
  std::string_view kind;
  std::string_view document;
  std::string_view expected;
};

class NativeDecode : public testing::TestWithParam<Case> {};

TEST_P(NativeDecode, ReportsLikeGo) {
  base::Arena arena;
  const auto document = json::Parse(GetParam().document, arena);
  ASSERT_TRUE(document.ok());
  for (const schema::Kind& kind : schema::kBuiltinKinds) {
    if (kind.kind != GetParam().kind) continue;
    EXPECT_EQ(StrictDecodeError(*kind.schema, *document), GetParam().expected);
    return;
  }
  FAIL() << "no such kind";
}

INSTANTIATE_TEST_SUITE_P(
    All, NativeDecode,
    testing::Values(
        Case{"Pod", R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":null})", ""},
        Case{"Pod", R"({"spec":{"hostnetwork":true,"containers":[{"name":"a","x":1}]}})",
             "strict decoding error: unknown field \"spec.containers[0].x\", "
             "unknown field \"spec.hostnetwork\""},
        Case{"ConfigMap", R"({"nope":1,"data":{"b":1.5}})",
             "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"},
        Case{"Pod", R"({"spec":{"containers":"x"}})",
             "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type "
             "[]v1.Container"},
        Case{"Deployment", R"({"spec":{"replicas":3000000000}})",
             "json: cannot unmarshal number 3000000000 into Go struct field "
             "DeploymentSpec.spec.replicas of type int32"},
        Case{"PodDisruptionBudget", R"({"spec":{"minAvailable":true}})",
             "json: cannot unmarshal bool into Go value of type int32"},
        Case{"Secret", R"({"data":{"k":"aGk="}})", ""},
        Case{"Secret", R"({"data":{"k":"%"}})", "illegal base64 data at input byte 0"}));

TEST(CoerceNumbers, FollowsTheFieldTypes) {
  base::Arena arena;
  const auto coerce = [&arena](std::string_view text) {
    const auto document = json::Parse(text, arena);
    std::string error;
    for (const schema::Kind& kind : schema::kBuiltinKinds) {
      if (kind.kind != "Deployment") continue;
      const doc::Value out = CoerceNumbers(arena, *kind.schema, *document, error);
      return error.empty() ? json::ToString(out) : error;
    }
    return std::string("no such kind");
  };
  EXPECT_EQ(coerce(R"({"spec":{"replicas":3.0,"paused":true}})"),
            R"({"spec":{"replicas":3,"paused":true}})");
  EXPECT_EQ(coerce(R"({"spec":{"replicas":4294967298}})"), R"({"spec":{"replicas":2}})");
  EXPECT_EQ(coerce(R"({"spec":{"replicas":3.5}})"), "cannot convert float64 to int32");
}

}  // namespace
}  // namespace portcullis::patch
