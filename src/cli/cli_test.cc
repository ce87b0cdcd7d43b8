// Parts of the commands that need no process of their own; the rest is in tests/cli.

#include <gtest/gtest.h>

#include "base/arena.h"
#include "cel/check/environments.h"
#include "cel/eval/program.h"
#include "cli/explain_tree.h"
#include "cli/mutated_output.h"
#include "cli/policies.h"
#include "json/reader.h"

namespace portcullis::cli {
namespace {

doc::Value Json(base::Arena& arena, std::string_view text) {
  auto parsed = json::Parse(text, arena);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? parsed.value() : doc::Value();
}

struct RuleCase {
  const char* group;
  const char* resource;
  const char* expected;  // part of the only warning; empty: none
};

TEST(UnknownResourcesTest, NamesWhatWasMeant) {
  const RuleCase cases[] = {
      {"", "pods", ""},
      {"apps", "*", ""},
      {"*", "pod", ""},
      {"", "pod", "did you mean \"pods\"?"},
      {"apps", "deploymnts", "did you mean \"deployments\"?"},
      {"", "deployments", "it is in the group \"apps\""},
      {"example.com", "widgets", ""},
  };
  for (const RuleCase& item : cases) {
    policy::IndexEntry entry;
    match::Rule& rule = entry.rules.emplace_back();
    rule.groups = {item.group};
    rule.resources = {{item.resource, ""}};
    const auto found = UnknownResources(entry, schema::TypeTable::Builtin());
    if (*item.expected == '\0') {
      EXPECT_TRUE(found.empty()) << item.group << "/" << item.resource;
    } else {
      ASSERT_EQ(found.size(), 1U) << item.group << "/" << item.resource;
      EXPECT_NE(found[0].find(item.expected), std::string::npos) << found[0];
    }
  }
}

TEST(ChangesTest, ListsWhatWasAddedChangedAndRemoved) {
  base::Arena arena;
  const auto changes = Changes(Json(arena, R"({"a": 1, "b": [1, 2], "c": {"d": true}})"),
                               Json(arena, R"({"a": 2, "b": [1, 3, 4], "c": {}, "e.f": null})"));
  std::string all;
  for (const report::Change& change : changes) {
    all += change.path + " " + change.before + ">" + change.after + "\n";
  }
  EXPECT_EQ(all, "a 1>2\nb[1] 2>3\nb[2] >4\nc.d true>\n[\"e.f\"] >null\n");
}

TEST(ExplainTreeTest, ShowsValuesAndWhatWasNotEvaluated) {
  auto env = std::make_shared<cel::Env>(cel::EnvironmentByName("cel"));
  env->AddVariable("x", &cel::types::kDyn);
  cel::CompileFailure failure;
  const auto program = cel::Compile(env, "x.a == 1 || x.b.c > 2", failure);
  ASSERT_NE(program, nullptr) << failure.message;
  base::Arena arena;
  cel::MapActivation activation;
  activation.Bind("x", Json(arena, R"({"a": 1})"));
  cel::Trace trace;
  cel::EvalOptions options;
  options.trace = &trace;
  cel::Evaluate(*program, activation, arena, options);
  const ExplainNode tree = BuildTree(program->checked().ast, trace);
  EXPECT_EQ(tree.value, "true");
  ASSERT_EQ(tree.children.size(), 2U);
  EXPECT_EQ(tree.children[0].text, "x.a == 1");
  EXPECT_EQ(tree.children[0].value, "true");
  ASSERT_EQ(tree.children[0].children.size(), 1U);
  EXPECT_EQ(tree.children[0].children[0].value, "1");
  EXPECT_EQ(tree.children[1].text, "x.b.c > 2");
  EXPECT_TRUE(tree.children[1].value.empty());
  EXPECT_TRUE(tree.children[1].children.empty());
}

}  // namespace
}  // namespace portcullis::cli
