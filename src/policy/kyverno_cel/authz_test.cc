#include <gtest/gtest.h>

#include <string>

#include "policy/kyverno_cel/set_fixture.h"
#include "provider/clock.h"

namespace portcullis::policy::kyverno_cel {
namespace {

class Authz : public SetTest {
 protected:
  // `outcome: message` of the one policy on the payload.
  std::string Ask(DocumentForm form, std::string_view payload) {
    const auto set = loader_->Finish(true);
    match::AdmissionRequest request;
    request.object = Parse(payload);
    const provider::FixedClock clock(now_ns_);
    provider::Providers providers;
    providers.clock = &clock;
    RequestContext context(request, providers, nullptr, arena_);
    Verdict verdict;
    verdict.want_rows = true;
    set->ValidateDocument(form, context, verdict);
    if (verdict.rows.size() != 1) return std::to_string(verdict.rows.size()) + " rows";
    return std::string(OutcomeName(verdict.rows[0].outcome)) + ": " + verdict.rows[0].message;
  }

  std::int64_t now_ns_ = 1'700'000'000'000'000'000;
};

TEST_F(Authz, FirstAnswerWins) {
  EXPECT_EQ(AddPolicy("ValidatingPolicy", R"yaml(
  evaluation: {mode: HTTP}
  validations:
  - expression: "object.attributes.method == 'POST' ? http.Denied('no writing').Response() : null"
  - expression: "'b' in object.attributes.QueryParam('a') ? http.Denied('b').Response() : null"
  - expression: "object.attributes.Header('x-team').size() > 0 ? http.Allowed().Response() : null"
)yaml"),
            "");
  const auto ask = [&](std::string_view payload) {
    return Ask(DocumentForm::kHttpRequest, payload);
  };
  EXPECT_EQ(ask("{attributes: {method: POST}}"), "fail: request denied, reason: no writing");
}

TEST_F(Authz, HeadersQueriesAndZeroValues) {
  const std::string policy = R"yaml(
  evaluation: {mode: HTTP}
  validations:
  - expression: "'b' in object.attributes.QueryParam('a') ? http.Denied('b').Response() : null"
  - expression: "object.attributes.Header('x-team') == ['red'] ? http.Allowed().Response() : null"
)yaml";
  EXPECT_EQ(AddPolicy("ValidatingPolicy", policy), "");
  // Members that the payload leaves out are there.
  EXPECT_EQ(Ask(DocumentForm::kHttpRequest, "{}"), "skip: request does not match");
}

TEST_F(Authz, HeaderNamesAreCanonical) {
  EXPECT_EQ(AddPolicy("ValidatingPolicy", R"yaml(
  evaluation: {mode: HTTP}
  validations:
  - expression: "object.attributes.Header('x-team') == ['red'] ? http.Allowed().Response() : null"
)yaml"),
            "");
  EXPECT_EQ(Ask(DocumentForm::kHttpRequest, "{attributes: {header: {X-Team: [red]}}}"),
            "pass: request allowed");
}

TEST_F(Authz, EnvoyAnswers) {
  EXPECT_EQ(AddPolicy("ValidatingPolicy", R"yaml(
  evaluation: {mode: Envoy}
  validations:
  - expression: >-
      object.attributes.request.http.path == '/x'
      ? envoy.Denied(418).WithBody('no').WithHeader('a', 'b').Response().WithMessage('m') : null
)yaml"),
            "");
  EXPECT_EQ(Ask(DocumentForm::kEnvoyRequest, "{attributes: {request: {http: {path: /x}}}}"),
            "fail: request denied with status code 418");
}

TEST_F(Authz, AnswersHaveTypes) {
  EXPECT_NE(AddPolicy("ValidatingPolicy", R"yaml(
  evaluation: {mode: Envoy}
  validations: [{expression: "envoy.Allowed().WithBody('x').Response()"}]
)yaml"),
            "");
  EXPECT_NE(AddPolicy("ValidatingPolicy", R"yaml(
  evaluation: {mode: HTTP}
  validations: [{expression: "envoy.Allowed().Response()"
  }]
)yaml"),
            "");
}

TEST_F(Authz, WhatIsNoAnswerIsAnError) {
  EXPECT_EQ(AddPolicy("ValidatingPolicy", R"yaml(
  evaluation: {mode: HTTP}
  validations: [{expression: "true"}]
)yaml"),
            "");
  EXPECT_EQ(Ask(DocumentForm::kHttpRequest, "{}"),
            "error: the expression yields neither an answer nor null");
}

// {"alg":"HS256"}, {"exp":2241081539,"nbf":1514851139,"role":"admin",...}; the key is `secret`.
constexpr const char* kToken =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJleHAiOjIyNDEwODE1MzksIm5iZiI6MTUxNDg1MTEzOSwicm9sZSI6ImFkbWluIiwic3ViIjoiWVd4cFkyVT0ifQ."
    "veMeVDYlulTdieeX-jxFZ_tCmqQ_K8rwx2OktUHv5Z0";

TEST_F(Authz, Tokens) {
  const std::string token = kToken;
  const auto add = [&](const std::string& decode) {
    return AddPolicy("ValidatingPolicy",
                     "  evaluation: {mode: HTTP}\n  variables: [{name: t, expression: \"" + decode +
                         "\"}]\n  validations:\n  - expression: \"variables.t.Valid && "
                         "variables.t.Claims.role == 'admin' ? http.Allowed().Response() : "
                         "http.Denied('invalid').Response()\"\n");
  };
  ASSERT_EQ(add("jwt.Decode('" + token + "', 'secret')"), "");
  EXPECT_EQ(Ask(DocumentForm::kHttpRequest, "{}"), "pass: request allowed");
}

TEST_F(Authz, TokensOutOfTimeAreInvalid) {
  const std::string token = kToken;
  ASSERT_EQ(AddPolicy("ValidatingPolicy",
                      "  evaluation: {mode: HTTP}\n  validations:\n  - expression: \"jwt.Decode('" +
                          token +
                          "', 'secret').Valid ? http.Allowed().Response() : "
                          "http.Denied('late').Response()\"\n"),
            "");
  constexpr std::int64_t kSecond = 1'000'000'000;
  now_ns_ = 2'241'081'539 * kSecond;
  EXPECT_EQ(Ask(DocumentForm::kHttpRequest, "{}"), "fail: request denied, reason: late");
}

TEST_F(Authz, TokensOfAnotherKeyAreErrors) {
  const std::string token = kToken;
  ASSERT_EQ(AddPolicy("ValidatingPolicy",
                      "  evaluation: {mode: HTTP}\n  validations:\n  - expression: \"jwt.Decode('" +
                          token + "', 'guess').Valid ? http.Allowed().Response() : null\"\n"),
            "");
  EXPECT_EQ(Ask(DocumentForm::kHttpRequest, "{}"),
            "error: failed to verify token: the key does not fit its signature");
}

}  // namespace
}  // namespace portcullis::policy::kyverno_cel
