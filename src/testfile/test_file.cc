#include "testfile/test_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/suggest.h"
#include "testfile/fields.h"

namespace portcullis::testfile {
namespace {

using doc::Value;

constexpr std::array<std::string_view, 5> kResults = {"pass", "fail", "skip", "warn", "error"};
constexpr std::array<std::string_view, 3> kOperations = {"CREATE", "UPDATE", "DELETE"};

void RemoveRepeated(std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (std::string& name : names) {
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
  }
  names = std::move(out);
}

std::string Listed(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

// The word must be one of a list; empty is left to the caller.
void CheckWord(const std::string& word, std::span<const std::string_view> words,
               const std::string& path, Problems& problems) {
  if (word.empty() || std::find(words.begin(), words.end(), word) != words.end()) return;
  const std::string_view near = base::ClosestName(word, words);
  problems.Error(base::ErrorCode::kUnsupported, "\"" + word + "\" is not " + Listed(words), path,
                 near.empty() ? "" : "did you mean \"" + std::string(near) + "\"?");
}

// A spelling of older versions: read where the present one is absent.
void TakeDeprecated(Fields& fields, std::string_view old_name, std::string_view new_name,
                    std::string& target, Problems& problems) {
  if (!fields.Has(old_name)) return;
  const std::string text = fields.Text(old_name);
  problems.Warning(
      "`" + std::string(old_name) + "` is deprecated: write `" + std::string(new_name) + "`",
      fields.PathOf(old_name));
  if (target.empty()) target = text;
}

ResourceSpec DecodeSpec(const Value& value, const std::string& path, Problems& problems) {
  Fields fields(value, path, problems);
  ResourceSpec out;
  out.group = fields.Text("group");
  out.version = fields.Text("version");
  out.kind = fields.Text("kind");
  out.subresource = fields.Text("subresource");
  out.ns = fields.Text("namespace");
  out.name = fields.Text("name");
  fields.Finish();
  return out;
}

void TakeOldResultFields(Fields& fields, Expectation& out, Problems& problems) {
  TakeDeprecated(fields, "status", "result", out.result, problems);
  TakeDeprecated(fields, "patchedResource", "patchedResources", out.patched_resources, problems);
  std::string resource;
  TakeDeprecated(fields, "resource", "resources", resource, problems);
  if (!resource.empty() && !out.has_resources) {
    out.resources.push_back(std::move(resource));
    out.has_resources = true;
  }
  std::string ns;
  TakeDeprecated(fields, "namespace", "policy: NAMESPACE/NAME", ns, problems);
  if (!ns.empty() && out.policy.find('/') == std::string::npos) out.policy = ns + "/" + out.policy;
}

Expectation DecodeExpectation(const Value& value, const std::string& path, Problems& problems) {
  Fields fields(value, path, problems);
  Expectation out;
  out.path = path;
  out.policy = fields.Text("policy");
  out.rule = fields.Text("rule");
  out.result = fields.Text("result");
  out.has_resources = fields.Has("resources");
  out.resources = fields.Texts("resources");
  const std::vector<Value> specs = fields.Items("resourceSpecs");
  for (std::size_t i = 0; i < specs.size(); ++i) {
    out.specs.push_back(DecodeSpec(specs[i], fields.PathOf("resourceSpecs", i), problems));
  }
  out.kind = fields.Text("kind");
  out.operation = fields.Text("operation");
  out.patched_resources = fields.Text("patchedResources");
  out.generated_resources = fields.Texts("generatedResources");
  const std::string generated = fields.Text("generatedResource");
  if (!generated.empty()) {
    out.generated_resources.insert(out.generated_resources.begin(), generated);
  }
  out.clone_source = fields.Text("cloneSourceResource");
  out.fail_on_missing = fields.Flag("failOnMissingResources");
  for (const char* kind :
       {"isValidatingAdmissionPolicy", "isMutatingAdmissionPolicy", "isValidatingPolicy",
        "isImageValidatingPolicy", "isMutatingPolicy", "isGeneratingPolicy"}) {
    fields.Flag(kind);
  }
  out.deletes = fields.Flag("isDeletingPolicy");
  TakeOldResultFields(fields, out, problems);
  fields.Finish();

  if (out.policy.empty()) {
    problems.Error(base::ErrorCode::kRequired, "policy is required", path);
  }
  if (out.result.empty()) {
    problems.Error(base::ErrorCode::kRequired, "result is required: " + Listed(kResults), path);
  }
  CheckWord(out.result, kResults, fields.PathOf("result"), problems);
  CheckWord(out.operation, kOperations, fields.PathOf("operation"), problems);
  if (out.deletes && !out.operation.empty()) {
    problems.Error(base::ErrorCode::kForbidden, "operation has no meaning for a DeletingPolicy",
                   fields.PathOf("operation"));
  }
  return out;
}

Check DecodeCheck(const Value& value, const std::string& path, Problems& problems) {
  Fields fields(value, path, problems);
  Check out;
  out.path = path;
  Fields match(fields.Map("match"), fields.PathOf("match"), problems);
  out.match_resource = match.Any("resource");
  out.match_policy = match.Any("policy");
  out.match_rule = match.Any("rule");
  match.Finish();
  out.assert_tree = fields.Any("assert");
  out.error_tree = fields.Any("error");
  fields.Finish();
  if (out.assert_tree.is_null() && out.error_tree.is_null()) {
    problems.Error(base::ErrorCode::kRequired, "a check needs `assert` or `error`", path);
  }
  return out;
}

void DecodeHead(Fields& fields, TestFile& out, Problems& problems) {
  const std::string api_version = fields.Text("apiVersion");
  const std::string kind = fields.Text("kind");
  if (api_version.empty() || kind.empty()) {
    problems.Warning("test file without apiVersion or kind: a deprecated form", "",
                     "write apiVersion: cli.kyverno.io/v1alpha1 and kind: Test");
  }
  if (!kind.empty() && kind != "Test") {
    problems.Error(base::ErrorCode::kInvalid, "a document of kind Test is expected, not " + kind,
                   "kind");
  }
  Fields metadata(fields.Map("metadata"), "metadata", problems);
  out.name = metadata.Text("name");
  for (const char* other : {"labels", "annotations", "namespace", "creationTimestamp"}) {
    metadata.Any(other);
  }
  metadata.Finish();
  std::string name;
  TakeDeprecated(fields, "name", "metadata.name", name, problems);
  if (out.name.empty()) out.name = std::move(name);
}

}  // namespace

std::string_view Expectation::policy_name() const {
  const std::string_view text = policy;
  const std::size_t slash = text.rfind('/');
  return slash == std::string_view::npos ? text : text.substr(slash + 1);
}

std::string_view Expectation::policy_namespace() const {
  const std::string_view text = policy;
  const std::size_t slash = text.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : text.substr(0, slash);
}

std::string CleanPath(std::string_view path) {
  return std::filesystem::path(path).lexically_normal().string();
}

TestFile DecodeTest(const Value& root, Problems& problems) {
  Fields fields(root, "", problems);
  TestFile out;
  DecodeHead(fields, out, problems);
  out.policies = fields.Texts("policies");
  out.resources = fields.Texts("resources");
  out.target_resources = fields.Texts("targetResources");
  out.param_resources = fields.Texts("paramResources");
  out.exceptions = fields.Texts("exceptions");
  out.variables = fields.Text("variables");
  out.userinfo = fields.Text("userinfo");
  out.context = fields.Text("context");
  out.values = fields.Map("values");
  out.cluster_resources = fields.Texts("clusterResources");
  out.json_payloads = fields.Texts("jsonPayloads");
  const std::string payload = fields.Text("jsonPayload");
  if (!payload.empty()) {
    problems.Warning("`jsonPayload` is deprecated: write `jsonPayloads`", "jsonPayload");
    if (out.json_payloads.empty()) out.json_payloads.push_back(payload);
  }
  for (std::string& name : out.json_payloads) name = CleanPath(name);
  out.http_payloads = fields.Texts("httpPayloads");
  out.envoy_payloads = fields.Texts("envoyPayloads");
  for (auto* names : {&out.http_payloads, &out.envoy_payloads}) {
    for (std::string& name : *names) name = CleanPath(name);
  }
  out.api_call_responses = fields.Any("apiCallResponses");
  out.global_context_entries = fields.Any("globalContextEntries");
  const std::vector<Value> results = fields.Items("results");
  for (std::size_t i = 0; i < results.size(); ++i) {
    out.results.push_back(DecodeExpectation(results[i], fields.PathOf("results", i), problems));
  }
  const std::vector<Value> checks = fields.Items("checks");
  for (std::size_t i = 0; i < checks.size(); ++i) {
    out.checks.push_back(DecodeCheck(checks[i], fields.PathOf("checks", i), problems));
  }
  fields.Finish();
  for (auto* names : {&out.policies, &out.resources, &out.json_payloads}) RemoveRepeated(*names);
  return out;
}

}  // namespace portcullis::testfile
