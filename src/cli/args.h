#ifndef PORTCULLIS_CLI_ARGS_H_
#define PORTCULLIS_CLI_ARGS_H_

// The command line as plain values. CLI11 appears in args.cc only.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace portcullis::cli {

enum class Command : std::uint8_t {
  kDone,  // help or an error was printed: leave with `status`
  kApply,
  kTest,
  kCelEval,
  kCelCheck,
  kCheck,
  kExplain,
  kAutogen,
  kVersion,
  kCompletion,
};

enum class ColorMode : std::uint8_t { kAuto, kAlways, kNever };

struct Args {
  Command command = Command::kDone;
  int status = 0;

  // apply, check, explain
  std::vector<std::string> policies;
  std::vector<std::string> exceptions;  // files with PolicyExceptions
  std::vector<std::string> payloads;    // --json: documents of any form
  std::vector<std::string> http_payloads;
  std::vector<std::string> envoy_payloads;
  std::vector<std::string> resources;
  std::vector<std::string> params;
  std::vector<std::string> crds;
  std::vector<std::string> namespaces;
  std::vector<std::string> context_files;
  std::vector<std::string> targets;  // existing objects for policies that change such
  std::string userinfo;
  std::string values_file;
  std::vector<std::string> set_values;  // KEY=VALUE
  std::string authorizer;  // allow, deny, no-opinion; empty: RBAC objects, else no opinion
  std::string operation = "CREATE";
  std::string old_file;
  bool defaulting = true;
  bool strict = false;
  bool allow_empty = false;
  bool audit_warn = false;
  bool show_passes = false;
  bool detailed_results = false;
  int warn_exit_code = 0;
  bool warn_no_pass = false;
  bool report_as_json = false;  // -o report: JSON instead of YAML
  bool quiet_headings = false;  // Kyverno's -i: mutated objects alone, to be piped
  std::string now;              // RFC 3339; empty: the time of the machine
  std::string format = "text";  // report::FormatNames
  std::string output_path;      // Kyverno's -o PATH: file or folder for mutated objects
  ColorMode color = ColorMode::kAuto;

  // test
  std::vector<std::string> test_paths;
  std::string test_file_name = "kyverno-test.yaml";
  std::string test_case_selector = "policy=*,rule=*,resource=*";
  bool fail_only = false;
  bool require_tests = false;
  bool registry = false;

  // cel
  std::string expression;
  std::string environment = "k8s";
  std::string vars_file;
  std::string container;
  bool no_macros = false;

  // autogen
  std::string target = "controllers";  // or native

  // completion
  std::string shell;
};

// Never returns an unfinished command: on a usage error it prints to standard error and gives
// kDone with status 2.
Args ParseArgs(int argc, char** argv);

// The time that policies see and reports carry, in nanoseconds since 1970: --now, else the clock of
// the machine.
std::int64_t RunTime(const Args& args);

// The shell completion script for bash, zsh or fish, from the same command table.
std::string CompletionScript(const std::string& shell);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_ARGS_H_
