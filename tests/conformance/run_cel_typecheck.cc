// Kind `cel_typecheck`: the warnings of the type check of ValidatingAdmissionPolicies. Files of
// {tests: [{name, kinds, expr, messageExpression?, variables?, paramKind?, warnings}]}; a kind is
// the preferred version of its name, an unknown one has no schema.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/arena.h"
#include "json/reader.h"
#include "policy/vap/type_check.h"
#include "runner.h"
#include "schema/type_table.h"

namespace portcullis::conformance {

namespace {

namespace fs = std::filesystem;
using doc::Value;

// The recorder wrote this for the number that a server appends to type names.
constexpr std::string_view kTypeSuffix = "#";

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <typename F>
void ForEachItem(const Value& parent, std::string_view name, F&& visit) {
  const Value* list = parent.Find(name);
  if (list == nullptr || !list->is_list()) return;
  for (const Value& item : list->as_list()) visit(item);
}

std::string Expected(const Value& test) {
  std::string out;
  ForEachItem(test, "warnings", [&](const Value& warning) {
    out.append(warning.StringAt("fieldRef")).append(": ");
    out.append(warning.StringAt("warning")).append("\n");
  });
  return out;
}

std::string Actual(const Value& test) {
  const schema::TypeTable& table = schema::TypeTable::Builtin();
  policy::TypeCheckInput input;
  input.type_suffix = kTypeSuffix;
  ForEachItem(test, "kinds", [&](const Value& kind) {
    input.kinds.push_back(table.FindByName(kind.as_string()));
  });
  input.expressions.push_back({"spec.validations[0].expression", test.StringAt("expr")});
  if (const std::string_view message = test.StringAt("messageExpression"); !message.empty()) {
    input.expressions.push_back({"spec.validations[0].messageExpression", message});
  }
  ForEachItem(test, "variables", [&](const Value& variable) {
    input.variables.push_back({variable.StringAt("name"), variable.StringAt("expression")});
  });
  if (const Value* param = test.Find("paramKind"); param != nullptr) {
    input.has_params = true;
    input.param_kind = table.FindKind(param->StringAt("apiVersion"), param->StringAt("kind"));
  }
  std::string out;
  for (const policy::TypeCheckWarning& warning : policy::TypeCheck(input)) {
    out.append(warning.field_ref).append(": ").append(warning.warning).append("\n");
  }
  return out;
}

bool RunFile(const fs::path& path, const Options& options, Reporter& reporter) {
  base::Arena arena;
  const std::string text = ReadAll(path);
  const auto parsed = json::Parse(text, arena);
  if (!parsed.ok()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), parsed.error().message.c_str());
    return false;
  }
  ForEachItem(*parsed, "tests", [&](const Value& test) {
    const std::string name = path.stem().string() + "/" + std::string(test.StringAt("name")) + " " +
                             std::string(test.StringAt("expr"));
    if (!options.filter.empty() && name.find(options.filter) == std::string::npos) return;
    const std::string expected = Expected(test);
    const std::string actual = Actual(test);
    if (expected == actual) {
      reporter.Pass(name);
    } else {
      reporter.Fail(name, expected, actual);
    }
  });
  return true;
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  std::error_code error;
  std::vector<fs::path> files;
  if (fs::is_regular_file(options.dir, error)) {
    files.emplace_back(options.dir);
  } else {
    for (fs::directory_iterator it(options.dir, error), end; it != end && !error;
         it.increment(error)) {
      if (it->path().extension() == ".json") files.push_back(it->path());
    }
  }
  std::sort(files.begin(), files.end());
  bool ok = !files.empty();
  if (files.empty()) std::fprintf(stderr, "%s: no *.json\n", options.dir.c_str());
  for (const fs::path& file : files) ok = RunFile(file, options, reporter) && ok;
  return ok;
}

}  // namespace portcullis::conformance
