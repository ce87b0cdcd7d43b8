// `cel eval` and `cel check`: one expression in a named environment.

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/suggest.h"
#include "cel/check/environments.h"
#include "cel/eval/program.h"
#include "cel/eval/value_json.h"
#include "cel/kyverno/environments.h"
#include "cli/commands.h"
#include "json/writer.h"
#include "report/results.h"
#include "yaml/reader.h"

namespace portcullis::cli {
namespace {

using doc::Value;

// The named environment, adapted to the flags and to the variables given: what it does not declare
// itself is dyn. Null with a message printed.
std::shared_ptr<const cel::Env> Environment(const Args& args, const Value& variables) {
  auto env = cel::EnvironmentByName(args.environment);
  if (env == nullptr) {
    std::fprintf(
        stderr,
        "error: unknown environment \"%s\": there are cel, k8s, k8s-admission, k8s-map, "
        "k8s-new-1.NN, kyverno-base, kyverno-matchimage and kyverno-vpol, -mpol, -gpol, -dpol, "
        "-ivpol, with an n before vpol and so on for a policy in a namespace\n",
        args.environment.c_str());
    return nullptr;
  }
  std::vector<std::string_view> undeclared;
  if (variables.is_map()) {
    for (const doc::MapEntry& entry : variables.as_map()) {
      const std::string_view name = entry.key.as_string();
      if (env->FindVariable(name) == nullptr) undeclared.push_back(name);
    }
  }
  if (args.container.empty() && !args.no_macros && undeclared.empty()) return env;
  auto own = std::make_shared<cel::Env>(env);
  own->options = env->options;
  own->options.container = args.container;
  for (const std::string_view name : undeclared) own->AddVariable(name, &cel::types::kDyn);
  if (args.no_macros) own->options.parser = cel::ParserOptions{.standard_macros = false};
  return own;
}

// The variables given, and what the libraries of the environment declare. Policies in a namespace
// live in `default`.
class Variables final : public cel::MapActivation {
 public:
  Variables(const Args& args, const Value& values, base::Arena& arena)
      : policy_namespace_(args.environment.starts_with("kyverno-n") ? "default" : ""),
        arena_(arena) {
    for (const doc::MapEntry& entry : values.as_map()) Bind(entry.key.as_string(), entry.value);
  }
  bool Resolve(std::string_view name, Value& out) override {
    return MapActivation::Resolve(name, out) ||
           cel::KyvernoVariable(name, policy_namespace_, arena_, out);
  }

 private:
  std::string_view policy_namespace_;
  base::Arena& arena_;
};

void PrintDocument(const Args& args, const Value& document) {
  std::string text;
  if (args.format == "json") {
    json::Write(document, &text);
    text += '\n';
  } else {
    for (const doc::MapEntry& entry : document.as_map()) {
      text += std::string(entry.key.as_string()) + ": ";
      text += entry.value.is_string() ? std::string(entry.value.as_string())
                                      : json::ToString(entry.value);
      text += '\n';
    }
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int PrintFailure(const Args& args, std::string_view member, std::string_view message) {
  base::Arena arena;
  const doc::MapEntry entries[] = {{Value::String(member), Value::String(message)}};
  PrintDocument(args, doc::MakeMap(arena, entries));
  return kExitFindings;
}

// Reads --vars; false with a message printed.
bool LoadVariables(const Args& args, base::Arena& arena, Value& variables) {
  if (args.vars_file.empty()) return true;
  std::ifstream stream(args.vars_file, std::ios::binary);
  if (!stream) {
    std::fprintf(stderr, "%s: error: cannot read the file: %s\n", args.vars_file.c_str(),
                 std::strerror(errno));
    return false;
  }
  // A folder opens, and its first read tells.
  if (stream.peek() == std::ifstream::traits_type::eof() && stream.bad()) {
    std::fprintf(stderr, "%s: error: cannot read the file: %s\n", args.vars_file.c_str(),
                 std::strerror(errno));
    return false;
  }
  std::stringstream buffer;
  buffer << stream.rdbuf();
  const std::string_view text = arena.CopyString(buffer.str());
  auto document = yaml::Parse(text, arena);
  if (!document.ok()) {
    base::Error error = document.TakeError();
    error.span.file = args.vars_file;
    std::fputs(
        report::DiagnosticText(report::FromError(error), UseColor(args, STDERR_FILENO)).c_str(),
        stderr);
    return false;
  }
  if (!document->is_map()) {
    std::fprintf(stderr, "%s: error: an object of variables is expected\n", args.vars_file.c_str());
    return false;
  }
  variables = *document;
  return true;
}

std::shared_ptr<const cel::Program> CompileOrReport(const Args& args,
                                                    std::shared_ptr<const cel::Env> env,
                                                    int& status) {
  cel::CompileFailure failure;
  auto program = cel::Compile(std::move(env), args.expression, failure);
  if (program == nullptr) {
    // A constant that cannot be folded belongs to compiling as far as a user is concerned.
    status = PrintFailure(args, "compileError", failure.message);
  }
  return program;
}

}  // namespace

int RunCelEval(const Args& args) {
  base::Arena arena;
  Value variables = Value::EmptyMap();
  if (!LoadVariables(args, arena, variables)) return kExitInput;
  auto env = Environment(args, variables);
  if (env == nullptr) return kExitInput;
  Variables activation(args, variables, arena);
  int status = kExitClean;
  const auto program = CompileOrReport(args, std::move(env), status);
  if (program == nullptr) return status;
  const cel::EvalResult result = cel::Evaluate(*program, activation, arena);
  if (result.value.is_error()) {
    return PrintFailure(args, "evalError", cel::ErrorMessage(result.value));
  }
  const doc::MapEntry entries[] = {
      {Value::String("value"), cel::ToExprValue(arena, result.value)},
      {Value::String("cost"), Value::Int(static_cast<std::int64_t>(result.cost))}};
  PrintDocument(args, doc::MakeMap(arena, entries));
  return kExitClean;
}

int RunCelCheck(const Args& args) {
  auto env = Environment(args, Value::EmptyMap());
  if (env == nullptr) return kExitInput;
  int status = kExitClean;
  const auto program = CompileOrReport(args, std::move(env), status);
  if (program == nullptr) return status;
  base::Arena arena;
  const std::string type = cel::CheckerName(program->result_type());
  const doc::MapEntry entries[] = {{Value::String("type"), Value::String(type)}};
  PrintDocument(args, doc::MakeMap(arena, entries));
  return kExitClean;
}

}  // namespace portcullis::cli
