// The fast evaluator against the naive walker: every recorded expression, and random ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include "base/arena.h"
#include "cel/check/environments.h"
#include "cel/eval/program.h"
#include "cel/eval/value_json.h"
#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"
#include "naive_walker.h"

namespace portcullis::oracle {
namespace {

using doc::Value;

class Bindings : public cel::Activation {
 public:
  explicit Bindings(const Value& values) : values_(values) {}
  bool Resolve(std::string_view name, Value& out) override {
    const Value* found = values_.Find(name);
    if (found != nullptr) out = *found;
    return found != nullptr;
  }

 private:
  Value values_;
};

// Empty when both agree (or the expression does not compile), else what each says.
std::string Disagreement(const std::shared_ptr<const cel::Env>& env, std::string_view source,
                         const Value& bindings, bool& compiled) {
  cel::CompileFailure failure;
  const auto program = cel::Compile(env, source, failure);
  compiled = program != nullptr;
  if (!compiled) return {};
  base::Arena arena;
  Bindings activation(bindings);
  cel::EvalOptions options;
  options.track_cost = false;
  const Value fast = cel::Evaluate(*program, activation, arena, options).value;
  const Value slow = NaiveWalker(program->checked(), *env, activation, arena).Run();
  const auto text = [&arena](const Value& value) {
    return value.is_error() ? "error: " + std::string(cel::ErrorMessage(value))
                            : json::ToString(cel::ToExprValue(arena, value));
  };
  const std::string fast_text = text(fast);
  const std::string slow_text = text(slow);
  if (fast_text == slow_text) return {};
  return std::string(source) + "\n  fast: " + fast_text + "\n  slow: " + slow_text;
}

std::filesystem::path Corpus() {
  const char* corpus = std::getenv("PORTCULLIS_CORPUS");
  return corpus != nullptr ? corpus : "../shared/corpus";
}

void RunCorpus(const char* folder, std::string_view default_env) {
  const std::filesystem::path path = Corpus() / folder;
  if (!std::filesystem::exists(path)) {
    std::printf("no data at %s: nothing compared\n", path.c_str());
    return;
  }
  std::size_t compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    if (file.path().extension() != ".json") continue;
    std::ifstream stream(file.path(), std::ios::binary);
    std::stringstream buffer;
    buffer << stream.rdbuf();
    base::Arena arena;
    const auto root = json::Parse(arena.CopyString(buffer.str()), arena);
    ASSERT_TRUE(root.ok()) << file.path();
    const Value* tests = root->Find("tests");
    const Value* shared = root->Find("bindings");
    if (tests == nullptr) continue;
    for (const Value& test : tests->as_list()) {
      // These abort by cost, or need what only the runner declares.
      if (test.StringAt("section") == "cost_limit" || test.Find("typeEnv") != nullptr ||
          test.Find("needsProto") != nullptr || test.Find("disableCheck") != nullptr) {
        continue;
      }
      const auto env =
          cel::EnvironmentByName(test.StringAt("env", root->StringAt("env", default_env)));
      ASSERT_NE(env, nullptr);
      bool compiled = false;
      const std::string expr(test.StringAt("expr"));
      // The set of a constant list compares numbers otherwise than list membership does.
      EXPECT_EQ(Disagreement(env, expr, shared != nullptr ? *shared : Value::EmptyMap(), compiled),
                "");
      compared += compiled ? 1 : 0;
    }
  }
  std::printf("%zu expressions compared\n", compared);
  EXPECT_GT(compared, 100U);
}

TEST(Oracle, KubernetesExpressions) { RunCorpus("cel-kubernetes", "k8s"); }
TEST(Oracle, SpecificationExpressions) { RunCorpus("cel-spec", "cel"); }

// Random expressions over a small typed grammar; about a third of them fail at run time.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string Bool(int depth) {
    if (depth <= 0)
      return Pick({"true", "false", "object.flag", "object.missing", "has(object.m.a)"});
    switch (Number(13)) {
      case 0:
        return "(" + Bool(depth - 1) + " && " + Bool(depth - 1) + ")";
      case 1:
        return "(" + Bool(depth - 1) + " || " + Bool(depth - 1) + ")";
      case 2:
        return "!(" + Bool(depth - 1) + " == true)";
      case 3:
        return Int(depth - 1) + Pick({" < ", " <= ", " == ", " != ", " >= "}) + Int(depth - 1);
      case 4:
        return Text(depth - 1) + Pick({" == ", " != ", " < "}) + Text(depth - 1);
      case 5:
        return List(depth - 1) + Pick({".all(", ".exists(", ".exists_one("}) + "x, " +
               Pick({"x", "x + 1", "size(string(x))"}) + Pick({" > ", " == "}) + Int(0) + ")";
      case 6:
        return Int(depth - 1) + " in " + List(depth - 1);
      case 7:
        return "has(object." + Pick({"m.a", "m.zzz", "l", "none.x", "s.x", "m"}) + ")";
      case 8:
        return "(" + Bool(depth - 1) + " ? " + Bool(depth - 1) + " : " + Bool(depth - 1) + ")";
      case 9:
        return Text(depth - 1) + Pick({".startsWith(", ".contains(", ".endsWith("}) +
               Text(depth - 1) + ")";
      case 10:
        return "object.m.all(k, " + Pick({"k != 'a'", "object.m[k] == 1", "k.size() > 0"}) + ")";
      case 11:
        return Optional(depth - 1) + ".hasValue()";
      default:
        return List(depth - 1) + " == " + List(depth - 1);
    }
  }

 private:
  std::string Int(int depth) {
    if (depth <= 0)
      return Pick({"0", "1", "2", "-3", "object.n", "object.m.b", "object.l[0]", "object.l[9]",
                   "object.m['b']", "9223372036854775807"});
    switch (Number(8)) {
      case 0:
        return "(" + Int(depth - 1) + Pick({" + ", " - ", " * ", " / ", " % "}) + Int(depth - 1) +
               ")";
      case 1:
        return "size(" + List(depth - 1) + ")";
      case 2:
        return "size(" + Text(depth - 1) + ")";
      case 3:
        return "(" + Bool(depth - 1) + " ? " + Int(depth - 1) + " : " + Int(depth - 1) + ")";
      case 4:
        return "int(" + Pick({"object.s", "object.digits", "object.n"}) + ")";
      case 5:
        return Optional(depth - 1) + ".orValue(7)";
      case 6:
        return List(depth - 1) + "[" + Pick({"0", "1", "object.n"}) + "]";
      default:
        return "-(" + Int(depth - 1) + ")";
    }
  }
  std::string Text(int depth) {
    if (depth <= 0)
      return Pick({"'a'", "''", "object.s", "object.digits", "object.m.zzz", "'h\\u00e9'"});
    switch (Number(4)) {
      case 0:
        return "(" + Text(depth - 1) + " + " + Text(depth - 1) + ")";
      case 1:
        return "string(" + Int(depth - 1) + ")";
      case 2:
        return Text(depth - 1) + Pick({".lowerAscii()", ".substring(1)", ".charAt(0)"});
      default:
        return "(" + Bool(depth - 1) + " ? " + Text(depth - 1) + " : " + Text(depth - 1) + ")";
    }
  }
  std::string List(int depth) {
    if (depth <= 0)
      return Pick({"[1, 2, 3]", "object.l", "[object.n]", "object.mixed", "object.m.zzz"});
    switch (Number(6)) {
      case 0:
        return List(depth - 1) + ".map(x, " + Pick({"x + 1", "x", "x * x", "10 / x"}) + ")";
      case 1:
        return List(depth - 1) + ".filter(x, " + Pick({"x > 1", "x != 2", "x == object.n"}) + ")";
      case 2:
        return "(" + List(depth - 1) + " + " + List(depth - 1) + ")";
      case 3:
        return "[" + Int(depth - 1) + ", " + Int(depth - 1) + "]";
      case 4:
        return List(depth - 1) + ".map(x, x > 1, x + object.n)";
      default:
        return List(depth - 1) + ".transformList(i, v, i + v)";
    }
  }
  std::string Optional(int depth) {
    if (depth <= 0)
      return Pick({"object.?n", "object.?zzz", "object.m.?b", "object.?none.?x", "object.l[?0]",
                   "object.l[?7]", "object.?m.b", "object.?s.x"});
    return Pick({"optional.of(" + Int(depth - 1) + ")", Optional(depth - 1) + ".optMap(v, v + 1)",
                 Optional(depth - 1) + ".or(" + Optional(depth - 1) + ")"});
  }

  std::size_t Number(std::size_t n) { return random_() % n; }
  std::string Pick(const std::vector<std::string>& words) { return words[Number(words.size())]; }

  std::mt19937 random_;
};

TEST(Oracle, RandomExpressions) {
  base::Arena arena;
  const auto bindings = json::Parse(
      R"({"object": {"flag": true, "n": 2, "s": "abc", "digits": "42", "l": [1, 2, 3], "none": null,
          "mixed": [1, "a", null, 2.5], "m": {"a": 1, "b": 5}}})",
      arena);
  ASSERT_TRUE(bindings.ok());
  const auto env = cel::EnvironmentByName("k8s");
  Generator generator(20261130);
  std::size_t compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string source = generator.Bool(1 + i % 4);
    bool compiled = false;
    ASSERT_EQ(Disagreement(env, source, *bindings, compiled), "");
    compared += compiled ? 1 : 0;
  }
  std::printf("%zu random expressions compared\n", compared);
  EXPECT_GT(compared, 5000U);
}

}  // namespace
}  // namespace portcullis::oracle
