#include <gtest/gtest.h>

#include "json/reader.h"
#include "testfile/case_selector.h"
#include "testfile/compare.h"
#include "testfile/match.h"
#include "testfile/test_file.h"
#include "testfile/values.h"
#include "yaml/reader.h"

namespace portcullis::testfile {
namespace {

using doc::Value;

Value Parse(std::string_view text, base::Arena& arena) {
  auto value = yaml::Parse(arena.CopyString(text), arena);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : Value::Null();
}

std::string Texts(const base::ErrorList& errors) {
  std::string out;
  for (const base::Error& error : errors) {
    out += error.path + ": " + error.message;
    if (!error.hint.empty()) out += " (" + error.hint + ")";
    out += "\n";
  }
  return out;
}

TEST(DecodeTest, Problems) {
  const struct {
    const char* text;
    const char* problem;
  } cases[] = {
      {"{results: [{policy: p, result: pass, resourcs: [a]}]}",
       "results[0].resourcs: unknown field \"resourcs\" (did you mean \"resources\"?)"},
      {"{results: [{policy: p, result: pas}]}",
       "results[0].result: \"pas\" is not pass, fail, skip"},
      {"{results: [{result: pass}]}", "results[0]: policy is required"},
      {"{results: [{policy: p}]}", "results[0]: result is required"},
      {"{results: [{policy: p, result: pass, operation: PATCH}]}", "results[0].operation"},
      {"{results: [{policy: p, result: pass, operation: CREATE, isDeletingPolicy: true}]}",
       "no meaning for a DeletingPolicy"},
      {"{results: {a: b}}", "results: results must be a list, not an object"},
      {"{policies: policy.yaml}", "policies: policies must be a list of strings, not a string"},
      {"{checks: [{match: {}}]}", "checks[0]: a check needs `assert` or `error`"},
      {"{kind: Values, apiVersion: v}", "kind: a document of kind Test is expected"},
      {"[a]", "an object is expected, not a list"},
  };
  for (const auto& c : cases) {
    base::Arena arena;
    Problems problems;
    DecodeTest(Parse(c.text, arena), problems);
    EXPECT_NE(Texts(problems.errors).find(c.problem), std::string::npos) << c.text << "\n"
                                                                         << Texts(problems.errors);
  }
}

TEST(DecodeTest, OldSpellings) {
  base::Arena arena;
  Problems problems;
  const TestFile test = DecodeTest(
      Parse("{name: old, jsonPayload: ./a.json, results: [{policy: p, namespace: ns, status: fail, "
            "resource: r, patchedResource: f, ISmutatingPOLICY: true}]}",
            arena),
      problems);
  EXPECT_EQ(Texts(problems.errors), "");
  EXPECT_EQ(test.name, "old");
  EXPECT_EQ(test.json_payloads, std::vector<std::string>{"a.json"});
  ASSERT_EQ(test.results.size(), 1U);
  EXPECT_EQ(test.results[0].policy, "ns/p");
  EXPECT_EQ(test.results[0].policy_name(), "p");
  EXPECT_EQ(test.results[0].result, "fail");
  EXPECT_EQ(test.results[0].resources, std::vector<std::string>{"r"});
  EXPECT_EQ(test.results[0].patched_resources, "f");
  EXPECT_EQ(problems.warnings.size(), 7U) << Texts(problems.warnings);
}

TEST(Values, TypesOfLabelsAndExtra) {
  base::Arena arena;
  Problems problems;
  DecodeValues(Parse("{namespaces: [{metadata: {name: ns, labels: {a: 1}}}]}", arena), "values",
               arena, problems);
  DecodeUserInfo(Parse("{userInfo: {username: u, extra: {a: [b], c: d}}}", arena), problems);
  const std::string texts = Texts(problems.errors);
  EXPECT_NE(texts.find("namespaces[0].metadata.labels"), std::string::npos) << texts;
  EXPECT_NE(texts.find("userInfo.extra.c"), std::string::npos) << texts;
  EXPECT_EQ(problems.errors.size(), 2U) << texts;
}

TEST(Values, Precedence) {
  base::Arena arena;
  Problems problems;
  const Values values = DecodeValues(
      Parse(
          "{globalValues: {request.operation: UPDATE}, policies: [{name: p, resources: [{name: r, "
          "values: {request.operation: DELETE}}]}], namespaceSelector: [{name: ns, labels: {a: "
          "b}}, "
          "{name: m}], namespaces: [{metadata: {name: ns, labels: {c: d}}}]}",
          arena),
      "values", arena, problems);
  EXPECT_EQ(Texts(problems.errors), "");
  const auto operation = [&](const char* policy, const char* resource) {
    return values.Find("request.operation", policy, resource)->as_string();
  };
  EXPECT_EQ(operation("p", "r"), "DELETE");
  EXPECT_EQ(operation("p", "other"), "UPDATE");
  EXPECT_EQ(operation("q", "r"), "UPDATE");
  EXPECT_EQ(values.Find("other", "p", "r"), nullptr);
  ASSERT_EQ(values.namespaces.size(), 2U);
  EXPECT_NE(values.namespaces[0].Find("metadata")->Find("labels")->Find("c"), nullptr);
}

TEST(Compare, WhatDoesNotCount) {
  const struct {
    const char* expected;
    const char* actual;
    const char* difference;  // part of the first line; empty: the same
  } cases[] = {
      {"{a: 1}", "{a: 1.0}", ""},
      {"{a: {}, b: [], c: null}", "{}", ""},
      {"{metadata: {labels: {app.kubernetes.io/managed-by: kyverno}}}", "{metadata: {}}", ""},
      {"{metadata: {labels: {generate.kyverno.io/x: y, a: b}}}", "{metadata: {labels: {a: b}}}",
       ""},
      {"{metadata: {namespace: default}}", "{metadata: {}}", ""},
      {"{metadata: {name: x, namespace: a}}", "{metadata: {name: x}}",
       "metadata.namespace: expected \"a\", got nothing"},
      {"{a: [1, 2]}", "{a: [1, 3]}", "a[1]: expected 2, got 3"},
      {"{a: [1]}", "{a: [1, 3]}", "a[1]: expected nothing, got 3"},
      {"{a: 1}", "{a: '1'}", "a: expected 1, got \"1\""},
  };
  for (const auto& c : cases) {
    base::Arena arena;
    const auto lines = Differences(Parse(c.expected, arena), Parse(c.actual, arena), arena);
    if (*c.difference == '\0') {
      EXPECT_TRUE(lines.empty()) << lines.front();
    } else {
      ASSERT_FALSE(lines.empty()) << c.expected;
      EXPECT_EQ(lines.front(), c.difference);
    }
  }
}

TEST(CaseSelector, Filters) {
  std::vector<std::string> messages;
  const CaseSelector selector = CaseSelector::Parse("policy=a*,resource=x?", messages);
  EXPECT_TRUE(messages.empty());
  Expectation expectation;
  expectation.policy = "abc";
  expectation.resources = {"x1", "y1", "x2"};
  EXPECT_TRUE(selector.Select(expectation));
  EXPECT_EQ(expectation.resources, (std::vector<std::string>{"x1", "x2"}));
  expectation.policy = "b";
  EXPECT_FALSE(selector.Select(expectation));
  CaseSelector::Parse("policy,rul=a", messages);
  EXPECT_EQ(messages.size(), 2U);
}

// ---- matching -----------------------------------------------------------------------------------

class NoFiles final : public ExpectedObjects {
 public:
  base::Result<std::vector<Value>> Read(const std::string& file) override {
    return base::Error(base::ErrorCode::kNotFound, "no " + file);
  }
};

Subject MakeSubject(const char* kind, const char* ns, const char* name) {
  Subject subject;
  subject.api_version = "v1";
  subject.kind = kind;
  subject.ns = ns;
  subject.name = name;
  return subject;
}

void Answer(Subject& subject, const char* policy, policy::Outcome outcome, const char* rule = "") {
  Response& response = subject.responses.emplace_back();
  response.policy = policy;
  RuleResponse& added = response.rules.emplace_back();
  added.rule = rule;
  added.outcome = outcome;
}

struct MatchCase {
  const char* expectation;
  const char* rows;         // "resource reason" and "*" for a failed row, by line
  const char* strict_rows;  // under --strict; null: the same
  const char* note;         // part of the first note; empty: none
};

TEST(Match, Expectations) {
  Runs runs;
  Evaluated& run = runs[""];
  run.triggers.push_back(MakeSubject("Pod", "a", "good"));
  run.triggers.push_back(MakeSubject("Pod", "b", "good"));
  run.triggers.push_back(MakeSubject("Service", "a", "svc"));
  Answer(run.triggers[0], "p", policy::Outcome::kPass);
  Answer(run.triggers[1], "p", policy::Outcome::kFail);
  run.triggers[2].responses.emplace_back().policy = "p";  // asked, nothing to say
  const PolicyFact facts[] = {{"ValidatingPolicy", "", "p", "", {}, false, "", {}},
                              {"ClusterPolicy", "", "c", "not supported", {}, false, "", {}}};
  const MatchCase cases[] = {
      {"{policy: p, kind: Pod, resources: [a/good], result: pass}", "a/good Ok\n", nullptr, ""},
      {"{policy: p, kind: Pod, resources: [b/good], result: pass}", "*b/good Want pass, got fail\n",
       nullptr, ""},
      {"{policy: p, kind: Pod, resources: [good], result: pass}",
       "a/good Ok\n*b/good Want pass, got fail\n", nullptr, ""},
      {"{policy: p, kind: Service, resources: [svc], result: fail}", "a/svc Excluded\n",
       "*a/svc Excluded\n", "does not apply"},
      {"{policy: p, kind: Pod, resources: [a/svc], result: fail}", "a/svc Excluded\n",
       "*a/svc Excluded\n", "is no Pod"},
      {"{policy: p, rule: r, kind: Pod, resources: [a/good], result: pass}", "a/good Ok\n",
       "*a/good ValidatingPolicy p has no rule", "has no rule \"r\""},
      {"{policy: p, kind: Pod, resources: [a/good], result: pass, generatedResource: g.yaml}",
       "a/good Ok\n", "*a/good ValidatingPolicy p generates nothing", "generates nothing"},
      {"{policy: p, kind: Pod, resources: [typo], result: pass}",
       "a/good Ok\n*b/good Want pass, got fail\na/svc Excluded\n",
       "a/good Ok\n*b/good Want pass, got fail\n*a/svc Excluded\n",
       "no resource is named \"typo\""},
      {"{policy: q, kind: Pod, resources: [a/good], result: pass}", "*a/good Not found\n", nullptr,
       "no policy \"q\""},
      {"{policy: c, kind: Pod, resources: [a/good], result: pass}", "*a/good not supported\n",
       nullptr, ""},
  };
  for (const MatchCase& c : cases) {
    for (const bool strict : {false, true}) {
      base::Arena arena;
      Problems problems;
      const TestFile test =
          DecodeTest(Parse("{results: [" + std::string(c.expectation) + "]}", arena), problems);
      NoFiles files;
      const Rows rows = MatchExpectations({test.results, runs, facts, files, arena, strict});
      std::string text;
      for (const Row& row : rows.rows) {
        const std::size_t name = row.resource.find('/', row.resource.find('/') + 1) + 1;
        text += (row.ok ? "" : "*") + row.resource.substr(name) + " " + row.reason + "\n";
      }
      const std::string wanted = strict && c.strict_rows != nullptr ? c.strict_rows : c.rows;
      EXPECT_EQ(text.substr(0, wanted.size()), wanted) << c.expectation << " strict " << strict;
      const std::string note = rows.notes.empty() ? "" : rows.notes.front().message;
      EXPECT_NE(note.find(c.note), std::string::npos) << c.expectation << ": " << note;
      EXPECT_EQ(rows.notes.empty(), *c.note == '\0') << c.expectation << ": " << note;
    }
  }
}

}  // namespace
}  // namespace portcullis::testfile
