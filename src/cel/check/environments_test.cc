#include "cel/check/environments.h"

#include <gtest/gtest.h>

#include <string>

#include "cel/check/checker.h"
#include "cel/syntax/parser.h"

namespace portcullis::cel {
namespace {

bool Compiles(const Env& env, std::string_view text) {
  Ast ast;
  Issues issues;
  CheckedAst checked;
  return Parse(text, env.options.parser, ast, issues) &&
         Check(env, std::move(ast), checked, issues);
}

struct Case {
  const char* environment;
  const char* expression;
  bool compiles;
};

class EnvironmentTest : public testing::TestWithParam<Case> {};

TEST_P(EnvironmentTest, Offers) {
  const std::shared_ptr<const Env> env = EnvironmentByName(GetParam().environment);
  ASSERT_NE(env, nullptr);
  EXPECT_EQ(Compiles(*env, GetParam().expression), GetParam().compiles)
      << GetParam().environment << ": " << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Gates, EnvironmentTest,
    testing::Values(
        Case{"k8s", "[1, 2].includes(1)", true}, Case{"k8s", "cel.bind(x, 1, x)", false},
        Case{"k8s", "1 < 2.0", true}, Case{"cel", "1 < 2.0", false},
        Case{"cel", "cel.bind(x, 1, x)", true}, Case{"cel", "[1, 'a']", true},
        Case{"k8s", "[1, 'a']", false}, Case{"k8s-new-1.27", "object.?a", false},
        Case{"k8s-new-1.28", "object.?a", true}, Case{"k8s-new-1.28", "duration('x')", true},
        Case{"k8s-new-1.29", "duration('x')", false}, Case{"k8s-new-1.28", "ip('::1')", false},
        Case{"k8s-new-1.30", "ip('::1')", true}, Case{"k8s-new-1.36", "[1].includes(1)", false},
        Case{"k8s-new-1.36", "[1].indexOf(1) == 0", true},
        Case{"k8s-admission", "request.userInfo.username == 'a'", true},
        Case{"k8s-admission", "request.object", false},
        Case{"k8s-admission", "authorizer.requestResource.check('get').allowed()", true},
        Case{"k8s-admission", "Object{}", false}, Case{"k8s-map", "Object{}", true},
        Case{"k8s-map", "jsonpatch.escapeKey('a/b')", true},
        Case{"k8s", "jsonpatch.escapeKey('a/b')", false}));

TEST(EnvironmentByNameTest, SharedAndUnknown) {
  EXPECT_EQ(EnvironmentByName("k8s"), EnvironmentByName("k8s"));
  EXPECT_EQ(EnvironmentByName("nothing"), nullptr);
  EXPECT_EQ(EnvironmentByName("k8s-new-1.x"), nullptr);
}

TEST(AdmissionEnvironmentTest, Options) {
  AdmissionOptions options;
  EXPECT_FALSE(Compiles(*AdmissionEnvironment(options), "params.x == 1"));
  options.has_params = true;
  EXPECT_TRUE(Compiles(*AdmissionEnvironment(options), "params.x == 1"));
  options.has_authorizer = false;
  EXPECT_FALSE(Compiles(*AdmissionEnvironment(options), "authorizer.path('/').check('get')"));
}

}  // namespace
}  // namespace portcullis::cel
