// `chainsaw`: Kyverno's cluster suites as steps that need no cluster. DIR is a file like
// `offline.json` or a folder that holds one; the manifests lie beside it, or below --suites. One
// suite is one case. Format: the README of the corpus.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "assert/assertion_tree.h"
#include "chainsaw_part_cluster.h"
#include "doc/edit.h"
#include "input/document_stream.h"
#include "input/files.h"
#include "json/reader.h"
#include "json/writer.h"
#include "members.h"
#include "runner.h"

namespace portcullis::conformance {
namespace {

namespace fs = std::filesystem;
using doc::Value;

struct Mismatch {
  std::string expected, actual;
};

class Suite {
 public:
  Suite(const Value& suite, const fs::path& folder, const std::string& crds, const Value& user)
      : suite_(suite),
        folder_(folder),
        cluster_(crds, std::string(suite.StringAt("namespace")), user) {}

  // The first step that is not met, if there is one.
  bool Run(Mismatch& mismatch) {
    std::size_t number = 0;
    for (const Value& step : Items(suite_, "steps")) {
      ++number;
      if (Play(step, mismatch)) continue;
      mismatch.expected = "step " + std::to_string(number) + ": " + mismatch.expected;
      return false;
    }
    return true;
  }

 private:
  std::vector<Value> Documents(std::span<const Value> items, std::string& problem) {
    std::vector<Value> out;
    for (const Value& item : items) {
      if (!item.is_string()) {
        out.push_back(item);
        continue;
      }
      const std::vector<std::string> paths = {(folder_ / std::string(item.as_string())).string()};
      input::Diagnostics problems;
      input::DocumentStream stream(input::ExpandPaths(paths, &problems));
      input::Document document;
      while (stream.Next(&document)) {
        out.push_back(doc::DeepCopy(cluster_.arena(), document.root));
      }
      for (const input::Diagnostic& found : stream.diagnostics()) {
        if (found.severity == input::Severity::kError) problem = found.error.message;
      }
    }
    return out;
  }

  bool Play(const Value& step, Mismatch& mismatch) {
    const Value user = At(step, "user");
    for (const auto& [name, assertion] :
         {std::pair{"assertObject", true}, std::pair{"assertGenerated", true},
          std::pair{"assertMutatedExisting", true}, std::pair{"assertAbsent", false}}) {
      if (step.Find(name) != nullptr) return AssertObjects(step, name, assertion, mismatch);
    }
    for (const auto& [name, holds] :
         {std::pair{"assertPolicyStatus", true}, std::pair{"assertPolicyStatusNot", false}}) {
      if (step.Find(name) != nullptr) return AssertStatus(step, name, holds, mismatch);
    }
    for (const char* name : {"applyPolicy", "updatePolicy", "apply", "delete"}) {
      if (step.Find(name) == nullptr) continue;
      std::string problem;
      const std::string word = name;
      for (const Value& item : Documents(Items(step, name), problem)) {
        Reply reply;
        if (word == "apply") {
          reply = cluster_.Apply(item, user);
        } else if (word == "delete") {
          reply = cluster_.Delete(cluster_.ReferenceTo(item), user);
        } else {
          reply = cluster_.ApplyPolicy(item, word == "updatePolicy");
        }
        if (!Met(step, word + " " + Name(item), reply, mismatch)) return false;
      }
      if (problem.empty()) return true;
      // A document that cannot be read is refused.
      return Met(step, word, {false, problem, {}}, mismatch);
    }
    return PlaySpecial(step, user, mismatch);
  }

  bool PlaySpecial(const Value& step, const Value& user, Mismatch& mismatch) {
    if (const Value* target = step.Find("patch")) {
      return Met(step, "patch " + Name(*target),
                 cluster_.Patch(cluster_.ReferenceTo(*target), step.StringAt("type"),
                                At(step, "body"), step.StringAt("subresource"), user),
                 mismatch);
    }
    if (const Value* target = step.Find("scale")) {
      return Met(step, "scale " + Name(*target),
                 cluster_.Scale(cluster_.ReferenceTo(*target), At(step, "replicas").as_int(), user),
                 mismatch);
    }
    if (const Value* target = step.Find("createSubresource")) {
      return Met(step, "create a subresource of " + Name(*target),
                 cluster_.Subresource(match::Operation::kCreate, cluster_.ReferenceTo(*target),
                                      step.StringAt("subresource"), At(step, "object"), user),
                 mismatch);
    }
    if (const Value* target = step.Find("connect")) {
      return Met(step, "connect to " + Name(*target),
                 cluster_.Subresource(match::Operation::kConnect, cluster_.ReferenceTo(*target),
                                      step.StringAt("subresource"), At(step, "options"), user),
                 mismatch);
    }
    mismatch = {"a step of a known kind", json::ToString(step)};
    return false;
  }

  static std::string Name(const Value& object) {
    return std::string(object.StringAt("kind")) + "/" +
           std::string(At(object, "metadata").StringAt("name"));
  }

  static bool Met(const Value& step, const std::string& what, const Reply& reply,
                  Mismatch& mismatch) {
    const bool wanted = step.StringAt("expect", "ok") == "ok";
    std::string actual = reply.allowed ? "admitted" : "denied: " + reply.message;
    for (const std::string& warning : reply.warnings) actual += "\n    warning: " + warning;
    mismatch = {what + ": " + (wanted ? "admitted" : "denied"), actual};
    if (reply.allowed != wanted) return false;
    for (const Value& text : Items(step, "messageContains")) {
      if (reply.message.find(text.as_string()) == std::string::npos) {
        mismatch.expected += " with " + std::string(text.as_string());
        return false;
      }
    }
    for (const Value& text : Items(step, "messageNotContains")) {
      if (reply.message.find(text.as_string()) != std::string::npos) {
        mismatch.expected += " without " + std::string(text.as_string());
        return false;
      }
    }
    for (const Value& text : Items(step, "warningContains")) {
      if (std::ranges::none_of(reply.warnings, [&](const std::string& warning) {
            return warning.find(text.as_string()) != std::string::npos;
          })) {
        mismatch.expected += " with the warning " + std::string(text.as_string());
        return false;
      }
    }
    return true;
  }

  // An assertion about `object`; `why` is its first violation.
  bool Matches(const Value& assertion, const Value& object, std::string& why) {
    const assertion::Outcome outcome = assertion::Evaluate(assertion, object, cluster_.arena());
    if (outcome.holds()) return true;
    why = outcome.errors.empty() ? outcome.violations[0].path + ": " + outcome.violations[0].message
                                 : outcome.errors[0].path + ": " + outcome.errors[0].message;
    return false;
  }

  // The identity was compared already, and the assertion may leave the namespace out.
  Value WithoutIdentity(const Value& assertion) {
    base::Arena& arena = cluster_.arena();
    const Value metadata = At(assertion, "metadata");
    if (!metadata.is_map()) return assertion;
    return doc::WithEntry(arena, assertion, "metadata",
                          doc::WithoutEntry(arena, metadata, "namespace"));
  }

  bool AssertObjects(const Value& step, const char* name, bool exists, Mismatch& mismatch) {
    std::string problem;
    for (const Value& item : Documents(Items(step, name), problem)) {
      const Reference reference = cluster_.ReferenceTo(item);
      std::vector<Value> candidates;
      if (reference.name.empty()) {
        candidates = cluster_.List(reference);
      } else if (const Value* found = cluster_.Find(reference)) {
        candidates.push_back(*found);
      }
      std::string why = "no such object";
      const bool found = std::ranges::any_of(candidates, [&](const Value& object) {
        return Matches(WithoutIdentity(item), object, why);
      });
      if (found == exists) continue;
      mismatch = {std::string(name) + " " + Name(item), found ? "it exists" : why};
      return false;
    }
    mismatch = {"readable files", problem};
    return problem.empty();
  }

  bool AssertStatus(const Value& step, const char* name, bool holds, Mismatch& mismatch) {
    std::string problem;
    for (const Value& item : Documents(Items(step, name), problem)) {
      const Value wanted = At(At(item, "status"), "autogen");
      const auto status = cluster_.AutogenStatus(cluster_.ReferenceTo(item));
      std::string why = "no such policy";
      bool found = false;
      if (status) {
        // `{}` stands for "nothing is generated".
        found = wanted.is_map() && wanted.size() == 0 ? status->size() == 0
                                                      : Matches(wanted, *status, why);
        if (!found && wanted.size() == 0) why = json::ToString(*status);
      }
      if (found == holds) continue;
      mismatch = {std::string(name) + " " + Name(item), found ? "it matches" : why};
      return false;
    }
    mismatch = {"readable files", problem};
    return problem.empty();
  }

  const Value& suite_;
  fs::path folder_;
  Cluster cluster_;
};

bool Wanted(const Value& suite, const Options& options) {
  if (options.families.empty()) return true;
  return std::ranges::all_of(Items(suite, "families"), [&](const Value& family) {
    return std::ranges::find(options.families, family.as_string()) != options.families.end();
  });
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  fs::path file = options.dir;
  if (fs::is_directory(file)) file /= "offline.json";
  std::ifstream in(file);
  if (!in) {
    std::printf("cannot read %s\n", file.c_str());
    return false;
  }
  std::stringstream text;
  text << in.rdbuf();
  base::Arena arena;
  const std::string content = text.str();
  auto parsed = json::Parse(content, arena);
  if (!parsed.ok()) {
    std::printf("%s: %s\n", file.c_str(), parsed.error().message.c_str());
    return false;
  }
  const fs::path base = options.suites.empty() ? file.parent_path() : fs::path(options.suites);
  // The definitions of the policy kinds stand beside the suites.
  const fs::path crds = file.parent_path().parent_path() / "crds";
  for (const Value& suite : Items(parsed.value(), "suites")) {
    const std::string name(suite.StringAt("suite"));
    if (!Wanted(suite, options) || name.find(options.filter) == std::string::npos) continue;
    Mismatch mismatch;
    if (Suite(suite, base / name, crds.string(), At(parsed.value(), "user")).Run(mismatch)) {
      reporter.Pass(name);
    } else {
      reporter.Fail(name, mismatch.expected, mismatch.actual);
    }
  }
  return true;
}

}  // namespace portcullis::conformance
