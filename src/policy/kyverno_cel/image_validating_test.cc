#include <gtest/gtest.h>

#include <string>

#include "policy/kyverno_cel/image_glob.h"
#include "policy/kyverno_cel/set_fixture.h"
#include "provider/image_verifier.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr const char* kPods =
    "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], "
    "operations: [CREATE], resources: [pods]}]}\n"
    "  attestors: [{name: na, notary: {certs: {value: x}}}]\n"
    "  attestations: [{name: sbom, referrer: {type: sbom/cyclone-dx}}]\n";

constexpr const char* kSigned =
    "r.example/app@sha256:"
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

std::string Pod(const std::string& image) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\n"
         "spec: {containers: [{name: c, image: '" +
         image + "'}], initContainers: [{name: i, image: 'other.example/i:1'}]}\n";
}

// Knows one signed image.
class FakeVerifier final : public provider::ImageVerifier {
 public:
  provider::ImageCheck VerifySignature(std::string_view image, const doc::Value&,
                                       const doc::Value&) const override {
    using State = provider::ImageCheck::State;
    return {image == kSigned ? State::kVerified : State::kRefused, ""};
  }
  provider::ImageCheck VerifyAttestation(std::string_view image, const doc::Value&,
                                         const doc::Value& attestor,
                                         const doc::Value& credentials) const override {
    return VerifySignature(image, attestor, credentials);
  }
  provider::Lookup Payload(std::string_view, const doc::Value&, base::Arena& arena) const override {
    const doc::MapEntry entry[] = {
        {doc::Value::String("bomFormat"), doc::Value::String("CycloneDX")}};
    return provider::Lookup::Found(doc::MakeMap(arena, entry));
  }
  provider::Lookup Digest(std::string_view, const doc::Value&, base::Arena&) const override {
    return provider::Lookup::Unknown();
  }
};

class ImageValidating : public SetTest {
 protected:
  std::string Load(const std::string& rest) {
    return AddPolicy("ImageValidatingPolicy", kPods + rest);
  }
  std::string Evaluate(const std::string& image) {
    Start(Pod(image), "pods");
    return Run();
  }

  FakeVerifier verifier_;
};

constexpr const char* kVerify =
    "  matchImageReferences: [{glob: 'r.example/*'}]\n"
    "  validations:\n"
    "  - {expression: \"images.containers.map(i, verifyImageSignatures(i, [attestors.na]))"
    ".all(e, e > 0)\", message: unsigned}\n";

TEST_F(ImageValidating, ImagesNeedDigests) {
  ASSERT_EQ(Load(kVerify), "");
  EXPECT_NE(Evaluate("r.example/app:1").find("fail: image r.example/app:1 does not have a digest"),
            std::string::npos);
}

TEST_F(ImageValidating, WithoutARegistryNothingPasses) {
  ASSERT_EQ(Load(kVerify), "");
  const std::string answer = Evaluate(kSigned);
  EXPECT_NE(answer.find("'evaluation' error: failed to evaluate policy: failed to get imagedata: "),
            std::string::npos)
      << answer;
}

TEST_F(ImageValidating, VerifiedImagesPass) {
  ASSERT_EQ(Load(kVerify), "");
  images_ = &verifier_;
  EXPECT_NE(Evaluate(kSigned).find("pass: success"), std::string::npos);
}

TEST_F(ImageValidating, RefusedImagesFail) {
  ASSERT_EQ(Load(std::string("  validationConfigurations: {verifyDigest: false}\n") + kVerify), "");
  images_ = &verifier_;
  EXPECT_NE(Evaluate("r.example/bad:1").find("fail: unsigned"), std::string::npos);
}

TEST_F(ImageValidating, PayloadsOnlyHaveTheImagesThatThePolicyNames) {
  ASSERT_EQ(AddPolicy("ImageValidatingPolicy",
                      "  evaluation: {mode: JSON}\n"
                      "  validationConfigurations: {verifyDigest: false, required: false}\n"
                      "  images: [{name: all, expression: '[string(object.image)]'}]\n"
                      "  attestors: [{name: na, notary: {certs: {value: x}}}]\n"
                      "  validations: [{expression: \"images.all == ['x:1']\", message: m}]\n"),
            "");
  const auto set = loader_->Finish(false);
  EXPECT_EQ(set->index_entry(0).rules.size(), 1U);
  EXPECT_TRUE(set->index_entry(0).rules[0].resources.empty());
  for (const auto& [image, outcome] :
       {std::pair("x:1", Outcome::kPass), std::pair("y:1", Outcome::kFail)}) {
    match::AdmissionRequest request;
    const doc::MapEntry entry[] = {{doc::Value::String("image"), doc::Value::String(image)}};
    request.object = doc::MakeMap(arena_, entry);
    const provider::Providers providers;
    RequestContext context(request, providers, nullptr, arena_);
    Verdict verdict;
    verdict.want_rows = true;
    set->ValidateDocument(DocumentForm::kAny, context, verdict);
    ASSERT_EQ(verdict.rows.size(), 1U);
    EXPECT_EQ(verdict.rows[0].outcome, outcome);
  }
}

TEST_F(ImageValidating, RequiredImagesMustHaveBeenVerified) {
  ASSERT_EQ(Load("  validationConfigurations: {verifyDigest: false}\n"
                 "  matchImageReferences: [{expression: \"ref.startsWith('r.example/')\"}]\n"
                 "  validations: [{expression: 'images.containers.size() == 1'}]\n"),
            "");
  const std::string answer = Evaluate("r.example/app:1");
  EXPECT_NE(answer.find("fail: image r.example/app:1 is not verified: no policy performed"),
            std::string::npos)
      << answer;
}

TEST_F(ImageValidating, NamesAloneNeedNoRegistry) {
  ASSERT_EQ(Load("  validationConfigurations: {verifyDigest: false, required: false}\n"
                 "  images: [{name: extra, expression: \"['r.example/x:1']\"}]\n"
                 "  validations: [{expression: \"images.extra == ['r.example/x:1'] && "
                 "images.initContainers == ['other.example/i:1'] && "
                 "images.ephemeralContainers == []\"}]\n"),
            "");
  EXPECT_NE(Evaluate("r.example/app:1").find("pass: success"), std::string::npos);
}

TEST_F(ImageValidating, PayloadsOfVerifiedAttestations) {
  ASSERT_EQ(Load("  validations:\n"
                 "  - expression: \"images.containers.all(i, verifyAttestationSignatures(i, "
                 "attestations.sbom, [attestors.na]) > 0)\"\n"
                 "  - expression: \"images.containers.all(i, extractPayload(i, "
                 "attestations.sbom).bomFormat == 'CycloneDX')\"\n"
                 "  matchImageReferences: [{glob: 'r.example/*'}]\n"),
            "");
  images_ = &verifier_;
  EXPECT_NE(Evaluate(kSigned).find("pass: success"), std::string::npos);
}

TEST_F(ImageValidating, FormIsChecked) {
  const std::string validations = "  validations: [{expression: 'true'}]\n";
  EXPECT_EQ(AddPolicy("ImageValidatingPolicy", validations).substr(0, 15), "spec.attestors:");
  EXPECT_EQ(
      AddPolicy("ImageValidatingPolicy", "  attestors: [{name: na}]\n" + validations).substr(0, 18),
      "spec.attestors[0]:");
  EXPECT_EQ(Load("  matchImageReferences: [{}]\n" + validations),
            "spec.matchImageReferences[0]: Invalid value: \"\": either glob or expression must be "
            "set");
  EXPECT_EQ(Load("").substr(0, 17), "spec.validations:");
}

TEST(ImageGlob, Forms) {
  const struct {
    const char* glob;
    const char* text;
    bool match;
  } cases[] = {
      {"*", "a/b:1", true},
      {"ghcr.io/*", "ghcr.io/a/b", true},
      {"ghcr.io/*", "xghcr.io/a", false},
      {"ghcrXio/*", "ghcr.io/a", false},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"[ab]x", "bx", true},
      {"[!ab]x", "bx", false},
      {"[a-c]x", "cx", true},
      {"{a,b*}/x", "bcd/x", true},
      {"{a,b}/x", "c/x", false},
      {"a,b", "a,b", true},
      {"a\\*b", "a*b", true},
      {"a\\*b", "axb", false},
      {"a+b", "a+b", true},
  };
  for (const auto& test : cases) {
    const auto glob = CompileImageGlob(test.glob);
    ASSERT_TRUE(glob.ok()) << test.glob;
    EXPECT_EQ(glob.value()->FullMatch(test.text), test.match) << test.glob << " on " << test.text;
  }
  EXPECT_FALSE(CompileImageGlob("[a").ok());
  EXPECT_FALSE(CompileImageGlob("{a,b").ok());
}

}  // namespace
}  // namespace portcullis::policy::kyverno_cel
