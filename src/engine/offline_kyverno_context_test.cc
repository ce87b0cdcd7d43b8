// Context look-ups answered from documents: through the provider, and through CEL as policies see
// them.

#include "engine/offline_kyverno_context.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cel/eval/host.h"
#include "cel/eval/program.h"
#include "cel/kyverno/context_generate.h"
#include "cel/kyverno/environments.h"
#include "json/writer.h"
#include "yaml/reader.h"

namespace portcullis::engine {
namespace {

using doc::Value;

constexpr std::string_view kContextFile = R"(
apiVersion: cli.kyverno.io/v1alpha1
kind: Context
metadata: {name: context}
spec:
  resources:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: cfg, namespace: shop, labels: {a: b}},
     data: {team: red}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: cfg, namespace: other}}
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: plain}, data: {k: v}}
  - {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
  - {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop},
     spec: {replicas: 3}}
  - {apiVersion: cloud.example.com/v1, kind: ComputeClass, metadata: {name: spot}, spec: {spot: true}}
  images:
  - image: ghcr.io/org/app:1
    registry: ghcr.io
    tag: ""
    config: {config: {User: "101"}}
  globalContextEntries:
  - {name: limits, data: {max: 5, names: [a, b]}}
  - {name: picked, data: {deep: {er: [1, 2]}}, fieldPath: deep, projections: [{name: first, path: "er[0]"}]}
  - name: objects
    resources:
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}
  apiCallResponses:
  - {url: "https://example.com/a", method: GET, response: {body: {ok: true, body: inner}}}
  - {url: "https://example.com/a", response: {statusCode: 404, body: {why: none}}}
)";

Value Parse(std::string_view text, base::Arena& arena) {
  auto root = yaml::Parse(text, arena);
  EXPECT_TRUE(root.ok()) << text;
  return root.ok() ? *root : Value();
}

class Host final : public cel::EvalHost {
 public:
  explicit Host(const provider::KyvernoContext* context) : context_(context) {}
  const provider::KyvernoContext* kyverno() override { return context_; }
  bool AddGenerated(const Value& object) override {
    generated.push_back(object);
    return true;
  }
  std::vector<Value> generated;

 private:
  const provider::KyvernoContext* context_;
};

class Variables final : public cel::Activation {
 public:
  Variables(std::string_view ns, base::Arena& arena) : ns_(ns), arena_(arena) {}
  bool Resolve(std::string_view name, Value& out) override {
    return cel::KyvernoVariable(name, ns_, arena_, out);
  }

 private:
  std::string_view ns_;
  base::Arena& arena_;
};

// The JSON of the result, or `error: ...`, or `compile: ...` with the first line of the message.
std::string Eval(std::string_view expression, cel::EvalHost* host, std::string_view ns = {},
                 cel::KyvernoPolicyKind kind = cel::KyvernoPolicyKind::kValidating) {
  base::Arena arena;
  cel::CompileFailure failure;
  const auto program =
      cel::Compile(cel::KyvernoEnvironment(kind, !ns.empty()), expression, failure);
  if (program == nullptr)
    return "compile: " + failure.message.substr(0, failure.message.find('\n'));
  Variables variables(ns, arena);
  cel::EvalOptions options;
  options.host = host;
  const cel::EvalResult result = cel::Evaluate(*program, variables, arena, options);
  if (result.value.is_error()) return "error: " + std::string(cel::ErrorMessage(result.value));
  return json::ToString(result.value);
}

struct Case {
  std::string_view expression;
  std::string_view want;
  std::string_view ns = {};  // of the policy
};

class OfflineKyvernoContext : public testing::Test {
 protected:
  OfflineKyvernoContext() {
    for (const base::Error& error : context_.AddContext(Parse(kContextFile, arena_))) {
      ADD_FAILURE() << error.path << ": " << error.message;
    }
  }
  void RunAll(std::span<const Case> cases) {
    for (const Case& c : cases) EXPECT_EQ(Eval(c.expression, &host_, c.ns), c.want) << c.expression;
  }

  base::Arena arena_;
  DocumentKyvernoContext context_{schema::TypeTable::Builtin()};
  Host host_{&context_};
};

TEST_F(OfflineKyvernoContext, Resources) {
  const Case cases[] = {
      {"resource.Get('v1', 'configmaps', 'shop', 'cfg').data.team", R"("red")"},
      {"resource.get('v1', 'configmaps', 'shop', 'nope')", "null"},
      {"resource.get('v1', 'configmaps', '', 'cfg')", "null"},
      // No namespace means `default`, and the answer says so.
      {"resource.get('v1', 'configmaps', 'default', 'plain').metadata.namespace", R"("default")"},
      {"resource.get('v1', 'namespaces', '', 'shop').metadata.name", R"("shop")"},
      {"resource.get('v1', 'namespaces', 'shop', 'shop')", "null"},
      {"resource.get('cloud.example.com/v1', 'computeclasses', '', 'spot').spec.spot", "true"},
      {"resource.get('v1', 'pods', 'shop', 'x')", "null"},
      {"resource.get('apps/v1', 'deployments/status', 'shop', 'web').spec.replicas", "3"},
      {"resource.get('apps/v1', 'deployments/scale', 'shop', 'web')",
       "error: failed to get resource: deployments/scale is not available offline"},
      {"resource.get('apps/v1beta1', 'deployments', 'shop', 'web')", "null"},
      {"resource.get('a/b/c', 'pods', '', 'x')",
       "error: failed to get resource: unexpected GroupVersion string: a/b/c"},
      {"resource.get(resource.toGVR('apps/v1', 'Deployment'), 'shop', 'web').kind",
       R"("Deployment")"},
      {"resource.ToGVR('v1', 'Nope')",
       "error: failed to map kind to resource: no matches for kind \"Nope\" in version \"v1\""},
      {"resource.List('v1', 'configmaps', '').items.size()", "3"},
      {"resource.List('v1', 'configmaps', 'shop').items.size()", "1"},
      {"resource.List('v1', 'configmaps', 'default').items[0].metadata.name", R"("plain")"},
      {"resource.list('v1', 'configmaps', '', {'a': 'b'}).items.size()", "1"},
      {"resource.list('v1', 'configmaps', '', {'a': 'c'}).items.size()", "0"},
      {"resource.list(resource.toGVR('v1', 'ConfigMap'), 'other', {'a': 'b'}).items.size()", "0"},
      {"resource.list('v1', 'pods', '').items.size()", "0"},
      {"resource.list('v1', 'gadgets', '')",
       "error: failed to list resource: gadgets resource not found"},
      {"resource.Post('v1', 'configmaps', 'shop', {'a': 1})",
       "error: failed to create resource: resource.post is not available offline"},
  };
  RunAll(cases);
}

TEST_F(OfflineKyvernoContext, NamespacedPolicies) {
  const Case cases[] = {
      {"resource.Get('v1', 'configmaps', 'cfg').data.team", R"("red")", "shop"},
      {"resource.get('v1', 'configmaps', 'plain')", "null", "shop"},
      {"resource.list('v1', 'configmaps').items.size()", "1", "shop"},
      {"resource.list('v1', 'configmaps', {'a': 'z'}).items.size()", "0", "shop"},
      {"resource.get(resource.toGVR('v1', 'ConfigMap'), 'cfg').kind", R"("ConfigMap")", "shop"},
      {"resource.get('v1', 'configmaps', 'other', 'cfg')",
       "compile: ERROR: <input>:1:13: found no matching overload for 'get' applied to "
       "'resource.Context.(string, string, string, string)'",
       "shop"},
      {"globalContext.get('limits')",
       "error: failed to get global reference: globalContext.* is not allowed in namespaced "
       "policies",
       "shop"},
      {"http.get('https://example.com/a')",
       "error: request failed: http calls are not allowed in namespaced policies: set "
       "--allowHTTPInNamespacedPolicies to enable",
       "shop"},
  };
  RunAll(cases);
}

TEST_F(OfflineKyvernoContext, HttpGlobalContextAndImages) {
  const Case cases[] = {
      {"http.get('https://example.com/a')",
       R"({"body":{"ok":true,"body":"inner"},"statusCode":200,"ok":true})"},
      {"http.Post('https://example.com/a', {'x': 1}, {'H': 'v'}).body.why", R"("none")"},
      {"http.post('https://example.com/a', 1).statusCode", "404"},
      {"http.get('https://example.com/b')",
       "error: request failed: no mock for GET https://example.com/b (offline)"},
      {"http.Client('').get('https://example.com/a').ok", "true"},
      {"http.client('junk').get('https://example.com/a')",
       "error: request failed: failed to parse PEM CA bundle for APICall"},
      {"globalContext.get('limits').max", "5"},
      {"globalContext.Get('limits', 'names')", R"(["a","b"])"},
      {"globalContext.get('limits', 'nope')",
       "error: failed to get global reference: projection \"nope\" not found in global context "
       "entry \"limits\""},
      {"globalContext.get('objects', 'x')",
       "error: failed to get global reference: projection \"x\" not found in global context entry "
       "\"objects\": stored value is not an object"},
      {"globalContext.get('objects')[0].metadata.name", R"("x")"},
      {"globalContext.get('picked')", R"({"first":1})"},
      {"globalContext.get('none')", "null"},
      {"image.GetMetadata('ghcr.io/org/app:1').config.config.User", R"("101")"},
      {"has(image.getMetadata('ghcr.io/org/app:1').tag)", "false"},
      {"image.getMetadata('nginx')",
       "error: failed to get image data: image data for nginx not found in the context"},
  };
  RunAll(cases);
}

TEST_F(OfflineKyvernoContext, WithoutAnOutside) {
  const Case cases[] = {
      {"resource.get('v1', 'configmaps', 'shop', 'cfg')",
       "error: failed to get resource: configmaps \"cfg\" in namespace \"shop\" cannot be read: no "
       "cluster and no context data are given"},
      {"http.get('https://example.com/a')",
       "error: request failed: no mock for GET https://example.com/a (offline)"},
      {"globalContext.get('limits')",
       "error: failed to get global reference: global context entry \"limits\" cannot be read: no "
       "context data are given"},
      {"image.getMetadata('nginx')",
       "error: failed to get image data: image data for nginx not found in the context"},
  };
  for (const Case& c : cases) EXPECT_EQ(Eval(c.expression, nullptr), c.want) << c.expression;
  KyvernoContextOptions options;
  options.strict = true;
  const DocumentKyvernoContext strict(schema::TypeTable::Builtin(), options);
  Host host(&strict);
  EXPECT_EQ(Eval(cases[0].expression, &host), cases[0].want);
}

TEST_F(OfflineKyvernoContext, Generator) {
  struct Row {
    std::string_view call;
    std::string_view ns;    // of the policy
    std::string_view want;  // the objects, or the error
  };
  const Row rows[] = {
      {R"(generator.Apply('to', [{'apiVersion': 'v1', 'kind': 'Secret',
          'metadata': {'name': 'a', 'uid': 'u', 'namespace': 'from', 'ownerReferences': [1]}}]))",
       "", R"([{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","namespace":"to"}}])"},
      {"generator.apply('to', [resource.List('v1', 'configmaps', 'shop')])", "",
       R"([{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","namespace":"to","labels":{"a":"b"}},"data":{"team":"red"}}])"},
      {"generator.apply('to', [{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': "
       "'n'}}])",
       "", R"([{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}}])"},
      {"generator.apply([{'apiVersion': 'v1', 'kind': 'Secret'}])", "shop",
       R"([{"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"shop"}}])"},
      {"generator.apply([{'apiVersion': 'v1', 'kind': 'Namespace'}])", "shop",
       "error: failed to generate resources: cross-scope generation denied: a policy scoped to "
       "namespace \"shop\" cannot generate cluster-scoped resource v1/Namespace"},
  };
  for (const Row& row : rows) {
    base::Arena arena;
    cel::CompileFailure failure;
    const auto program =
        cel::Compile(cel::KyvernoEnvironment(cel::KyvernoPolicyKind::kGenerating, !row.ns.empty()),
                     row.call, failure);
    ASSERT_NE(program, nullptr) << failure.message;
    Host host(&context_);
    Variables variables(row.ns, arena);
    cel::EvalOptions options;
    options.host = &host;
    const cel::EvalResult result = cel::Evaluate(*program, variables, arena, options);
    std::string got = result.value.is_error()
                          ? "error: " + std::string(cel::ErrorMessage(result.value))
                          : json::ToString(doc::MakeList(arena, host.generated));
    EXPECT_EQ(got, row.want) << row.call;
  }
}

// Templates name a namespace of their own.
TEST_F(OfflineKyvernoContext, NoGenerationAcrossNamespaces) {
  const Value object =
      Parse("{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: x}}", arena_);
  std::vector<Value> made;
  std::string error;
  EXPECT_FALSE(cel::PrepareGenerated(object, {"", "shop"}, &context_, arena_, made, error));
  EXPECT_EQ(error,
            "cross-namespace generation denied: a policy in namespace \"shop\" cannot generate "
            "resources into namespace \"x\"");
  EXPECT_TRUE(cel::PrepareGenerated(object, {"", "x"}, &context_, arena_, made, error));
}

TEST_F(OfflineKyvernoContext, ApiPaths) {
  const struct {
    std::string_view path;
    std::string_view want;  // of the names found, or the error
  } rows[] = {
      {"/api/v1/namespaces/shop/configmaps/cfg", "cfg"},
      {"/api/v1/namespaces/shop", "shop"},
      {"/api/v1/namespaces/shop/configmaps", "[cfg]"},
      {"/api/v1/configmaps", "[plain,cfg,cfg]"},
      {"/apis/apps/v1/namespaces/shop/deployments/web", "web"},
      {"/apis/cloud.example.com/v1/computeclasses/spot", "spot"},
      {"/apis/cloud.example.com/v1/computeclasses/nope",
       "error: computeclasses.cloud.example.com \"nope\" not found"},
      {"/api/v1/configmaps?labelSelector=a%3Db", "[cfg]"},
      {"/healthz", "error: no mock for GET /healthz (offline)"},
  };
  for (const auto& row : rows) {
    base::Arena arena;
    const provider::Lookup answer = context_.ApiPath(row.path, arena);
    std::string got = "error: " + answer.error;
    if (const Value* items = answer.object.Find("items")) {
      got = "[";
      for (const Value& item : items->as_list()) {
        if (got.size() > 1) got += ",";
        got += item.Find("metadata")->StringAt("name");
      }
      got += "]";
    } else if (answer.found()) {
      got = answer.object.Find("metadata")->StringAt("name");
    }
    EXPECT_EQ(got, row.want) << row.path;
  }
}

TEST_F(OfflineKyvernoContext, LooksUpObjects) {
  const struct {
    std::string_view policy;
    bool want;
  } rows[] = {
      {"spec: {variables: [{expression: 'resource.Get(\"v1\")'}]}", true},
      {"spec: {variables: [{expression: \"size(resource\\n .List('v1'))\"}]}", true},
      {"spec: {validations: [{expression: globalContext.get('x')}]}", true},
      {"spec: {validations: [{expression: request.resource.resource == 'pods'}]}", false},
      {"spec: {targetMatchConstraints: {resourceRules: []}}", true},
      {"spec: {validations: [{expression: my_resource.x, message: a resource}]}", false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(LooksUpObjects(Parse(row.policy, arena_)), row.want) << row.policy;
  }
}

TEST_F(OfflineKyvernoContext, StrictReading) {
  const struct {
    std::string_view spec;
    std::string_view want;  // `path: message` of the first error
  } rows[] = {
      {"{resource: []}", "spec.resource: unknown field \"spec.resource\""},
      {"{resources: {}}", "spec.resources: Invalid value: must be of type array"},
      {"{resources: [{kind: Pod}]}",
       "spec.resources[0].apiVersion: Required value: an API object has it"},
      {"{images: [{image: 1}]}", "spec.images[0].image: Invalid value: must be of type string"},
      {"{images: [{tag: a}]}",
       "spec.images[0].image: Required value: the image as policies name it"},
      {"{images: [{image: a}, {image: a}]}", "spec.images[1].image: Duplicate value: \"a\""},
      {"{apiCallResponses: [{response: {body: {}}}]}",
       "spec.apiCallResponses[0]: spec.apiCallResponses[0]: either url or urlPath is required"},
      {"{apiCallResponses: [{url: 'ftp://a', response: {body: {}}}]}",
       "spec.apiCallResponses[0].url: spec.apiCallResponses[0].url must be an absolute https/http "
       "URL"},
      {"{apiCallResponses: [{urlPath: a, response: {body: {}}}]}",
       "spec.apiCallResponses[0].urlPath: spec.apiCallResponses[0].urlPath must be an absolute "
       "path starting with '/'"},
      {"{apiCallResponses: [{url: 'http://a', method: PUT, response: {body: {}}}]}",
       "spec.apiCallResponses[0].method: spec.apiCallResponses[0].method must be GET or POST"},
      {"{apiCallResponses: [{url: 'http://a', response: {body: [1]}}]}",
       "spec.apiCallResponses[0].response.body: spec.apiCallResponses[0].response.body must be a "
       "JSON object"},
      {"{apiCallResponses: [{url: 'http://a', response: {statusCode: 99, body: {}}}]}",
       "spec.apiCallResponses[0].response.statusCode: "
       "spec.apiCallResponses[0].response.statusCode 99 must be between 100 and 599"},
      {"{globalContextEntries: [{name: a}]}",
       "spec.globalContextEntries[0]: exactly one of data, resources and resourceFiles is "
       "required"},
      {"{globalContextEntries: [{name: a, data: {}, fieldPath: 'x | y'}]}",
       "spec.globalContextEntries[0].fieldPath: \"x | y\" is no plain path such as a.b[0]"},
  };
  for (const auto& row : rows) {
    base::Arena arena;
    DocumentKyvernoContext context(schema::TypeTable::Builtin());
    const std::string text = "apiVersion: cli.kyverno.io/v1alpha1\nkind: Context\nspec: ";
    const base::ErrorList errors =
        context.AddContext(Parse(text + std::string(row.spec) + "\n", arena));
    ASSERT_FALSE(errors.empty()) << row.spec;
    EXPECT_EQ(errors[0].path + ": " + errors[0].message, row.want) << row.spec;
  }
}

TEST_F(OfflineKyvernoContext, ListsOfTestFilesAreReadStrictly) {
  const struct {
    std::string_view list;
    std::string_view want;
  } rows[] = {
      {"{a: b}", "l: Invalid value: must be of type array"},
      {"[{name: g, data: {}, fieldPath: 1}]",
       "l[0].fieldPath: Invalid value: must be of type string"},
      {"[{name: g, data: {}, projections: {}}]",
       "l[0].projections: Invalid value: must be of type array"},
      {"[{name: g, data: {}, dat: 1}]", "l[0].dat: unknown field \"l[0].dat\""},
  };
  for (const auto& row : rows) {
    const base::ErrorList errors = context_.AddGlobalContextEntries(Parse(row.list, arena_), "l");
    ASSERT_FALSE(errors.empty()) << row.list;
    EXPECT_EQ(errors[0].path + ": " + errors[0].message, row.want) << row.list;
  }
  EXPECT_FALSE(
      context_.AddApiCallResponses(Parse("[{url: 'http://h', method: 1}]", arena_), "l").empty());
  EXPECT_FALSE(context_.AddContext(Parse("[]", arena_)).empty());
}

// Lists of test files come unchecked, whatever they hold.
TEST_F(OfflineKyvernoContext, OddLists) {
  for (const std::string_view text :
       {"null", "5", "{a: b}", "[null]", "[5, [], {}]", "[{name: a, resourceFiles: x}]",
        "[{name: a, resources: x}]", "[{name: a, data: 1, projections: [null, 5]}]",
        "[{url: 5, response: 7}]", "[{url: 'http://h', response: {body: {}, statusCode: x}}]"}) {
    const Value list = Parse(text, arena_);
    context_.AddApiCallResponses(list, "a");
    context_.AddGlobalContextEntries(list, "b");
    context_.AddContext(list);
    context_.AddClusterResource(list);
    context_.AddGlobalContextEntry(list);
    context_.AddResource(list);
  }
  // What was there before is there still.
  EXPECT_EQ(Eval("globalContext.get('limits').max", &host_), "5");
}

TEST_F(OfflineKyvernoContext, ClusterResourceAndGlobalContextEntry) {
  DocumentKyvernoContext context(schema::TypeTable::Builtin());
  const Value cluster = Parse(R"(
apiVersion: cli.kyverno.io/v1alpha1
kind: ClusterResource
spec:
  crds: [crds/a.yaml]
  resources:
  - {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}}
  - {apiVersion: apps/v1, kind: Deployment, metadata: {name: api, namespace: shop}}
)",
                              arena_);
  EXPECT_TRUE(context.AddClusterResource(cluster).empty());
  EXPECT_EQ(DocumentKyvernoContext::CrdFiles(cluster), std::vector<std::string>{"crds/a.yaml"});
  const Value entry = Parse(R"(
apiVersion: kyverno.io/v2
kind: GlobalContextEntry
metadata: {name: deployments}
spec:
  kubernetesResource: {group: apps, version: v1, resource: deployments, namespace: shop}
  projections: [{name: first, jmesPath: "[0].metadata.name"}]
)",
                            arena_);
  EXPECT_TRUE(context.AddGlobalContextEntry(entry).empty());
  Host host(&context);
  EXPECT_EQ(Eval("globalContext.get('deployments').map(d, d.metadata.name)", &host),
            R"(["api","web"])");
  EXPECT_EQ(Eval("globalContext.get('deployments', 'first')", &host), R"("api")");
  EXPECT_EQ(Eval("resource.get('apps/v1', 'deployments', 'shop', 'web').metadata.name", &host),
            R"("web")");
}

}  // namespace
}  // namespace portcullis::engine
