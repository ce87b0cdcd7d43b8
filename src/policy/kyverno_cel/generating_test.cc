#include "policy/kyverno_cel/generating_placeholder.h"

#include <algorithm>

#include "policy/kyverno_cel/set_fixture.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kRules =
    "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], "
    "operations: ['*'], resources: [namespaces, configmaps]}]}\n";
constexpr std::string_view kNamespace =
    "{apiVersion: v1, kind: Namespace, metadata: {name: team, labels: {a: b}}}";

// `text` as a block scalar of a template.
std::string TemplateOf(std::string_view text, std::string_view interpolate = "cel") {
  std::string out = "  generate:\n  - template:\n      interpolate: " + std::string(interpolate) +
                    "\n      value: |\n";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    out += "        " + std::string(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return out + "\n";
}

class GeneratingPolicies : public SetTest {
 protected:
  std::string AddGenerating(const std::string& spec) {
    return AddPolicy("GeneratingPolicy", std::string(kRules) + spec);
  }
};

TEST(Placeholders, Split) {
  const struct {
    std::string_view text;
    std::string_view want;  // segments; expressions in brackets
  } rows[] = {
      {"plain", "plain|"},
      {"(( a ))", "[a]|"},
      {"x-((a))-((b))", "x-|[a]|-|[b]|"},
      {"\\(( a ))", "(( a ))|"},
      {"(( f(\"))\", ')') ))", "[f(\"))\", ')')]|"},
      {"(( (a) ))", "[(a)]|"},
      {"(( ))", "empty placeholder at offset 0"},
      {"ab((", "unterminated placeholder starting at offset 2: missing closing '))'"},
      {"(( 'a ))", "unterminated string literal in placeholder starting at offset 0"},
      {"(( a ) ))", "unbalanced parenthesis in placeholder starting at offset 0"},
  };
  for (const auto& row : rows) {
    std::vector<Segment> segments;
    std::string got;
    if (SplitPlaceholders(row.text, segments, got)) {
      for (const Segment& segment : segments) {
        got += segment.is_expression ? "[" + segment.text + "]|" : segment.text + "|";
      }
    }
    EXPECT_EQ(got, row.want) << row.text;
  }
}

TEST_F(GeneratingPolicies, Expressions) {
  ASSERT_EQ(
      AddGenerating("  variables: [{name: own, expression: object.metadata.name}]\n"
                    "  generate: [{expression: \"generator.Apply(variables.own, [{'apiVersion': "
                    "dyn('v1'), 'kind': dyn('ConfigMap'), 'metadata': dyn({'name': 'c', "
                    "'uid': 'x'}), 'data': dyn({'n': 1})}])\"}]\n"),
      "");
  Start(kNamespace, "namespaces");
  EXPECT_EQ(Run(),
            "p 'p' pass: policy evaluated successfully\n"
            R"(generated {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c",)"
            R"("namespace":"team"},"data":{"n":1}})"
            "\n");
  request_.dry_run = true;
  EXPECT_EQ(Run(), "");
}

TEST_F(GeneratingPolicies, Templates) {
  const struct {
    std::string text;
    std::string answer;
  } rows[] = {
      {TemplateOf(
           "apiVersion: v1\nkind: Secret\nmetadata:\n  name: (( object.metadata.name "
           "))-s\n  namespace: x\n  labels: (( object.metadata.labels ))\ndata:\n  sum: \"(( "
           "1 + 1 ))\"\n  t: (( 2 ))x\n  e: '\\(( a ))'\n"),
       "p 'p' pass: policy evaluated successfully\ngenerated "
       "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'team-s','namespace':'x',"
       "'labels':{'a':'b'}},'data':{'sum':2,'t':'2x','e':'(( a ))'}}\n"},
      {TemplateOf("kind: A\nmetadata: {name: '((x))'}\n---\nkind: B\n---\n# nothing\n", "none"),
       "p 'p' pass: policy evaluated successfully\ngenerated "
       "{'kind':'A','metadata':{'name':'((x))'}}\ngenerated {'kind':'B','metadata':{}}\n"},
      {TemplateOf("kind: A\nspec:\n  x: (( object.nope ))\n"),
       "p 'p' error: failed to evaluate policy: failed to render generation template: document 0: "
       "field 'spec': field 'x': failed to evaluate placeholder 'object.nope': no such key: "
       "nope\n"},
      {TemplateOf("kind: A\nx: a-(( object ))\n"),
       "p 'p' error: failed to evaluate policy: failed to render generation template: document 0: "
       "field 'x': placeholder 'object' embedded in a string must evaluate to a scalar, got "
       "map; use a whole-value placeholder for structured results\n"},
  };
  for (const auto& row : rows) {
    loader_ = NewLoader();
    ASSERT_EQ(AddGenerating(row.text), "") << row.text;
    Start(kNamespace, "namespaces");
    std::string got = Run();
    std::replace(got.begin(), got.end(), '"', '\'');
    EXPECT_EQ(got, row.answer) << row.text;
  }
}

TEST_F(GeneratingPolicies, RefusedAtLoad) {
  const struct {
    std::string spec;
    std::string_view error;  // its end
  } rows[] = {
      {"  variables: []\n", "spec.generate: Required value"},
      {"  generate: [{}]\n",
       "spec.generate[0]: Required value: one of expression or template must be set"},
      {"  generate: [{expression: 'true', template: {value: 'a: b'}}]\n",
       "spec.generate[0]: Forbidden: only one of expression or template may be set"},
      {"  generate: [{expression: '1'}]\n", "output is expected to be of type bool"},
      {TemplateOf("# nothing\n"), "template must contain at least one YAML document"},
      {TemplateOf("- a\n"), "line 1: document must be a mapping describing a resource"},
      {TemplateOf("a: b\nc:\n  ((x)): y\n"),
       "line 3: placeholders are not supported in mapping keys; use a whole-value placeholder on "
       "the parent field instead (e.g. `labels: (( variables.labels ))`)"},
      {TemplateOf("a: &x {k: v}\nb:\n  <<: *x\n  c: (( 1 ))\n"),
       "line 3: YAML merge keys are not supported in subtrees containing placeholders"},
      {TemplateOf("a: b\nc: (( ))\n"), "line 2: empty placeholder at offset 0"},
      {TemplateOf("a: (( nope ))\n"),
       "undeclared reference to 'nope' (in container '')\n | nope\n"
       " | ^"},
  };
  for (const auto& row : rows) {
    const std::string error = AddGenerating(row.spec);
    EXPECT_TRUE(error.ends_with(row.error)) << row.spec << error;
  }
}

TEST_F(GeneratingPolicies, NoHttpFromTemplatesInANamespace) {
  const std::string spec =
      std::string(kRules) + TemplateOf("kind: A\nx: (( http.Get('http://a').b ))\n");
  EXPECT_EQ(AddPolicy("GeneratingPolicy", spec), "");
  EXPECT_EQ(AddPolicy("NamespacedGeneratingPolicy", spec, "{name: p, namespace: ns}"),
            "spec: Forbidden: http.* is not allowed in namespaced policies; set "
            "--allowHTTPInNamespacedPolicies to enable");
}

TEST_F(GeneratingPolicies, IntoTheirOwnNamespaceOnly) {
  const std::string spec = std::string(kRules);
  const auto add = [&](const std::string& ns, const std::string& kind) {
    loader_ = NewLoader();
    ASSERT_EQ(AddPolicy("NamespacedGeneratingPolicy",
                        spec + TemplateOf("apiVersion: v1\nkind: " + kind + "\nmetadata: {name: x" +
                                          ns + "}\n"),
                        "{name: p, namespace: ns}"),
              "");
    Start("{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: ns}}", "configmaps");
  };
  add("", "Secret");
  EXPECT_EQ(Run(),
            "p 'p' pass: policy evaluated successfully\n"
            R"(generated {"apiVersion":"v1","kind":"Secret","metadata":{"name":"x",)"
            R"("namespace":"ns"}})"
            "\n");
  add(", namespace: other", "Secret");
  EXPECT_EQ(Run(),
            "p 'p' error: failed to evaluate policy: failed to generate resources: "
            "cross-namespace generation denied: a policy in namespace \"ns\" cannot generate "
            "resources into namespace \"other\"\n");
  add("", "ClusterRole");
  EXPECT_EQ(Run(),
            "p 'p' error: failed to evaluate policy: failed to generate resources: cross-scope "
            "generation denied: a policy scoped to namespace \"ns\" cannot generate cluster-scoped "
            "resource v1/ClusterRole\n");
}

}  // namespace
}  // namespace portcullis::policy::kyverno_cel
