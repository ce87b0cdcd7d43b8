// `kyverno-admission`: AdmissionReviews with the answers of Kyverno's admission controller. Format:
// one file per area, {"area", "cases": [...]}; DIR is the folder or one file. A case runs with the
// policies that its path names, or is the write of a policy (`/policyvalidate`) or an exception.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/edit.h"
#include "doc/equal.h"
#include "engine/admit.h"
#include "engine/offline.h"
#include "engine/offline_kyverno_context.h"
#include "engine/offline_providers.h"
#include "engine/policy_set.h"
#include "engine/review.h"
#include "json/reader.h"
#include "json/writer.h"
#include "members.h"
#include "runner.h"
#include "schema/type_table.h"

namespace portcullis::conformance {
namespace {

namespace fs = std::filesystem;
using doc::Value;

bool IsTrue(const Value& value) { return value.is_bool() && value.as_bool(); }

// What is compared of an answer.
struct Outcome {
  bool allowed = true;
  std::string message;
  std::vector<std::string> warnings;
  Value patched;  // null: unchanged
  bool any_patch = false;

  std::string Text() const {
    std::string out = allowed ? "allowed" : "denied: " + message;
    for (const std::string& warning : warnings) out += "\n    warning: " + warning;
    if (!patched.is_null()) out += "\n    patched: " + json::ToString(patched);
    return out;
  }
};

Outcome Expected(const Value& expect) {
  Outcome out;
  out.allowed = IsTrue(At(expect, "allowed"));
  out.message = At(expect, "status").StringAt("message");
  for (const Value& warning : Items(expect, "warnings"))
    out.warnings.emplace_back(warning.as_string());
  if (!At(expect, "patch").is_null()) {
    out.patched = At(expect, "patched");
    // A patch that cannot be applied to the object as it was posted: nothing to compare with.
    out.any_patch = out.patched.is_null();
  }
  return out;
}

std::vector<std::string> SortedParts(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find("; ", at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 2;
  }
  std::sort(out.begin(), out.end());
  return out;
}

// `varies`: the order of policies is random in the expectation.
bool Same(Outcome expected, Outcome actual, bool varies) {
  if (expected.allowed != actual.allowed) return false;
  if (varies) {
    std::sort(expected.warnings.begin(), expected.warnings.end());
    std::sort(actual.warnings.begin(), actual.warnings.end());
  }
  if (expected.warnings != actual.warnings) return false;
  if (!expected.allowed && expected.message != actual.message &&
      !(varies && SortedParts(expected.message) == SortedParts(actual.message))) {
    return false;
  }
  if (expected.any_patch) return true;
  if (expected.patched.is_null() || actual.patched.is_null()) {
    return expected.patched.is_null() == actual.patched.is_null();
  }
  return doc::DataEqual(expected.patched, actual.patched);
}

std::vector<std::string> PathParts(std::string_view path) {
  std::vector<std::string> out;
  std::string part;
  std::istringstream in{std::string(path)};
  while (std::getline(in, part, '/')) {
    if (!part.empty()) out.push_back(part);
  }
  return out;
}

// The policies that a path `/vpol/NAME...` or `/nvpol/NAMESPACE/NAME` concerns.
bool Concerns(const std::vector<std::string>& path, const Value& policy) {
  static const std::map<std::string, std::string, std::less<>> kKinds = {
      {"vpol", "ValidatingPolicy"},
      {"nvpol", "NamespacedValidatingPolicy"},
      {"mpol", "MutatingPolicy"},
      {"nmpol", "NamespacedMutatingPolicy"}};
  if (path.empty()) return false;
  const auto kind = kKinds.find(path[0]);
  if (kind == kKinds.end() || policy.StringAt("kind") != kind->second) return false;
  const std::string_view name = At(policy, "metadata").StringAt("name");
  return std::find(path.begin() + 1, path.end(), name) != path.end();
}

// A document that cannot be loaded is part of the outcome: the case fails with its text.
bool Load(engine::PolicySetBuilder& builder, const Value& object, std::string& problem) {
  if (!builder.Handles(object.StringAt("apiVersion"), object.StringAt("kind"))) {
    problem = "no family reads kind " + std::string(object.StringAt("kind"));
    return false;
  }
  const policy::LoadReport report =
      builder.Add({.value = object, .span = {}}, policy::LoadMode::kApiServer);
  if (report.errors.empty()) return true;
  problem = "not loaded: " + report.errors[0].path + ": " + report.errors[0].message;
  return false;
}

// The write of a policy or an exception: allowed, or refused with the text of the first problem.
Outcome Write(const Value& object, bool exception, std::string& problem) {
  Outcome out;
  engine::PolicySetBuilder builder;
  if (!builder.Handles(object.StringAt("apiVersion"), object.StringAt("kind"))) {
    problem = "no family reads kind " + std::string(object.StringAt("kind"));
    return out;
  }
  const policy::LoadReport report =
      builder.Add({.value = object, .span = {}}, policy::LoadMode::kApiServer);
  // Kyverno's endpoint for exceptions always sends one warning without a text.
  if (exception) out.warnings.emplace_back();
  if (!report.refusal) return out;
  out.allowed = false;
  out.message = report.refusal->message;
  if (exception) return out;
  const std::size_t comma = out.message.find(", ");
  if (out.message.starts_with("[") && comma != std::string::npos) {
    out.warnings.push_back(out.message.substr(1, comma - 1));
  }
  for (const base::Error& error : report.errors) {
    out.warnings.push_back(error.path + ": " + error.message);
  }
  return out;
}

// The review that the API server would send for a request that creates an object; null for others.
Value CreateReview(const Value& api, const schema::TypeTable& types, base::Arena& arena) {
  const Value body = At(api, "body");
  if (api.StringAt("method") != "POST" || body.StringAt("kind").empty()) return {};
  engine::OfflineFacts facts;
  const auto request = engine::BuildRequest(body, {}, facts, types, arena);
  if (!request.ok() || !std::string(api.StringAt("path")).ends_with(request->resource.resource)) {
    return {};
  }
  const auto named = [&](std::string_view key, std::string_view name) {
    const doc::MapEntry entries[] = {
        {Value::String("group"), Value::String(request->kind.group)},
        {Value::String("version"), Value::String(request->kind.version)},
        {Value::String(key), Value::String(name)}};
    return doc::MakeMap(arena, entries);
  };
  const doc::MapEntry user[] = {{Value::String("username"), Value::String("admin")}};
  const doc::MapEntry entries[] = {
      {Value::String("kind"), named("kind", request->kind.kind)},
      {Value::String("resource"), named("resource", request->resource.resource)},
      {Value::String("name"), Value::String(request->name)},
      {Value::String("namespace"), Value::String(request->ns)},
      {Value::String("operation"), Value::String("CREATE")},
      {Value::String("userInfo"), doc::MakeMap(arena, user)},
      {Value::String("object"), body}};
  return doc::MakeMap(arena, entries);
}

// What the client sees in front of a webhook's message.
std::string WithoutWebhook(std::string_view message) {
  constexpr std::string_view kBehind = "denied the request: ";
  const std::size_t at = message.find(kBehind);
  return std::string(at == std::string_view::npos ? message : message.substr(at + kBehind.size()));
}

Outcome Review(const Value& test, const std::vector<std::string>& path, base::Arena& arena,
               std::string& problem) {
  Outcome out;
  engine::PolicySetBuilder builder;
  for (const Value& policy : Items(test, "policies")) {
    if ((path.empty() || Concerns(path, policy)) && !Load(builder, policy, problem)) return out;
  }
  for (const Value& exception : Items(test, "exceptions")) {
    if (!Load(builder, exception, problem)) return out;
  }
  engine::DocumentNamespaces namespaces{true};
  schema::TypeTable types;
  for (const Value& object : Items(test, "cluster")) {
    if (object.StringAt("kind") == "Namespace") namespaces.Add(object, arena);
    if (object.StringAt("kind") == "CustomResourceDefinition") types.AddCrd(object);
  }
  for (const char* name : {"default", "kube-system", "kyverno"}) {
    if (namespaces.Find(name).found()) continue;
    const doc::MapEntry metadata[] = {{Value::String("name"), Value::String(name)}};
    const doc::MapEntry object[] = {{Value::String("apiVersion"), Value::String("v1")},
                                    {Value::String("kind"), Value::String("Namespace")},
                                    {Value::String("metadata"), doc::MakeMap(arena, metadata)}};
    namespaces.Add(doc::MakeMap(arena, object), arena);
  }
  engine::DocumentKyvernoContext kyverno(types);
  for (const Value& object : Items(test, "cluster")) kyverno.AddResource(object);
  provider::Providers providers;
  providers.namespaces = &namespaces;
  providers.kyverno = &kyverno;
  Value review = At(test, "review");
  if (review.is_null()) {
    const Value api = At(test, "api");
    const Value request = api.is_null() ? At(test, "request") : CreateReview(api, types, arena);
    const doc::MapEntry entries[] = {{Value::String("kind"), Value::String("AdmissionReview")},
                                     {Value::String("request"), request}};
    review = doc::MakeMap(arena, entries);
  }
  const auto request = engine::ReadReview(review);
  if (!request.ok()) {
    out.allowed = false;
    out.message = request.error().message;
    return out;
  }
  engine::AdmitOptions options;
  options.defaulting = false;
  const auto set = builder.Build(false);
  const engine::Answer answer =
      engine::Admit(*set, request.value(), providers, &types, arena, options);
  out.allowed = answer.allowed;
  out.message = answer.status.message;
  out.warnings = answer.warnings;
  if (answer.mutated && answer.allowed) out.patched = doc::DeepCopy(arena, answer.object);
  return out;
}

// A case runs when every family that it needs is wanted. Of several families' policies the path of
// a review concerns one.
bool InFamilies(const Value& test, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return true;
  const auto is_wanted = [&](std::string_view family) {
    return std::find(wanted.begin(), wanted.end(), family) != wanted.end();
  };
  const std::vector<std::string> path = PathParts(test.StringAt("path"));
  if (!path.empty()) {
    if (path[0].ends_with("vpol") || path[0].ends_with("mpol")) return is_wanted("cel");
    if (path[0] == "validate" || path[0] == "mutate") return is_wanted("classic");
  }
  const auto needed = Items(test, "families");
  return std::all_of(needed.begin(), needed.end(),
                     [&](const Value& family) { return is_wanted(family.as_string()); });
}

struct Counts {
  int passed = 0;
  int failed = 0;
};

struct Totals {
  std::map<std::string, Counts> areas;
  int skipped_transport = 0;
};

void RunCase(const Value& test, Reporter& reporter, Totals& totals, Counts& counts) {
  const Value expect = At(test, "expect");
  // Answers that are not reviews are the transport's, and so is all of the API server but the
  // creation of objects.
  const bool api = test.Find("api") != nullptr;
  const bool through = api && At(test, "api").StringAt("method") != "POST";
  if (expect.Find("http") != nullptr || through) {
    ++totals.skipped_transport;
    return;
  }
  const std::string name(test.StringAt("name"));
  const std::vector<std::string> path = PathParts(test.StringAt("path"));
  base::Arena arena;
  std::string problem;
  Outcome actual;
  const Value object = At(At(test, "request"), "object");
  if (!path.empty() && path[0] == "policyvalidate") {
    actual = Write(object, false, problem);
  } else if (!path.empty() && path[0] == "celexception") {
    actual = Write(object, true, problem);
  } else if (api || (!path.empty() && (path[0].ends_with("vpol") || path[0].ends_with("mpol")))) {
    actual = Review(test, path, arena, problem);
  } else {
    problem = "no family answers path " + std::string(test.StringAt("path"));
  }
  Outcome expected = Expected(expect);
  if (api) {
    expected.allowed = At(expect, "status").is_null();
    expected.message = WithoutWebhook(expected.message);
    expected.patched = {};
  }
  // The order of several policies is random there, whether or not a recording shows it.
  const bool varies = !At(test, "kyvernoVaries").is_null() || Items(test, "policies").size() > 1;
  if (problem.empty() && Same(expected, actual, varies)) {
    reporter.Pass(name);
    ++counts.passed;
  } else {
    reporter.Fail(name, expected.Text(), problem.empty() ? actual.Text() : problem);
    ++counts.failed;
  }
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  std::vector<fs::path> files;
  std::error_code error;
  if (fs::is_regular_file(options.dir, error)) {
    files.emplace_back(options.dir);
  } else if (fs::is_directory(options.dir, error)) {
    for (const auto& entry : fs::directory_iterator(options.dir)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::printf("no .json file in %s\n", options.dir.c_str());
    return false;
  }
  Totals totals;
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const std::string source = text.str();
    base::Arena arena;
    auto parsed = json::Parse(source, arena);
    if (!parsed.ok()) {
      reporter.Fail(path.filename().string(), "a JSON document", parsed.error().message);
      continue;
    }
    for (const Value& test : Items(parsed.value(), "cases")) {
      if (test.StringAt("name").find(options.filter) == std::string_view::npos) continue;
      if (!InFamilies(test, options.families)) continue;
      RunCase(test, reporter, totals, totals.areas[std::string(parsed.value().StringAt("area"))]);
    }
  }
  for (const auto& [area, counts] : totals.areas) {
    reporter.Note(area + ": " + std::to_string(counts.passed) + " of " +
                  std::to_string(counts.passed + counts.failed));
  }
  reporter.Note(std::to_string(totals.skipped_transport) + " of the transport not run");
  return true;
}

}  // namespace portcullis::conformance
