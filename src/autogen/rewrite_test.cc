#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "autogen/autogen.h"

namespace portcullis::autogen {
namespace {

struct Row {
  const char* before;
  const char* after;  // for Deployments; null: cannot be moved
};

std::string Rewritten(const char* text, Group group = Group::kDefaults) {
  auto result = RewriteExpression(text, group);
  return result.ok() ? *result : "refused: " + result.error().message;
}

void ExpectRows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const std::string actual = Rewritten(row.before);
    if (row.after == nullptr) {
      EXPECT_EQ(actual.substr(0, 9), "refused: ") << row.before << " -> " << actual;
    } else {
      EXPECT_EQ(actual, row.after) << row.before;
      // What was moved is about controllers already.
      EXPECT_EQ(Rewritten(actual.c_str()), row.after) << "twice: " << row.before;
    }
  }
}

TEST(Rewrite, PlainPaths) {
  ExpectRows({
      {"object.spec.containers", "object.spec.template.spec.containers"},
      {"oldObject.spec.nodeName", "oldObject.spec.template.spec.nodeName"},
      {"request.object.spec.x", "request.object.spec.template.spec.x"},
      {"request.oldObject.spec.x", "request.oldObject.spec.template.spec.x"},
      {"object.spec", "object.spec.template.spec"},
      {"has(object.spec)", "has(object.spec.template.spec)"},
      {"has(object.spec.x)", "has(object.spec.template.spec.x)"},
      {"has(request.object.spec.x)", "has(request.object.spec.template.spec.x)"},
      {"object.kind == 'Pod' && object.status.spec == 1",
       "object.kind == 'Pod' && object.status.spec == 1"},
      {"object.specFoo", "object.specFoo"},
      {"object.spec.spec", "object.spec.template.spec.spec"},
      {"object.status.object.spec", "object.status.object.spec"},
      {".object.spec", ".object.spec.template.spec"},
  });
}

TEST(Rewrite, CronJobs) {
  EXPECT_EQ(Rewritten("object.spec.x", Group::kCronJobs),
            "object.spec.jobTemplate.spec.template.spec.x");
  EXPECT_EQ(Rewritten("object.?metadata.?labels", Group::kCronJobs),
            "object.?spec.?jobTemplate.?spec.?template.?metadata.?labels");
  EXPECT_EQ(Rewritten("object['spec']", Group::kCronJobs),
            "object['spec']['jobTemplate']['spec']['template']['spec']");
  EXPECT_EQ(Rewritten("object.spec.jobTemplate.spec", Group::kCronJobs),
            "object.spec.jobTemplate.spec");
  EXPECT_EQ(Rewritten("object.spec.x", Group::kExtract), "object.spec.x");
}

TEST(Rewrite, Metadata) {
  ExpectRows({
      {"object.metadata.labels.a", "object.spec.template.metadata.labels.a"},
      {"has(object.metadata.annotations)", "has(object.spec.template.metadata.annotations)"},
      {"object.metadata", "object.spec.template.metadata"},
      {"object.metadata.namespace", "object.metadata.namespace"},
      {"object.metadata.namespaceFoo", "object.spec.template.metadata.namespaceFoo"},
      {"object.metadata.name + object.metadata.uid + object.metadata.generateName",
       "object.metadata.name + object.metadata.uid + object.metadata.generateName"},
      {"has(object.metadata.ownerReferences)", "has(object.metadata.ownerReferences)"},
      {"object.metadata.?name.orValue('')", "object.metadata.?name.orValue('')"},
      {"object.metadata['name']", "object.metadata['name']"},
      {"object.metadata[?'name']", "object.metadata[?'name']"},
      {"object.metadata['labels']", "object.spec.template.metadata['labels']"},
      {"object.metadata[variables.k]", "object.spec.template.metadata[variables.k]"},
      {"'name' in object.metadata", "'name' in object.metadata"},
      {"'labels' in object.metadata", "'labels' in object.spec.template.metadata"},
      {"object.metadata == oldObject.metadata",
       "object.spec.template.metadata == oldObject.spec.template.metadata"},
      {"object.?metadata.orValue({}).?name", "object.?metadata.orValue({}).?name"},
      {"object.?metadata.orValue({}).?labels",
       "object.?spec.?template.?metadata.orValue({}).?labels"},
      {"(true ? object.metadata : oldObject.metadata).name",
       "(true ? object.metadata : oldObject.metadata).name"},
      {"resource.get('v1', 'pods', 'ns', object.metadata.name)",
       "resource.get('v1', 'pods', 'ns', object.metadata.name)"},
  });
}

TEST(Rewrite, LeavesTextAndOthersAlone) {
  ExpectRows({
      {"'see object.spec.containers'", "'see object.spec.containers'"},
      {"object.spec.x == \"object.spec\"", "object.spec.template.spec.x == \"object.spec\""},
      {"r'object.spec' + '''object.spec\nobject.spec'''",
       "r'object.spec' + '''object.spec\nobject.spec'''"},
      {"namespaceObject.metadata.labels['a'] == object.metadata.labels['a']",
       "namespaceObject.metadata.labels['a'] == object.spec.template.metadata.labels['a']"},
      {"myobject.spec.x == variables.podobject.spec",
       "myobject.spec.x == variables.podobject.spec"},
      {"object.spec.template.spec.x", "object.spec.template.spec.x"},
      {"has(object.spec.template)", "has(object.spec.template)"},
      {"object.?spec.?jobTemplate.?spec", "object.?spec.?jobTemplate.?spec"},
      {"'template' in object.spec", "'template' in object.spec"},
      {"params.object.spec", "params.object.spec"},
      {"request.namespace + request.name", "request.namespace + request.name"},
      {"not cel (", "not cel ("},
      {"", ""},
  });
}

TEST(Rewrite, KeepsFormattingAndComments) {
  ExpectRows({
      {"object .spec", "object .spec.template.spec"},
      {"object\n  .spec\n  .containers // all of object.spec\n  .size() > 0",
       "object\n  .spec.template.spec\n  .containers // all of object.spec\n  .size() > 0"},
      {"object. // why\n spec", "object. // why\n spec.template.spec"},
      {"object.`spec`.x", "object.spec.template.`spec`.x"},
      {"'\xC3\xA9' == object.spec.x", "'\xC3\xA9' == object.spec.template.spec.x"},
      {"  object.spec  ", "  object.spec.template.spec  "},
  });
}

TEST(Rewrite, Forms) {
  ExpectRows({
      {"object.?spec.?containers", "object.?spec.?template.?spec.?containers"},
      {"object.spec.?x", "object.spec.template.spec.?x"},
      {"object['spec']['containers']", "object['spec']['template']['spec']['containers']"},
      {"object[\"metadata\"][\"labels\"]",
       "object[\"spec\"][\"template\"][\"metadata\"][\"labels\"]"},
      {"object[?'spec'].orValue(1)", "object[?'spec'][?'template'][?'spec'].orValue(1)"},
      {"object[r'spec'].x", "object['spec']['template'][r'spec'].x"},
      {"(object).spec", "(object).spec.template.spec"},
      {"((object)).spec", "((object)).spec.template.spec"},
      {"(object.spec).x", "(object.spec.template.spec).x"},
      {"((object.spec)).template", "((object.spec)).template"},
      {"dyn(object).spec", "dyn(object).spec.template.spec"},
      {"dyn(object.metadata).name", "dyn(object.metadata).name"},
      {"(object != null ? object : oldObject).spec.containers",
       "(object != null ? object : oldObject).spec.template.spec.containers"},
      {"optional.of(object).spec", "optional.of(object).spec.template.spec"},
      {"optional.of(object).?spec", "optional.of(object).?spec.?template.?spec"},
      {"optional.of(object).orValue(oldObject).spec",
       "optional.of(object).orValue(oldObject).spec.template.spec"},
      {"request.?object.?spec", "request.?object.?spec.?template.?spec"},
      {"request['object']['spec']", "request['object']['spec']['template']['spec']"},
      {"[object, oldObject][0].spec", "[object, oldObject][0].spec.template.spec"},
      {"object == null ? 1 : object.spec.x", "object == null ? 1 : object.spec.template.spec.x"},
  });
}

TEST(Rewrite, Macros) {
  ExpectRows({
      {"[1].all(object, object.spec == 1)", "[1].all(object, object.spec == 1)"},
      {"[1].all(x, object.spec.n == x)", "[1].all(x, object.spec.template.spec.n == x)"},
      {"object.spec.containers.all(object, object.spec == 1)",
       "object.spec.template.spec.containers.all(object, object.spec == 1)"},
      {"[1].all(object, object.spec == 1) && object.spec.x",
       "[1].all(object, object.spec == 1) && object.spec.template.spec.x"},
      {"[1].all(request, request.object.spec == 1)", "[1].all(request, request.object.spec == 1)"},
      {"object.spec.containers.all(c, object.spec.volumes.exists(v, v.name == c.name && "
       "object.metadata.name != object.metadata.labels.x))",
       "object.spec.template.spec.containers.all(c, object.spec.template.spec.volumes.exists(v, "
       "v.name == c.name && object.metadata.name != object.spec.template.metadata.labels.x))"},
      {"cel.bind(o, object, o.spec.containers)",
       "cel.bind(o, object, o.spec.template.spec.containers)"},
      {"cel.bind(object, 1, object)", "cel.bind(object, 1, object)"},
      {"cel.bind(object, object, object.spec)",
       "cel.bind(object, object, object.spec.template.spec)"},
      {"cel.bind(m, object.metadata, m.name + m.namespace)",
       "cel.bind(m, object.metadata, m.name + m.namespace)"},
      {"cel.bind(m, object.metadata, m.labels)",
       "cel.bind(m, object.spec.template.metadata, m.labels)"},
      {"cel.bind(m, object.metadata, m.name == m.labels.a)", nullptr},
      {"[object].all(o, o.spec.x)", "[object].all(o, o.spec.template.spec.x)"},
      {"[object, oldObject].filter(o, o != null).all(o, o.spec.x)",
       "[object, oldObject].filter(o, o != null).all(o, o.spec.template.spec.x)"},
      {"[object].map(o, o.metadata).all(m, m.name == '')",
       "[object].map(o, o.metadata).all(m, m.name == '')"},
      {"[object].map(o, o.spec)[0].x", "[object].map(o, o.spec.template.spec)[0].x"},
      {"optional.of(object).optMap(o, o.spec)",
       "optional.of(object).optMap(o, o.spec.template.spec)"},
      {"object.?metadata.optMap(m, m.name)", "object.?metadata.optMap(m, m.name)"},
      {"object.?metadata.optMap(m, m.labels)",
       "object.?spec.?template.?metadata.optMap(m, m.labels)"},
      {"object.spec.containers.sortBy(c, c.name)",
       "object.spec.template.spec.containers.sortBy(c, c.name)"},
      {"object.all(k, k != 'x')", "object.all(k, k != 'x')"},
  });
}

TEST(Rewrite, WholeObjectsAndWhatCannotBeMoved) {
  ExpectRows({
      {"json.marshal(object)", "json.marshal(object)"},
      {"object == oldObject", "object == oldObject"},
      {"{'o': object}.o.spec", "{'o': object}.o.spec"},
      {"object[variables.k]", "object[variables.k]"},
      {"(variables.x ? object : params).spec.y", nullptr},
      {"optional.of(object).orValue({'spec': {}}).spec", nullptr},
      {"[object, params].all(o, o.spec.x)", nullptr},
      {"optional.of(object).orValue({}).spec",
       "optional.of(object).orValue({}).spec.template.spec"},
      {"(variables.x ? object.metadata : params.metadata).labels",
       "(variables.x ? object.spec.template.metadata : params.metadata).labels"},
  });
}

TEST(Rewrite, DeepNestingEnds) {
  std::string deep = "object.spec.x";
  for (int i = 0; i < 5000; ++i) deep = "(" + deep + ")";
  EXPECT_TRUE(RewriteExpression(deep, Group::kDefaults).ok());  // no CEL: nested too deeply
  std::string list = "[1]";
  for (int i = 0; i < 20; ++i) list += ".map(x, [object].all(o, o.spec.x))";
  EXPECT_TRUE(RewriteExpression(list, Group::kDefaults).ok());
}

TEST(Pointer, Moves) {
  const std::vector<Row> rows = {
      {"/spec/x", "/spec/template/spec/x"},
      {"/spec", "/spec/template/spec"},
      {"/specs", "/specs"},
      {"/spec/template/spec/x", "/spec/template/spec/x"},
      {"/spec/templates", "/spec/template/spec/templates"},
      {"/metadata/labels/a~1b", "/spec/template/metadata/labels/a~1b"},
      {"/metadata/annotations", "/spec/template/metadata/annotations"},
      {"/metadata/name", "/metadata/name"},
      {"/metadata/labelsx", "/metadata/labelsx"},
      {"", ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(MovePointer(row.before, Group::kDefaults), row.after);
    EXPECT_EQ(MovePointer(row.after, Group::kDefaults), row.after);
  }
  EXPECT_EQ(MovePointer("/spec/x", Group::kCronJobs), "/spec/jobTemplate/spec/template/spec/x");
}

}  // namespace
}  // namespace portcullis::autogen
