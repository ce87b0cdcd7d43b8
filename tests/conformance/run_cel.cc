// Kind `cel`: expressions with their recorded value, type, cost or error text (cel-spec,
// cel-kubernetes, cel-kyverno; the formats are in the READMEs of those folders).

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/arena.h"
#include "cel/check/environments.h"
#include "cel/eval/program.h"
#include "cel/eval/value_json.h"
#include "cel/kyverno/environments.h"
#include "cel/kyverno/native_struct.h"
#include "cel_part_mock.h"
#include "cel_part_types.h"
#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"
#include "runner.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

std::string Text(const Value& value) { return json::ToString(value); }

struct Context {
  const Options& options;
  Reporter& reporter;
  std::size_t needs_proto = 0;
  cel::EvalHost* host = nullptr;  // of recorded files
};

// What one expression gave: the members of a recorded case.
struct Outcome {
  std::shared_ptr<const cel::Program> program;  // owns constants that `value` may point at
  std::string kind;                             // value, compileError, programError, evalError
  std::string text;
  Value value;  // JSON form
  std::string type;
  std::uint64_t cost = 0;
};

// Recorded namespaced policies live here (README of cel-kyverno).
constexpr std::string_view kPolicyNamespace = "shop";

class Bindings : public cel::Activation {
 public:
  Bindings(const Value* values, bool wrapped, base::Arena& arena) {
    if (values == nullptr || !values->is_map()) return;
    for (const doc::MapEntry& entry : values->as_map()) {
      Value bound = entry.value;
      if (wrapped) {
        const Value* inner = entry.value.Find("value");
        if (inner == nullptr || !cel::FromExprValue(arena, *inner, bound)) continue;
      }
      names_.emplace_back(entry.key.as_string());
      values_.push_back(bound);
    }
  }
  // The variables that Kyverno's libraries declare have values of their own.
  void BindLibraries(std::string_view policy_namespace, base::Arena& arena) {
    policy_namespace_ = policy_namespace;
    arena_ = &arena;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != "exceptions" || !values_[i].is_map()) continue;
      const Value* images = values_[i].Find("allowedImages");
      const Value* values = values_[i].Find("allowedValues");
      values_[i] = cel::MakeKyvernoException(arena, images != nullptr ? *images : Value::Null(),
                                             values != nullptr ? *values : Value::Null());
    }
  }
  bool Resolve(std::string_view name, Value& out) override {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) {
        out = values_[i];
        return true;
      }
    }
    return arena_ != nullptr && cel::KyvernoVariable(name, policy_namespace_, *arena_, out);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::vector<Value> values_;
  std::string_view policy_namespace_;
  base::Arena* arena_ = nullptr;
};

Outcome Run(const std::shared_ptr<const cel::Env>& env, std::string_view expr, bool check,
            bool evaluate, Bindings& bindings, base::Arena& arena, cel::EvalHost* host = nullptr) {
  Outcome outcome;
  cel::CompileFailure failure;
  cel::CompileOptions compile;
  compile.check = check;
  outcome.program = cel::Compile(env, expr, failure, compile);
  const cel::Program* program = outcome.program.get();
  if (program == nullptr) {
    outcome.kind =
        failure.stage == cel::CompileFailure::Stage::kPlan ? "programError" : "compileError";
    outcome.text = failure.message;
    return outcome;
  }
  if (check) outcome.type = cel::RuntimeName(program->result_type());
  if (!evaluate) {
    outcome.kind = "checked";
    return outcome;
  }
  const cel::EvalResult result = cel::Evaluate(*program, bindings, arena, {host});
  outcome.cost = result.cost;
  if (result.value.is_error()) {
    outcome.kind = "evalError";
    outcome.text = std::string(cel::ErrorMessage(result.value));
  } else {
    outcome.kind = "value";
    outcome.value = cel::ToExprValue(arena, result.value);
  }
  return outcome;
}

std::string Describe(const Outcome& outcome) {
  if (outcome.kind == "value") {
    return "value " + Text(outcome.value) + " type " + outcome.type + " cost " +
           std::to_string(outcome.cost);
  }
  return outcome.kind + " " + outcome.text + " cost " + std::to_string(outcome.cost);
}

// An opaque value recorded with the recorder's `go` type is compared by `type` alone.
bool SameValue(const Value& expected, const Value& actual) {
  const Value* opaque = expected.Find("opaqueValue");
  if (opaque != nullptr && opaque->Find("text") == nullptr) {
    const Value* other = actual.Find("opaqueValue");
    return other != nullptr && other->StringAt("type") == opaque->StringAt("type");
  }
  return doc::DataEqual(expected, actual);
}

// The recorded files of cel-kubernetes and cel-kyverno: everything is compared.
bool Matches(const Value& test, const Outcome& outcome, std::string& expected) {
  if (test.Find("panic") != nullptr) {
    expected = "any error (the real compiler panics)";
    return outcome.kind != "value";
  }
  for (const std::string_view kind : {"compileError", "programError"}) {
    if (const Value* text = test.Find(kind)) {
      expected = std::string(kind) + " " + std::string(text->as_string());
      return outcome.kind == kind && outcome.text == text->as_string();
    }
  }
  bool same = true;
  if (const Value* text = test.Find("evalErrorMessage")) {
    expected = "evalError " + std::string(text->as_string());
    same = outcome.kind == "evalError" && outcome.text == text->as_string();
  } else if (const Value* value = test.Find("value")) {
    expected = "value " + Text(*value);
    same = outcome.kind == "value" && SameValue(*value, outcome.value);
  } else if (test.Find("evalError") != nullptr) {
    expected = "evalError";
    same = outcome.kind == "evalError";
  }
  if (const Value* type = test.Find("type")) {
    expected += " type " + std::string(type->as_string());
    same = same && outcome.type == type->as_string();
  }
  const Value* cost = test.Find("cost");
  if (cost != nullptr && test.Find("costUnstable") == nullptr) {
    expected += " cost " + Text(*cost);
    same = same && cost->is_int() && static_cast<std::uint64_t>(cost->as_int()) == outcome.cost;
  }
  return same;
}

std::string CaseName(std::string_view file, const Value& test, std::string_view expr) {
  std::string name(file);
  if (!test.StringAt("section").empty()) name += "/" + std::string(test.StringAt("section"));
  if (!test.StringAt("name").empty()) name += "/" + std::string(test.StringAt("name"));
  return name + "  " + std::string(expr);
}

void RunRecorded(Context& context, const std::string& file, const Value& root,
                 std::string_view default_env) {
  const Value* tests = root.Find("tests");
  const Value* bindings = root.Find("bindings");
  for (const Value& test : tests->as_list()) {
    const std::string_view expr = test.StringAt("expr");
    const std::string name = CaseName(file, test, expr);
    if (!context.options.filter.empty() && name.find(context.options.filter) == std::string::npos) {
      continue;
    }
    const std::string_view env_name = test.StringAt("env", default_env);
    const auto env = cel::EnvironmentByName(env_name);
    if (env == nullptr) {
      context.reporter.Fail(name, "environment " + std::string(env_name), "not known");
      continue;
    }
    base::Arena arena;
    const Value* own = test.Find("bindings");
    Bindings bound(own != nullptr ? own : bindings, false, arena);
    if (env_name.starts_with("kyverno-")) {
      const bool namespaced = env_name.starts_with("kyverno-n");
      bound.BindLibraries(namespaced ? kPolicyNamespace : std::string_view(), arena);
    }
    const Outcome outcome = Run(env, expr, true, true, bound, arena, context.host);
    std::string expected;
    if (Matches(test, outcome, expected)) {
      context.reporter.Pass(name);
    } else {
      context.reporter.Fail(name, expected, Describe(outcome));
    }
  }
}

// typed_objects.json: every object with its own tests.
void RunObjects(Context& context, const std::string& file, const Value& root,
                std::string_view env_name) {
  const auto env = cel::EnvironmentByName(env_name);
  for (const Value& object : root.Find("objects")->as_list()) {
    base::Arena arena;
    const Value* seen = object.Find("asSeenByCEL");
    const doc::MapEntry entries[] = {{Value::String("object"), seen != nullptr ? *seen : Value()}};
    const Value bindings = doc::MakeMap(arena, entries);
    std::size_t place = 0;
    for (const Value& test : object.Find("tests")->as_list()) {
      const std::string_view expr = test.StringAt("expr");
      const std::string name = file + "/" + std::string(object.StringAt("kind")) + "/" +
                               std::to_string(place++) + "  " + std::string(expr);
      if (!context.options.filter.empty() &&
          name.find(context.options.filter) == std::string::npos) {
        continue;
      }
      Bindings bound(&bindings, false, arena);
      const Outcome outcome = Run(env, expr, true, true, bound, arena);
      std::string expected;
      if (Matches(test, outcome, expected)) {
        context.reporter.Pass(name);
      } else {
        context.reporter.Fail(name, expected, Describe(outcome));
      }
    }
  }
}

// The conformance suite of the CEL specification. Nine cases in which the reference
// implementation contradicts the text are accepted either way (spec/cel.md 19).
bool SpecMatches(const Value& test, const Outcome& outcome, std::string& expected) {
  if (test.Find("checkOnly") == nullptr) {
    if (test.Find("evalError") != nullptr) {
      expected = "any error";
      if (outcome.kind != "value" && outcome.kind != "checked") return true;
      return false;
    }
    if (const Value* value = test.Find("value")) {
      expected = Text(*value);
      return outcome.kind == "value" && SpecValueEqual(*value, outcome.value);
    }
  }
  if (const Value* typed = test.Find("typedResult")) {
    const Value* type = typed->Find("deducedType");
    if (type == nullptr) type = typed->Find("deduced_type");
    expected = type != nullptr ? "type " + SpecTypeName(*type) : "";
    if (const Value* result = typed->Find("result")) {
      expected += " value " + Text(*result);
      if (outcome.kind != "value" || !SpecValueEqual(*result, outcome.value)) return false;
    }
    return type == nullptr || outcome.type == SpecTypeName(*type);
  }
  expected = "true";
  return outcome.kind == "value" && outcome.value.Find("boolValue") != nullptr &&
         outcome.value.Find("boolValue")->as_bool();
}

void RunSpec(Context& context, const std::string& file, const Value& root) {
  for (const Value& test : root.Find("tests")->as_list()) {
    const std::string_view expr = test.StringAt("expr");
    const std::string name = CaseName(file, test, expr);
    if (!context.options.filter.empty() && name.find(context.options.filter) == std::string::npos) {
      continue;
    }
    if (const Value* proto = test.Find("needsProto"); proto != nullptr && proto->as_bool()) {
      ++context.needs_proto;
      continue;
    }
    const Value* no_macros = test.Find("disableMacros");
    const auto env = SpecEnvironment(test.Find("typeEnv"), test.StringAt("container"),
                                     no_macros != nullptr && no_macros->as_bool());
    base::Arena arena;
    Bindings bound(test.Find("bindings"), true, arena);
    const bool check = test.Find("disableCheck") == nullptr;
    const Outcome outcome = Run(env, expr, check, test.Find("checkOnly") == nullptr, bound, arena);
    std::string expected;
    if (SpecMatches(test, outcome, expected)) {
      context.reporter.Pass(name);
    } else {
      context.reporter.Fail(name, expected, Describe(outcome));
    }
  }
}

bool RunFile(Context& context, const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream buffer;
  buffer << stream.rdbuf();
  const std::string text = buffer.str();
  base::Arena arena;
  auto root = json::Parse(text, arena);
  if (!root.ok()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), root.error().message.c_str());
    return false;
  }
  const std::string file = path.stem().string();
  const std::string_view env = root->StringAt("env");
  if (const Value* objects = root->Find("objects"); objects != nullptr && objects->is_list()) {
    RunObjects(context, file, *root, env);
    return true;
  }
  const Value* tests = root->Find("tests");
  if (tests == nullptr || !tests->is_list()) return true;
  const bool recorded =
      !env.empty() || std::any_of(tests->as_list().begin(), tests->as_list().end(),
                                  [](const Value& t) { return t.Find("env") != nullptr; });
  if (recorded) {
    RunRecorded(context, file, *root, env);
  } else {
    RunSpec(context, file, *root);
  }
  return true;
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  const std::filesystem::path dir(options.dir);
  const MockContext mock(
      ((std::filesystem::is_directory(dir) ? dir : dir.parent_path()) / "mock-context.json")
          .string());
  MockHost host(mock);
  Context context{options, reporter, 0, &host};
  std::vector<std::filesystem::path> files;
  std::error_code error;
  if (std::filesystem::is_regular_file(options.dir, error)) {
    files.emplace_back(options.dir);
  } else {
    for (const auto& entry : std::filesystem::directory_iterator(options.dir, error)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    std::fprintf(stderr, "%s: no JSON files\n", options.dir.c_str());
    return false;
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    if (!RunFile(context, file)) return false;
  }
  if (context.needs_proto != 0) reporter.Note(std::to_string(context.needs_proto) + " needsProto");
  return true;
}

}  // namespace portcullis::conformance
