// Kyverno's libraries and environments beyond the recorded cases: overloads, texts and costs.

#include "cel/kyverno/libraries.h"

#include <gtest/gtest.h>

#include <string>

#include "base/arena.h"
#include "cel/eval/program.h"
#include "cel/eval/value_json.h"
#include "cel/kyverno/environments.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Value;

class Variables : public MapActivation {
 public:
  explicit Variables(base::Arena& arena) : arena_(arena) {}
  bool Resolve(std::string_view name, Value& out) override {
    return MapActivation::Resolve(name, out) || KyvernoVariable(name, "", arena_, out);
  }

 private:
  base::Arena& arena_;
};

// The value's text, or the error's; `compile: ` and the first line for what does not compile.
std::string Answer(std::string_view environment, std::string_view expression) {
  base::Arena arena;
  CompileFailure failure;
  const auto program = Compile(KyvernoEnvironmentByName(environment), expression, failure);
  if (program == nullptr) {
    return "compile: " + failure.message.substr(0, failure.message.find('\n'));
  }
  Variables variables(arena);
  variables.Bind("object", Value::EmptyMap());
  const EvalResult result = Evaluate(*program, variables, arena);
  if (result.value.is_error()) return "error: " + std::string(ErrorMessage(result.value));
  return ValueText(result.value);
}

struct Row {
  std::string_view expression;
  std::string_view answer;
};

void Check(std::string_view environment, std::span<const Row> rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(Answer(environment, row.expression), row.answer) << row.expression;
  }
}

TEST(KyvernoLibraries, Images) {
  const std::string digest(64, 'a');
  const std::string tagged = "image('ghcr.io/a/b:v1@sha256:" + digest + "')";
  EXPECT_EQ(Answer("kyverno-vpol", tagged + ".tag()"), "v1");
  EXPECT_EQ(Answer("kyverno-vpol", tagged + ".identifier()"), "v1@sha256:" + digest);
  EXPECT_EQ(Answer("kyverno-vpol", "image('a:5000/bc@sha256:" + digest + "').tag()"), "");
  EXPECT_EQ(Answer("kyverno-vpol", "isImage('bc@sha256:" + digest.substr(1) + "g')"), "false");
  EXPECT_EQ(Answer("kyverno-vpol", "isImage('ab:" + std::string(128, 'x') + "')"), "true");
  EXPECT_EQ(Answer("kyverno-vpol", "isImage('ab:" + std::string(129, 'x') + "')"), "false");
  const Row rows[] = {
      {"image('docker.io/nginx').repository()", "library/nginx"},
      {"image('docker.io/team/nginx').repository()", "team/nginx"},
      {"image('localhost/nginx').registry()", "localhost"},
      {"image('host:80/ab/cd').registry()", "host:80"},
      {"image('http://nginx').registry()", "http:"},
      {"isImage('a.b:x/cd')", "false"},
      {"isImage('a b.c/de')", "false"},
      {"isImage('[::1]:5000/ab')", "true"},
      {"isImage('u@h.c/ab')", "false"},
      {"isImage('h.c/')", "false"},
      {"image('x y')", "error: could not parse reference: x y"},
      {"dyn(image('nginx')) == dyn('nginx')", "error: no such overload"},
  };
  Check("kyverno-vpol", rows);
}

TEST(KyvernoLibraries, JsonAndYaml) {
  const Row rows[] = {
      {"json.unmarshal('-')", "error: invalid character ' ' in numeric literal"},
      {"json.unmarshal(optional.of('[1]'))[0]", "1"},
      {"json.unmarshal(optional.none())", "error: optional.none() dereference"},
      {"json.unmarshal(1.5)", "error: type conversion error from Double to 'string'"},
      {"json.unmarshal([1])", "error: type conversion error from list to 'string'"},
      {"json.unmarshal(true)", "error: type conversion error from bool to 'string'"},
      {"json.unmarshal(b'{}')", "error: type conversion error from Bytes to 'string'"},
      {"json.unmarshal(1u)", "error: unsupported type conversion from 'uint' to string"},
      {"json.marshal(json.unmarshal('{\"a\":[1,2.5e3,\"<\"]}'))", "{\"a\":[1,2500,\"\\u003c\"]}"},
      {"json.marshal(-1.0/0.0)", "error: json: unsupported value: -Inf"},
      {"json.marshal({'a': {1: 2}})",
       "error: json: unsupported map key type int64 (original key type: int64)"},
      {"json.marshal({2u: 1})",
       "error: json: failed to convert CEL map to native map: unsupported type conversion from "
       "'uint' to string"},
      {"json.marshal(duration('1.5s'))", "1500000000"},
      {"json.marshal([timestamp('2020-01-01T00:00:00+02:00')])", "[\"2020-01-01T00:00:00+02:00\"]"},
      {"json.marshal(semver('1.2.3'))", "\"1.2.3\""},
      {"json == json", "true"},
      {"yaml.parse('{a: [1, 0x10, 1.0]}').a == [1.0, 16.0, 1.0]", "true"},
      {"yaml.parse('a: [')",
       "error: error converting YAML to JSON: yaml: line 1: did not find "
       "expected node content"},
      {"yaml.parse(dyn(1))", "error: no such overload: parse(yaml.Yaml, int)"},
  };
  Check("kyverno-vpol", rows);
}

TEST(KyvernoLibraries, Transform) {
  const Row rows[] = {
      {"listObjToMap([{'n': 'a'}, {'n': 'b'}, {'n': 'a'}], [{'v': 1}, {'v': 2}, {'v': 3}], 'n', "
       "'v')"
       " == {'a': 3, 'b': 2}",
       "true"},
      {"listObjToMap([1.5], [2.5], 'a', 'b')",
       "error: internal error: interface conversion: interface {} is float64, not map[interface "
       "{}]interface {}"},
      {"listObjToMap([{'n': 'a'}], ['b'], 'n', 'v')",
       "error: internal error: interface conversion: interface {} is string, not map[interface "
       "{}]interface {}"},
      {"listObjToMap([{'n': 'a'}], [{1: 'b'}], 'n', 'v')",
       "error: object cannot be handled as a map string to any in the value object list"},
      {"listObjToMap([{true: 'a'}], [{'v': 'b'}], 'n', 'v')",
       "error: failed to convert key to a string, bool"},
      {"listObjToMap([{'m': 'a'}], [{'v': 'b'}], 'n', 'v')",
       "error: the passed key name cannot be handled as a string in the key object list"},
  };
  Check("kyverno-vpol", rows);
}

TEST(KyvernoLibraries, Structs) {
  const Row rows[] = {
      {"user.ServiceAccount{}.Name == '' && !has(user.ServiceAccount{}.Namespace)", "true"},
      {"user.ServiceAccount{Name: dyn(1)}",
       "error: unsupported type conversion from 'int' to "
       "string"},
      {"user.ServiceAccount{Foo: 'a'}", "compile: ERROR: <input>:1:24: undefined field 'Foo'"},
      {"libs.Exception{allowedImages: ['a']}.allowedImages == ['a']", "true"},
      {"has(libs.Exception{}.allowedImages) || size(libs.Exception{}.allowedValues) > 0", "false"},
      {"json.marshal(libs.Exception{allowedValues: ['v']})",
       "{\"AllowedImages\":null,\"AllowedValues\":[\"v\"]}"},
      {"json.marshal([parseServiceAccount('system:serviceaccount:a:b')])",
       "[{\"name\":\"b\",\"namespace\":\"a\"}]"},
      {"parseServiceAccount('x') == parseServiceAccount('system:serviceaccount:a:b')", "false"},
      {"type(user.ServiceAccount{}) == user.ServiceAccount", "true"},
      {"type(json) == json.Json && type(yaml) == yaml.Yaml", "true"},
      {"type(libs.Exception{}) == libs.Exception", "true"},
      {"mylib_version", ""},
  };
  Check("kyverno-vpol", rows);
}

TEST(KyvernoLibraries, TimeGzipHash) {
  const Row rows[] = {
      {"time.truncate(timestamp('0001-01-01T00:00:00.5Z'), duration('1s')) == "
       "timestamp('0001-01-01T00:00:00Z')",
       "true"},
      {"time.toCron(timestamp('1969-12-31T23:59:59-00:30'))", "59 23 31 12 3"},
      {"time.now() == time.now() || true", "true"},
      {"gzip.decompress(gzip.compress(optional.of('x')))", "x"},
      {"gzip.compress(1)", "error: unsupported type conversion from 'int' to string"},
      {"gzip.decompress(b'0123456789')", "error: gzip: invalid header"},
      {"gzip.decompress(gzip.compress('a') + gzip.compress('b'))", "ab"},
      {"gzip.decompress(gzip.compress('a') + b'0123456789')", "error: gzip: invalid header"},
      {"gzip.decompress(base64.decode('H4sIAAAAAAAA/w=='))", "error: unexpected EOF"},
      {"gzip.decompress(base64.decode('H4sIAAAAAAAA/wc='))",
       "error: flate: corrupt input before offset 1"},
      {"gzip.decompress(base64.decode('H4sIAAAAAAAA/8tIzcnJBwCHhqE2BQAAAA=='))",
       "error: gzip: invalid checksum"},
      {"hash.md5('')", "d41d8cd98f00b204e9800998ecf8427e"},
      {"hash.sha1(dyn(b'a'))", "error: no such overload: hash.sha1(bytes)"},
  };
  Check("kyverno-vpol", rows);
}

TEST(KyvernoLibraries, Random) {
  const Row rows[] = {
      {"random('[^a-y]').size()", "1"},
      {"random('a?\?').matches('^a?$')", "true"},
      {"random('[[:digit:][:upper:]]{20}').matches('^[0-9A-Z]{20}$')", "true"},
      {"random('\\\\x41\\\\101\\\\.')", "AA."},
      {"random('(a|b|)(c{2,3})').matches('^[ab]?c{2,3}$')", "true"},
      {"random('{')", "{"},
      {"random('a{,2}')", "a{,2}"},
      {"random('\\\\pL')", "error: error parsing regexp: invalid escape sequence: `\\p`"},
      {"random('(?:a)')",
       "error: error parsing regexp: missing argument to repetition operator: "
       "`?`"},
      {"random('a|*')",
       "error: error parsing regexp: missing argument to repetition operator: "
       "`*`"},
      {"random('a)')", "error: error parsing regexp: unexpected ): `a)`"},
      {"random('[a')", "error: error parsing regexp: missing closing ]: `[a`"},
      {"random('a{1001}')", "error: error parsing regexp: invalid repeat count: `{1001}`"},
      {"random('(a{100}){100}')", "error: error parsing regexp: invalid repeat count: `{100}`"},
      {"random('\\\\')",
       "error: error parsing regexp: trailing backslash at end of expression: "
       "``"},
      {"random('[[:foo:]]')",
       "error: error parsing regexp: invalid character class range: `[:foo:]`"},
      {"random('((()*)*)*')", "error: random: result is too large"},
      {"random() == random()", "false"},
  };
  Check("kyverno-gpol", rows);
}

// A short expression names one part eight times at each of twelve levels: no walk of the result as
// a tree would end, and no copy would fit.
TEST(KyvernoLibraries, ValuesLargerThanMemoryAreRefused) {
  const auto nest = [](std::string_view step, std::string_view last) {
    std::string out = "cel.bind(s, [dyn(1)], ";
    for (int i = 0; i < 12; ++i) out.append("cel.bind(s, ").append(step).append(", ");
    return out.append(last).append(13, ')');
  };
  constexpr std::string_view kShared = "[dyn(s), dyn(s), dyn(s), dyn(s), dyn(s), dyn(s), dyn(s)]";
  const std::string sum = nest("s + s + s + s + s + s + s + s", "s.size()");
  const std::string same = nest(kShared, "s == s");
  const std::string json = nest(kShared, "json.marshal(s)");
  const std::string text = nest(kShared, "'%s'.format([s])");
  const Row rows[] = {
      {sum.c_str(), "error: operation cancelled: value too large"},
      {same.c_str(), "error: operation cancelled: value too large"},
      {json.c_str(), "error: operation cancelled: value too large"},
      {text.c_str(), "error: format: result is too large"},
  };
  Check("kyverno-gpol", rows);
}

TEST(KyvernoLibraries, X509) {
  const Row rows[] = {
      {"x509.decode('-----BEGIN CERTIFICATE REQUEST-----\\nBQA=\\n-----END CERTIFICATE "
       "REQUEST-----')",
       "error: asn1: structure error: tags don't match (16 vs {class:0 tag:5 length:0 "
       "isCompound:false}) {optional:false explicit:false application:false private:false "
       "defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} "
       "certificateRequest @2"},
      {"x509.decode('-----BEGIN CERTIFICATE-----\\nMAIwAA==\\n-----END CERTIFICATE-----')",
       "error: x509: malformed serial number"},
      {"x509.decode('-----BEGIN CERTIFICATE-----\\n!!\\n-----END CERTIFICATE-----')",
       "error: failed to decode PEM block"},
      {"x509.decode('-----BEGIN A-----\\n-----END B-----')", "error: failed to decode PEM block"},
  };
  Check("kyverno-vpol", rows);
}

struct Offer {
  std::string_view environment;
  std::string_view expression;
  bool compiles;
};

TEST(KyvernoEnvironments, Offers) {
  const Offer offers[] = {
      {"kyverno-vpol", "exceptions.allowedImages", true},
      {"kyverno-vpol", "images", false},
      {"kyverno-vpol", "Object{}", false},
      {"kyverno-vpol", "generator", false},
      {"kyverno-vpol", "[1, 2].all(i, v, v > i)", true},
      {"kyverno-mpol", "Object{spec: Object.spec{}}", true},
      {"kyverno-mpol", "jsonpatch.escapeKey('a/b')", true},
      {"kyverno-mpol", "parseServiceAccount('a').Name", true},
      {"kyverno-gpol", "[1, 'a']", true},
      {"kyverno-gpol", "x509.decode('')", true},
      {"kyverno-dpol", "[1, 'a']", false},
      {"kyverno-dpol", "JSONPatch{op: 'add'}", true},
      {"kyverno-dpol", "user.parseServiceAccount('a')", false},
      {"kyverno-dpol", "[1, 2].all(i, v, v > i)", false},
      {"kyverno-ivpol", "images.containers.map(i, image(i).tag())", true},
      {"kyverno-ivpol", "attestations['x'] + 'a'", true},
      {"kyverno-ivpol", "x509.decode('')", false},
      {"kyverno-ivpol", "exceptions", false},
      {"kyverno-ivpol", "optional.of(1).orValue('a')", false},
      {"kyverno-vpol", "optional.of(1).orValue('a')", true},
      {"kyverno-matchimage", "ref.startsWith('a')", true},
      {"kyverno-matchimage", "object", false},
      {"kyverno-nvpol", "resource.Get('v1', 'pods', 'a')", true},
      {"kyverno-vpol", "resource.Get('v1', 'pods', 'a')", false},
      {"kyverno-vpol", "request.object.spec == request.oldObject.spec", true},
      {"kyverno-vpol", "authorizer", false},
  };
  for (const Offer& offer : offers) {
    const std::string answer = Answer(offer.environment, offer.expression);
    EXPECT_EQ(!answer.starts_with("compile: "), offer.compiles)
        << offer.environment << ": " << offer.expression << ": " << answer;
  }
  EXPECT_EQ(KyvernoEnvironmentByName("kyverno-xpol"), nullptr);
  EXPECT_EQ(KyvernoEnvironmentByName("k8s"), nullptr);
}

}  // namespace
}  // namespace portcullis::cel
