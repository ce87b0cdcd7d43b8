// The kind `autogen`: policies and the rules for Pod controllers that Kyverno makes of them. A file
// is {group, cases[{policy, expect}]}; `expect.autogen` is null when the policy is not eligible,
// otherwise a map from variant to targets and spec. Expressions are compared as syntax trees, and
// members that Go prints though unset not at all.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "autogen/autogen.h"
#include "autogen_part_classes.h"
#include "base/arena.h"
#include "cel/syntax/dump.h"
#include "cel/syntax/parser.h"
#include "doc/edit.h"
#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"
#include "runner.h"

namespace portcullis::conformance {

namespace {

namespace fs = std::filesystem;
using doc::Value;

bool IsUnset(const Value& value) {
  return value.is_null() || ((value.is_map() || value.is_list()) && value.size() == 0);
}

bool IsExpression(std::string_view key) {
  return key == "expression" || key == "messageExpression" || key == "valueExpression";
}

// The syntax tree of an expression as text; the text itself if it is none.
std::string TreeOf(std::string_view text) {
  cel::ParserOptions options;
  options.two_variable_macros = true;
  options.bind_macro = true;
  options.sort_by_macro = true;
  cel::Ast ast;
  cel::Issues issues;
  if (!cel::Parse(text, options, ast, issues)) return std::string(text);
  return cel::Dump(ast, ast.root);
}

// Without what is unset, and with syntax trees for expressions.
Value Normal(base::Arena& arena, const Value& value, std::string_view key) {
  if (value.is_string() && IsExpression(key)) {
    return doc::MakeString(arena, TreeOf(value.as_string()));
  }
  if (value.is_list()) {
    doc::ListBuilder items;
    for (const Value& item : value.as_list()) items.Add(Normal(arena, item, {}));
    return items.Build(arena);
  }
  if (!value.is_map()) return value;
  doc::MapBuilder map;
  for (const doc::MapEntry& entry : value.as_map()) {
    const Value normal = Normal(arena, entry.value, entry.key.as_string());
    if (!IsUnset(normal)) map.Set(entry.key, normal);
  }
  return map.Build(arena);
}

Value TargetsOf(base::Arena& arena, const std::vector<autogen::Target>& targets) {
  doc::ListBuilder list;
  for (const autogen::Target& target : targets) {
    doc::MapBuilder map;
    map.Set("group", doc::MakeString(arena, target.group));
    map.Set("version", doc::MakeString(arena, target.version));
    map.Set("resource", doc::MakeString(arena, target.resource));
    map.Set("kind", doc::MakeString(arena, target.kind));
    list.Add(map.Build(arena));
  }
  return list.Build(arena);
}

Value VariantsOf(base::Arena& arena, const autogen::Generated& generated) {
  if (!generated.eligible) return Value::Null();
  doc::MapBuilder variants;
  for (const autogen::Variant& variant : generated.variants) {
    doc::MapBuilder map;
    map.Set("targets", TargetsOf(arena, variant.targets));
    map.Set("spec", variant.spec);
    variants.Set(doc::MakeString(arena, variant.key), map.Build(arena));
  }
  return variants.Build(arena);
}

// Compares what is written at the same place of three documents; false at a difference that has no
// name. `source` is the member of the policy itself.
bool Explain(const Value& source, const Value& wanted, const Value& ours, std::string_view key,
             bool mutation, std::set<std::string>& kinds) {
  if (wanted.is_string() && ours.is_string() && source.is_string()) {
    if (wanted.as_string() == ours.as_string()) return true;
    if (IsExpression(key)) {
      if (TreeOf(wanted.as_string()) == TreeOf(ours.as_string())) return true;
      return Classify(source.as_string(), wanted.as_string(), ours.as_string(), mutation, kinds);
    }
    kinds.insert("texts stay");
    return ours.as_string() == source.as_string();
  }
  if (wanted.is_list() && ours.is_list() && source.is_list()) {
    if (wanted.size() != ours.size() || ours.size() != source.size()) return false;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (!Explain(source.as_list()[i], wanted.as_list()[i], ours.as_list()[i], key, mutation,
                   kinds)) {
        return false;
      }
    }
    return true;
  }
  if (!wanted.is_map() || !ours.is_map() || !source.is_map()) return doc::DataEqual(wanted, ours);
  for (const doc::MapEntry& entry : wanted.as_map()) {
    const std::string_view member = entry.key.as_string();
    const Value* mine = ours.Find(member);
    const Value* original = source.Find(member);
    if (IsUnset(entry.value) && (mine == nullptr || IsUnset(*mine))) continue;
    if (mine == nullptr || original == nullptr) return false;
    if (member == "matchConstraints") {
      if (!doc::DataEqual(entry.value, *mine)) return false;
    } else if (!Explain(*original, entry.value, *mine, member, mutation, kinds)) {
      return false;
    }
  }
  return true;
}

// `[kind, kind] ` when all differences have names.
std::string NameDifferences(const Value& policy, const Value& wanted, const Value& ours) {
  if (!wanted.is_map() || !ours.is_map() || wanted.size() != ours.size()) return {};
  const bool mutation = policy.StringAt("kind").ends_with("MutatingPolicy");
  std::set<std::string> kinds;
  for (const doc::MapEntry& entry : wanted.as_map()) {
    const Value* mine = ours.Find(entry.key.as_string());
    if (mine == nullptr || !doc::DataEqual(*entry.value.Find("targets"), *mine->Find("targets")) ||
        !Explain(*policy.Find("spec"), *entry.value.Find("spec"), *mine->Find("spec"), {}, mutation,
                 kinds)) {
      return {};
    }
  }
  std::string names;
  for (const std::string& kind : kinds) {
    names += names.empty() ? "[" : ", ";
    names += kind;
  }
  return names.empty() ? names : names + "] ";
}

void RunCel(const std::string& group, const Value& test, const Options& options,
            Reporter& reporter) {
  const Value* policy = test.Find("policy");
  const Value* expect = test.Find("expect");
  const Value* metadata = policy == nullptr ? nullptr : policy->Find("metadata");
  const Value* wanted = expect == nullptr ? nullptr : expect->Find("autogen");
  if (metadata == nullptr || wanted == nullptr) {
    reporter.Fail(group, "a case with policy and expect.autogen", "none");
    return;
  }
  const std::string name = group + "/" + std::string(metadata->StringAt("name"));
  if (!options.filter.empty() && name.find(options.filter) == std::string::npos) return;
  base::Arena arena;
  const Value ours = VariantsOf(arena, autogen::Generate(*policy, arena));
  const bool same = wanted->is_null() == ours.is_null() &&
                    doc::DataEqual(Normal(arena, *wanted, {}), Normal(arena, ours, {}));
  if (same) {
    reporter.Pass(name);
  } else {
    reporter.Fail(name, json::ToString(*wanted),
                  NameDifferences(*policy, *wanted, ours) + json::ToString(ours));
  }
}

bool RunFile(const fs::path& path, const Options& options, Reporter& reporter) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string bytes = text.str();
  base::Arena arena;
  const auto parsed = json::Parse(bytes, arena);
  const Value* cases = parsed.ok() ? parsed->Find("cases") : nullptr;
  if (cases == nullptr || !cases->is_list()) {
    std::fprintf(stderr, "%s: no list `cases`\n", path.c_str());
    return false;
  }
  const std::string group = path.stem().string();
  for (const Value& test : cases->as_list()) {
    const Value* policy = test.Find("policy");
    const std::string_view api = policy == nullptr ? "" : policy->StringAt("apiVersion");
    const bool cel = api.substr(0, api.find('/')) == "policies.kyverno.io";
    const std::string_view family = cel ? "cel" : "classic";
    if (!options.families.empty() && std::find(options.families.begin(), options.families.end(),
                                               family) == options.families.end()) {
      continue;
    }
    if (cel) {
      RunCel(group, test, options, reporter);
    } else {
      reporter.Fail(group, "rules of a policy of kyverno.io", "no such family");
    }
  }
  return true;
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  std::error_code error;
  std::vector<fs::path> files;
  if (fs::is_regular_file(options.dir, error)) {
    files.emplace_back(options.dir);
  } else {
    for (const auto& entry : fs::directory_iterator(options.dir, error)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    std::fprintf(stderr, "%s: no *.json\n", options.dir.c_str());
    return false;
  }
  std::sort(files.begin(), files.end());
  return std::all_of(files.begin(), files.end(),
                     [&](const fs::path& path) { return RunFile(path, options, reporter); });
}

}  // namespace portcullis::conformance
