#include "cel/check/checker.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "cel/check/admission_types.h"
#include "cel/lib/libraries.h"
#include "cel/syntax/parser.h"

namespace portcullis::cel {
namespace {

std::shared_ptr<Env> MakeEnv() {
  auto env = std::make_shared<Env>();
  for (const Library* library : {&StandardLibrary(), &OptionalLibrary(), &StringsLibrary(2),
                                 &ListsLibrary(), &SetsLibrary(), &TwoVarLibrary()}) {
    env->AddLibrary(*library);
  }
  env->options.parser.two_variable_macros = true;
  env->options.parser.sort_by_macro = true;
  env->AddVariable("object", &types::kDyn);
  env->AddVariable("anything", &types::kAny);
  env->AddVariable("dotted.name", &types::kInt);
  env->AddVariable("words", env->types().Parse("list(string)"));
  env->AddVariable("request", env->types().Struct("kubernetes.AdmissionRequest"));
  env->AddVariable("stranger", env->types().Struct("example.Unknown"));
  env->AddProvider(AdmissionTypes());
  env->AddProvider(MutationTypes());
  return env;
}

// The type of an expression, or its issues without the snippets.
std::string CheckText(const Env& env, std::string_view text) {
  Ast ast;
  Issues issues;
  CheckedAst checked;
  if (!Parse(text, env.options.parser, ast, issues)) return "parse error";
  if (Check(env, std::move(ast), checked, issues)) return RuntimeName(*checked.result_type);
  std::string out;
  for (const Issue& issue : issues.list()) {
    const LineColumn place = Locate(text, issue.position);
    if (!out.empty()) out += '\n';
    out += std::to_string(place.column) + ": " + issue.message;
  }
  return out;
}

struct Case {
  const char* expression;
  const char* expected;
};

class CheckerTest : public testing::TestWithParam<Case> {};

TEST_P(CheckerTest, TypeOrIssues) {
  static const std::shared_ptr<Env> env = MakeEnv();
  EXPECT_EQ(CheckText(*env, GetParam().expression), GetParam().expected) << GetParam().expression;
}

constexpr Case kTypes[] = {
    {"1", "int"},
    {"null", "null_type"},
    {"[]", "list(dyn)"},
    {"{}", "map(dyn, dyn)"},
    {"[1, 2]", "list(int)"},
    {"[[]] + [['a']]", "list(list(string))"},
    {"{'a': [1u]}", "map(string, list(uint))"},
    {"object.a.b", "dyn"},
    {"anything.a", "dyn"},
    {"anything + 1", "int"},
    {"object + object", "dyn"},
    {"dotted.name", "int"},
    {"words[0]", "string"},
    {"words.map(w, size(w))", "list(int)"},
    {"words.filter(w, w == 'a')", "list(string)"},
    {"words.all(i, w, i < 3 && w != '')", "bool"},
    {"{'a': 1}.transformMap(k, v, v > 0)", "map(string, bool)"},
    {"true ? [] : words", "list(string)"},
    {"optional.none()", "optional_type(dyn)"},
    {"optional.of(1).orValue(2)", "int"},
    {"object.?a.b", "optional_type(dyn)"},
    {"[?optional.of(1)]", "list(int)"},
    {"{?'a': optional.of(1)}", "map(string, int)"},
    {"type(1)", "type(int)"},
    {"int", "type(int)"},
    {"list", "type(list(dyn))"},
    {"google.protobuf.Timestamp", "type(google.protobuf.Timestamp)"},
    {"google.protobuf.NullValue.NULL_VALUE", "int"},
    {"google.protobuf.Int64Value{value: 1}", "wrapper(int)"},
    {"google.protobuf.Int64Value{value: 1} == null", "bool"},
    {"google.protobuf.Struct{}", "map(string, dyn)"},
    {"duration('1s') == null", "bool"},
    {"request.userInfo.extra['a']", "list(string)"},
    {"Object.spec{replicas: 1}", "Object.spec"},
    {"[JSONPatch{op: 'add', path: '/a', value: 1}]", "list(JSONPatch)"},
};

constexpr Case kErrors[] = {
    {"x", "1: undeclared reference to 'x' (in container '')"},
    {"f(x)",
     "3: undeclared reference to 'x' (in container '')\n"
     "2: undeclared reference to 'f' (in container '')"},
    {"words.f()", "8: undeclared reference to 'f' (in container '')"},
    {"1 == 1u", "3: found no matching overload for '_==_' applied to '(int, uint)'"},
    {"1 + 'a'", "3: found no matching overload for '_+_' applied to '(int, string)'"},
    {"'a'.size(1)", "9: found no matching overload for 'size' applied to 'string.(int)'"},
    {"[] == 1", "4: found no matching overload for '_==_' applied to '(list(dyn), int)'"},
    {"1 && 'a'",
     "1: expected type 'bool' but found 'int'\n"
     "6: expected type 'bool' but found 'string'"},
    {"'a'.b", "4: type 'string' does not support field selection"},
    {"[].a", "3: type 'list(_var0)' does not support field selection"},
    {"has(words.a)", "4: type 'list(string)' does not support field selection"},
    {"stranger.a", "9: unexpected failed resolution of 'example.Unknown'"},
    {"request.foo", "8: undefined field 'foo'"},
    {"request.?foo", "8: undefined field 'foo'"},
    {"'a'.all(x, true)",
     "1: expression of type 'string' cannot be range of a comprehension "
     "(must be list, map, or dynamic)"},
    {"anything.all(x, true)",
     "1: expression of type 'any' cannot be range of a comprehension "
     "(must be list, map, or dynamic)"},
    {"words.all(w, 1)", "14: expected type 'bool' but found 'int'"},
    {"words.filter(w, 1)",
     "13: found no matching overload for '_?_:_' applied to '(int, list(string), list(string))'"},
    {"[?1]", "3: expected type 'optional_type(int)' but found 'int'"},
    {"int{}", "4: 'int' is not a message type"},
    {"object{}", "7: undeclared reference to 'object' (in container '')"},
    {"Missing{a: x}", "8: undeclared reference to 'Missing' (in container '')"},
    {"JSONPatch{op: 1}", "13: expected type of field 'op' is 'string' but provided type is 'int'"},
    {"JSONPatch{foo: 1}", "14: expected type of field 'foo' is '' but provided type is 'int'"},
    {"google.protobuf.Int64Value{foo: 1}", "31: undefined field 'foo'"},
    {"[1, 'a']", "5: expected type 'int' but found 'string'"},
    {"[dyn(1), 2]", "10: expected type 'dyn' but found 'int'"},
    {"{'a': 1, 2: 'b'}",
     "10: expected type 'string' but found 'int'\n"
     "13: expected type 'int' but found 'string'"},
    {"'%d'.format([1, 'a'])",
     "12: too many arguments supplied to string.format "
     "(expected 1, got 2)"},
    {"duration('x')", "10: invalid duration argument"},
    {"timestamp('x')", "11: invalid timestamp argument"},
    {"'a'.matches('(')", "13: invalid matches argument"},
};

INSTANTIATE_TEST_SUITE_P(Types, CheckerTest, testing::ValuesIn(kTypes));
INSTANTIATE_TEST_SUITE_P(Errors, CheckerTest, testing::ValuesIn(kErrors));

TEST(CheckerEnvTest, CrossTypeComparisonsAreFilteredOutsideComprehensions) {
  const std::shared_ptr<Env> env = MakeEnv();
  EXPECT_EQ(CheckText(*env, "1 < 2.0"), "bool");
  env->options.cross_type_comparisons = false;
  EXPECT_EQ(CheckText(*env, "1 < 2.0"),
            "3: found no matching overload for '_<_' applied to '(int, double)'");
  EXPECT_EQ(CheckText(*env, "[1].all(x, x < 2.0)"), "bool");
}

TEST(CheckerEnvTest, ContainerAndLocalVariables) {
  const std::shared_ptr<Env> env = MakeEnv();
  env->options.container = "a.b";
  env->AddVariable("a.b.y", &types::kBool);
  env->AddVariable("y", &types::kString);
  EXPECT_EQ(CheckText(*env, "y"), "bool");
  EXPECT_EQ(CheckText(*env, ".y"), "string");
  EXPECT_EQ(CheckText(*env, "[1].map(y, y)"), "list(int)");
  EXPECT_EQ(CheckText(*env, "[1].map(y, .y)"), "list(string)");
  EXPECT_EQ(CheckText(*env, "z"), "1: undeclared reference to 'z' (in container 'a.b')");
}

TEST(CheckerEnvTest, ChildDeclaresVariables) {
  const std::shared_ptr<const Env> parent = MakeEnv();
  auto variables = std::make_shared<VariableTypes>();
  variables->Declare("n", &types::kInt);
  variables->Declare("t", &types::kTimestamp);
  Env child(parent);
  child.AddVariable("variables", variables->type());
  child.AddProvider(variables);
  EXPECT_EQ(CheckText(child, "variables.n"), "int");
  EXPECT_EQ(CheckText(child, "variables.t"), "google.protobuf.Timestamp");
  EXPECT_EQ(CheckText(child, "variables.x"), "10: undefined field 'x'");
  EXPECT_EQ(CheckText(*parent, "variables.n"),
            "1: undeclared reference to 'variables' (in container '')");
}

TEST(CheckerEnvTest, TypesThatDoubleAtEachLevelStayBounded) {
  const std::shared_ptr<Env> env = MakeEnv();
  std::string text = "v0";
  for (int i = 0; i < 30; ++i) {
    const std::string outer =
        i == 29 ? "{1: 1}" : "{v" + std::to_string(i + 1) + ": v" + std::to_string(i + 1) + "}";
    text = "[" + outer + "].map(v" + std::to_string(i) + ", " + text + ")";
  }
  EXPECT_NE(CheckText(*env, text).find("dyn"), std::string::npos);
}

TEST(CheckerReferenceTest, CallsNameTheirCandidates) {
  const std::shared_ptr<Env> env = MakeEnv();
  const auto candidates = [&](std::string_view text) {
    Ast ast;
    Issues issues;
    CheckedAst checked;
    EXPECT_TRUE(Parse(text, env->options.parser, ast, issues));
    EXPECT_TRUE(Check(*env, std::move(ast), checked, issues));
    std::string ids;
    for (const OverloadDecl* overload : checked.references[checked.ast.root].overloads) {
      if (!ids.empty()) ids += ' ';
      ids += overload->spec->id;
    }
    return ids;
  };
  EXPECT_EQ(candidates("1 + 2"), "add_int64");
  EXPECT_EQ(candidates("size('a')"), "size_string");
  EXPECT_EQ(candidates("sets.contains([1], [2])"), "list_sets_contains_list");
  EXPECT_GT(candidates("object + 1").size(), 0U);
}

}  // namespace
}  // namespace portcullis::cel
