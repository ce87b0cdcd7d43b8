#include "cel/syntax/parser.h"

#include <gtest/gtest.h>

#include <string>

#include "cel/syntax/builder.h"
#include "cel/syntax/dump.h"
#include "cel/syntax/recovering_parser.h"
#include "cel/syntax/unparse.h"

namespace portcullis::cel {
namespace {

constexpr std::string_view kOperands =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, "
    "BYTES, IDENTIFIER}";

ParserOptions AllMacros() {
  ParserOptions options;
  options.two_variable_macros = options.sort_by_macro = options.bind_macro = true;
  options.math_macros = options.proto_macros = options.block_macros = true;
  return options;
}

std::string DumpOf(std::string_view source, bool positions = false) {
  Ast ast;
  Issues issues;
  if (!Parse(source, AllMacros(), ast, issues)) return issues.Render(source);
  return Dump(ast, ast.root, positions);
}

std::string FirstError(std::string_view source, const ParserOptions& options = AllMacros()) {
  Ast ast;
  Issues issues;
  if (Parse(source, options, ast, issues)) return "no error";
  const std::string text = issues.Render(source);
  return text.substr(0, text.find("\n | "));
}

struct Case {
  std::string source;
  std::string expected;
};

class TreeTest : public testing::TestWithParam<Case> {};

TEST_P(TreeTest, Dumps) { EXPECT_EQ(DumpOf(GetParam().source), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Syntax, TreeTest,
    testing::Values(
        Case{"1 + 2 * 3 - x", "(_-_ (_+_ 1 (_*_ 2 3)) x)"},
        Case{"a && b && c && d", "(_&&_ (_&&_ a b) (_&&_ c d))"},
        Case{"a || b || c", "(_||_ (_||_ a b) c)"},
        Case{"a || b && c ? 1 : d ? 2 : 3", "(_?_:_ (_||_ a (_&&_ b c)) 1 (_?_:_ d 2 3))"},
        Case{"1 < 2 == true", "(_==_ (_<_ 1 2) true)"}, Case{"!!!a", "(!_ a)"}, Case{"!!a", "a"},
        Case{"-(-a)", "(-_ (-_ a))"}, Case{"--1", "1"},
        Case{"-9223372036854775808", "-9223372036854775808"},
        Case{"a.b.c(1)[2].?d[?e]", "(_[?_] (_?._ (_[_] (-> (. a b) c 1) 2) \"d\") e)"},
        Case{"a.`x-y/z`", "(. a x-y/z)"}, Case{"[1, ?a, 2,]", "[1 ?a 2]"}, Case{"[,]", "[]"},
        Case{"{'a': 1, ?b: 2}", "{\"a\": 1, ?b: 2}"},
        Case{".a.B{c: 1, ?d: e,}", ".a.B{c: 1, ?d: e}"}, Case{".f(.x)", "(.f .x)"},
        Case{"x in [1u, 0x1F, 1.5, .5e1]", "(@in x [1u 31 1.5 5.0])"},
        Case{"r'\\n' + b'\\xff' + '\\u00e9'", "(_+_ (_+_ \"\\\\n\" b\"\\xff\") \"\xC3\xA9\")"},
        Case{"'''a\r\nb'''", "\"a\\nb\""}, Case{"1 // comment", "1"}));

INSTANTIATE_TEST_SUITE_P(
    Macros, TreeTest,
    testing::Values(
        Case{"has(a.b)", "(has a b)"},
        Case{"l.all(x, x > 0)",
             "(fold x @result l true (@not_strictly_false @result) (_&&_ @result (_>_ x 0)) "
             "@result)"},
        Case{"l.exists(i, v, v)",
             "(fold i v @result l false (@not_strictly_false (!_ @result)) (_||_ @result v) "
             "@result)"},
        Case{"l.exists_one(x, x)",
             "(fold x @result l 0 true (_?_:_ x (_+_ @result 1) @result) (_==_ @result 1))"},
        Case{"l.map(x, p, t)",
             "(fold x @result l [] true (_?_:_ p (_+_ @result [t]) @result) "
             "@result)"},
        Case{"l.filter(x, p)",
             "(fold x @result l [] true (_?_:_ p (_+_ @result [x]) @result) "
             "@result)"},
        Case{"m.transformMap(k, v, v)",
             "(fold k v @result m {} true (cel.@mapInsert @result k v) @result)"},
        Case{"o.optMap(x, x + 1)",
             "(_?_:_ (-> o hasValue) (optional.of (fold #unused x [] (-> o value) false x (_+_ x "
             "1))) (optional.none))"},
        Case{"cel.bind(x, 1, x)", "(fold #unused x [] 1 false x x)"},
        Case{"math.least(1, 2, 3)", "(math.@min [1 2 3])"},
        Case{"math.greatest(a)", "(math.@max a)"}, Case{"other.least(1)", "(-> other least 1)"},
        Case{"cel.block([1], cel.index(0))", "(cel.@block [1] @index0)"}));

TEST(ParserTest, PositionsPointAtOperators) {
  EXPECT_EQ(DumpOf("a.b + f(1)[0]", true), "(_+_ (. a@0 b)@1 (_[_] (f 1@8)@7 0@11)@10)@4");
  EXPECT_EQ(DumpOf("'\xC3\xA9\xC3\xA9' + x", true), "(_+_ \"\xC3\xA9\xC3\xA9\"@0 x@7)@5");
}

class ErrorTest : public testing::TestWithParam<Case> {};

TEST_P(ErrorTest, ReportsFirst) {
  EXPECT_EQ(FirstError(GetParam().source), "ERROR: <input>:" + GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, ErrorTest,
    testing::Values(
        Case{"2 +",
             "1:4: Syntax error: mismatched input '<EOF>' expecting " + std::string(kOperands)},
        Case{"x *\n* 2",
             "2:1: Syntax error: extraneous input '*' expecting " + std::string(kOperands)},
        Case{"x y", "1:3: Syntax error: extraneous input 'y' expecting <EOF>"},
        Case{"x y z", "1:3: Syntax error: mismatched input 'y' expecting <EOF>"},
        Case{"g(x", "1:4: Syntax error: missing ')' at '<EOF>'"},
        Case{"x.", "1:3: Syntax error: no viable alternative at input '.'"},
        Case{"x. // y\n 7", "2:2: Syntax error: no viable alternative at input '. // y\\n 7'"},
        Case{"x.null", "1:3: Syntax error: mismatched input 'null' expecting IDENTIFIER"},
        Case{"-!x", "1:2: Syntax error: no viable alternative at input '-!'"},
        Case{"[-1 x]", "1:5: Syntax error: extraneous input 'x' expecting {']', ','}"},
        Case{"x & y", "1:3: Syntax error: token recognition error at: '& '"},
        Case{"'x\\y'", "1:1: Syntax error: token recognition error at: ''x\\y'"},
        Case{"T{3: 1}",
             "1:3: Syntax error: mismatched input '3' expecting {'}', ',', '?', "
             "IDENTIFIER, ESC_IDENTIFIER}"},
        Case{"",
             "1:0: Syntax error: mismatched input '<EOF>' expecting " + std::string(kOperands)}));

INSTANTIATE_TEST_SUITE_P(
    Meaning, ErrorTest,
    testing::Values(
        Case{"x + while", "1:5: reserved identifier: while"},
        Case{"9223372036854775808", "1:1: invalid int literal"},
        Case{"18446744073709551616u", "1:1: invalid uint literal"},
        Case{"1e999", "1:1: invalid double literal"},
        Case{"'\\ud800'", "1:1: invalid unicode code point"},
        Case{"has(x)", "1:5: invalid argument to has() macro"},
        Case{"x.all(1, true)", "1:7: argument must be a simple name"},
        Case{"x.map(1, true)", "1:7: argument is not an identifier"},
        Case{"x.map(__result__, true)", "1:7: iteration variable overwrites accumulator variable"},
        Case{"x.all(a, a, true)", "1:10: duplicate variable name: a"},
        Case{"{}.sortBy(x, x)",
             "1:1: sortBy can only be applied to a list, identifier, comprehension, call or select "
             "expression"},
        Case{"math.least('a', 1)", "1:12: math.least() simple literal arguments must be numeric"}));

TEST(ParserTest, OptionalSyntaxCanBeOff) {
  ParserOptions options;
  options.optional_syntax = false;
  EXPECT_EQ(FirstError("a.?b", options), "ERROR: <input>:1:2: unsupported syntax '.?'");
  EXPECT_EQ(FirstError("a[?b]", options), "ERROR: <input>:1:2: unsupported syntax '[?'");
  EXPECT_EQ(FirstError("[?b]", options), "ERROR: <input>:1:2: unsupported syntax '?'");
}

std::string Repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(ParserTest, Limits) {
  const std::string depth = "ERROR: <input>:-1:0: max recursion depth exceeded";
  const std::string rules = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
  EXPECT_EQ(FirstError("1" + Repeat("+1", 250)), "no error");
  EXPECT_EQ(FirstError("1" + Repeat("+1", 251)), depth);
  EXPECT_EQ(FirstError("a" + Repeat(".b", 251)), depth);
  EXPECT_EQ(FirstError(Repeat("(", 249) + "1" + Repeat(")", 249)), "no error");
  EXPECT_EQ(FirstError(Repeat("(", 250) + "1" + Repeat(")", 250)), rules);
  EXPECT_EQ(FirstError(Repeat("true?1:", 249) + "1"), "no error");
  EXPECT_EQ(FirstError(Repeat("true?1:", 250) + "1"), rules);
  EXPECT_EQ(FirstError("a" + Repeat(" && a", 5000)), "no error");
  EXPECT_EQ(FirstError(Repeat("!", 5000) + "a"), "no error");
  EXPECT_EQ(FirstError("1 //" + Repeat("x", 99996)), "no error");
  EXPECT_EQ(FirstError("1 //" + Repeat("x", 99997)),
            "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit "
            "100000");
}

TEST(ParserTest, RepeatedReceiversAreBounded) {
  EXPECT_EQ(FirstError("a" + Repeat(".optMap(x, x)", 60)),
            "ERROR: <input>:-1:0: expression is too large after macro expansion");
}

TEST(ParserTest, AnyBytesAreSafe) {
  EXPECT_EQ(FirstError("a \xFF"),
            "ERROR: <input>:1:3: Syntax error: token recognition error at: '\xEF\xBF\xBD'");
  EXPECT_EQ(DumpOf("'\xC3'"), "\"\xEF\xBF\xBD\"");
  for (int c = 0; c < 256; ++c) {
    for (int d = 0; d < 256; ++d) {
      const std::string text{static_cast<char>(c), static_cast<char>(d)};
      FirstError(text);
    }
  }
}

// Both parsers must agree on what is well-formed and on the tree.
TEST(ParserTest, RecoveringParserMakesTheSameTree) {
  for (const std::string_view source :
       {"a.b(c, d)[1] + 2 * -3 - -x", "x ? y : z || w && !v", "T{a: 1, ?`b`: [2, ?c,], }",
        "{1: 2, 'a': .b.c, ?d: e}.exists(k, k in [1])", "---1 + - -a", "a.?b[?c].d{}.e == null"}) {
    Ast fast;
    Issues issues;
    const bool ok = Parse(source, AllMacros(), fast, issues);
    Ast slow;
    Issues slow_issues;
    const ParserOptions options = AllMacros();
    AstBuilder builder(slow, options, slow_issues);
    slow.root = RecoveringParse(source, builder, slow_issues);
    ASSERT_EQ(ok, slow_issues.empty()) << source;
    if (!ok) continue;
    EXPECT_EQ(Dump(fast, fast.root, true), Dump(slow, slow.root, true));
  }
}

TEST(UnparseTest, SlicesTheSource) {
  Ast ast;
  Issues issues;
  ASSERT_TRUE(Parse("(a.b + 1) in xs.map(x, x.y)", AllMacros(), ast, issues));
  const Expr& root = ast.node(ast.root);
  EXPECT_EQ(Unparse(ast, ast.root), "(a.b + 1) in xs.map(x, x.y)");
  EXPECT_EQ(Unparse(ast, ast.children(root)[0].expr), "a.b + 1");
  EXPECT_EQ(Unparse(ast, ast.children(root)[1].expr), "xs.map(x, x.y)");
  const Comprehension& fold = ast.comprehension(ast.node(ast.children(root)[1].expr));
  EXPECT_EQ(Unparse(ast, fold.step), "@result + [x.y]");
}

TEST(IssuesTest, RendersSnippets) {
  Issues issues;
  const std::string source = "a\n\t\xC3\xA9 == b";
  issues.Add(6, "second");
  issues.Add(3, "first");
  issues.Add(Issue::kNoPosition, "nowhere");
  EXPECT_EQ(issues.Render(source),
            "ERROR: <input>:-1:0: nowhere\n"
            "ERROR: <input>:2:2: first\n |  \xC3\xA9 == b\n | .\xEF\xBC\xBE\n"
            "ERROR: <input>:2:5: second\n |  \xC3\xA9 == b\n | .\xEF\xBC\x8E..^");
  EXPECT_EQ(Locate(source, 3).line, 2U);
  EXPECT_EQ(Locate(source, 3).column, 2U);
}

}  // namespace
}  // namespace portcullis::cel
