#include "assert/assertion_tree.h"

#include <gtest/gtest.h>

#include "json/reader.h"

namespace portcullis::assertion {
namespace {

struct Case {
  const char* tree;
  const char* subject;
  bool holds;
  const char* text;  // part of the first violation or error
};

TEST(AssertionTree, Cases) {
  const Case cases[] = {
      {R"j({"a": 1})j", R"j({"a": 1, "b": 2})j", true, ""},
      {R"j({"a": 1})j", R"j({"a": 1.0})j", true, ""},
      {R"j({"a": 1})j", R"j({"a": "1"})j", false, "expected 1, got \"1\""},
      {R"j({"a": 1})j", R"j({})j", false, "is not set"},
      {R"j({"a": [1, 2]})j", R"j({"a": [1]})j", false, "expected 2 items, got 1"},
      {R"j({"~.c": {"n": 1}})j", R"j({"c": [{"n": 1}, {"n": 1}]})j", true, ""},
      {R"j({"~.c": {"n": 1}})j", R"j({"c": [{"n": 1}, {"n": 2}]})j", false, "expected 1, got 2"},
      {R"j({"(a.b == 'x')": true})j", R"j({"a": {"b": "x"}})j", true, ""},
      {R"j({"(a[-1].n > `1`)": true})j", R"j({"a": [{"n": 1}, {"n": 2}]})j", true, ""},
      {R"j({"(a.zz)": null})j", R"j({"a": {}})j", true, ""},
      {R"j({"\\(a)\\": 1})j", R"j({"(a)": 1})j", true, ""},
      {R"j({"(length(a))": 1})j", R"j({"a": [1]})j", false, "needs JMESPath"},
      {R"j({"(a)->x": 1})j", R"j({"a": 1})j", false, "needs JMESPath"},
      {"null", R"j({"a": 1})j", true, ""},
  };
  for (const Case& c : cases) {
    base::Arena arena;
    const auto tree = json::Parse(c.tree, arena);
    const auto subject = json::Parse(c.subject, arena);
    ASSERT_TRUE(tree.ok() && subject.ok()) << c.tree;
    const Outcome outcome = Evaluate(*tree, *subject, arena);
    EXPECT_EQ(outcome.holds(), c.holds) << c.tree;
    std::string text;
    if (!outcome.violations.empty()) text = outcome.violations.front().message;
    if (!outcome.errors.empty()) text = outcome.errors.front().message;
    EXPECT_NE(text.find(c.text), std::string::npos) << c.tree << ": " << text;
  }
}

}  // namespace
}  // namespace portcullis::assertion
