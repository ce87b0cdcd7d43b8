#include "cli/args.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

#include "base/suggest.h"
#include "base/time.h"
#include "report/results.h"

namespace portcullis::cli {
namespace {

constexpr const char* kDescription =
    "Kubernetes admission policies, evaluated offline with the answers of the API server.";

std::string Joined(const std::vector<std::string>& words, std::string_view separator = " ") {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += separator;
    out += word;
  }
  return out;
}

// Options of Kyverno that ask for something outside of this machine, or for other policies.
struct Outside {
  const char* names;
  bool takes_word;
  const char* why;
};

constexpr const char* kCluster = "needs a cluster, which this version does not talk to";
constexpr const char* kRegistry = "needs a registry, which this version does not talk to";
constexpr const char* kGit = "needs a git server, which this version does not talk to";
constexpr const char* kClassic =
    "makes exceptions for rules of ClusterPolicy and Policy, which this version does not evaluate";

constexpr Outside kOutside[] = {
    {"-c,--cluster", false, kCluster},
    {"--kubeconfig", true, kCluster},
    {"--context", true, kCluster},
    {"-n,--namespace", true, kCluster},
    {"--cluster-wide-resources", false, kCluster},
    {"--registry", false, kRegistry},
    {"-b,--git-branch", true, kGit},
    {"--username", true, kGit},
    {"--password", true, kGit},
    {"--generate-exceptions", false, kClassic},
    {"--generated-exception-ttl", true, kClassic},
};

struct Parsed {
  Args args;
  std::string color = "auto";
  std::string defaulting = "on";
  std::string output;
  std::string report_format = "yaml";
  bool table = false;
  bool policy_report = false;
  bool ignored_flag = false;
  std::string ignored_word;
  bool remove_color = false;
  bool outside[std::size(kOutside)] = {};
  std::string outside_word[std::size(kOutside)];
};

// `-r=FILE` and `-t=true`, which Go's flags allow, as CLI11 reads them.
std::string ShortOption(std::string_view word) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-' || word[2] != '=') {
    return std::string(word);
  }
  if (std::string_view("befrsunocipt").find(word[1]) == std::string_view::npos) {
    return std::string(word);
  }
  const std::string_view value = word.substr(3);
  std::string out(word.substr(0, 2));
  const bool is_switch = std::string_view("cipt").find(word[1]) != std::string_view::npos;
  if (!is_switch) return out.append(value);
  return value == "false" ? std::string() : out;
}

// Without Kyverno's `-v`, `-v 4`, `--v=4`: the level of a log that is not kept here.
std::vector<std::string> Words(int argc, char** argv) {
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  std::vector<std::string> out;
  for (int i = 1, plain_from = argc; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") plain_from = i;
    if (i >= plain_from) {
      out.emplace_back(word);
      continue;
    }
    const std::string_view name = word.substr(0, word.find('='));
    if (name != "-v" && name != "--v") {
      std::string plain = ShortOption(word);
      if (!plain.empty() || word.empty()) out.push_back(std::move(plain));
    } else if (name == word && i + 1 < argc && is_number(argv[i + 1])) {
      ++i;
    }
  }
  std::reverse(out.begin(), out.end());  // as CLI11 wants them
  return out;
}

void AddOutput(CLI::App* app, Parsed& parsed, const char* formats = "text, json or yaml") {
  app->add_option("-o,--output", parsed.output, formats);
  app->add_option("--color", parsed.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app->add_flag("--remove-color", parsed.remove_color, "same as --color=never");
}

void AddEvaluation(CLI::App* app, Parsed& parsed) {
  Args& args = parsed.args;
  app->add_option("-r,--resource,--resources", args.resources,
                  "manifests: files, folders, globs, - for standard input")
      ->delimiter(',');
  app->add_option("--parameter-resource,--params", args.params, "objects that paramRef may find")
      ->delimiter(',');
  app->add_option("--target-resource,--target-resources", args.targets,
                  "existing objects that mutating policies may change beside the resource")
      ->delimiter(',');
  app->add_option("--crd,--crd-path,--crd-paths", args.crds, "CustomResourceDefinitions")
      ->delimiter(',');
  app->add_option("-e,--exception,--exceptions", args.exceptions,
                  "files and folders with PolicyExceptions")
      ->delimiter(',');
  app->add_flag(
      "--exceptions-within-policies,--exceptions-within-resources,"
      "--exceptions-with-resources",
      parsed.ignored_flag,
      "accepted for Kyverno's sake: PolicyExceptions among the inputs always count");
  app->add_option("--namespaces", args.namespaces,
                  "Namespace objects for look-ups only (those among the resources count too)")
      ->delimiter(',');
  app->add_option("--context-file", args.context_files,
                  "what Kyverno policies may look up: Context and ClusterResource files (the "
                  "resources are found too)")
      ->delimiter(',');
  app->add_option("-f,--values-file", args.values_file,
                  "Values file: namespaces, subresources, request.operation");
  app->add_option("-s,--set", args.set_values, "values as KEY=VALUE")->delimiter(',');
  app->add_option("-u,--userinfo", args.userinfo, "UserInfo file: who makes the requests");
  app->add_option("--authorizer", args.authorizer,
                  "answer of every authorizer check: allow, deny or no-opinion "
                  "(default: the RBAC objects among the inputs)")
      ->check(CLI::IsMember({"allow", "deny", "no-opinion"}));
  app->add_option("--now", args.now, "the time that policies see, as 2026-01-31T12:00:00Z");
  app->add_option("--operation", args.operation, "CREATE, UPDATE, DELETE or CONNECT")
      ->check(CLI::IsMember({"CREATE", "UPDATE", "DELETE", "CONNECT"}));
  app->add_option("--old", args.old_file, "old objects of an UPDATE, paired by kind and name");
  app->add_option("--defaulting", parsed.defaulting,
                  "complete resources with the API server's defaults: on or off")
      ->check(CLI::IsMember({"on", "off"}));
}

// They are known, so that scripts written for Kyverno are told what is missing.
void AddOutside(CLI::App* app, Parsed& parsed) {
  for (std::size_t i = 0; i < std::size(kOutside); ++i) {
    const Outside& option = kOutside[i];
    const std::string text = std::string("refused: ") + option.why;
    if (option.takes_word) {
      app->add_option(option.names, parsed.outside_word[i], text);
    } else {
      app->add_flag(option.names, parsed.outside[i], text);
    }
  }
}

// Why the command line asks for too much; empty if it does not.
std::string OutsideProblem(const Parsed& parsed) {
  for (std::size_t i = 0; i < std::size(kOutside); ++i) {
    if (!parsed.outside[i] && parsed.outside_word[i].empty()) continue;
    const std::string names = kOutside[i].names;
    return names.substr(names.find("--")) + " " + kOutside[i].why;
  }
  return {};
}

void AddApply(CLI::App& root, Parsed& parsed) {
  Args& args = parsed.args;
  CLI::App* app = root.add_subcommand("apply", "Evaluate policies on resources");
  app->add_option("policies", args.policies, "policies and bindings: files, folders, globs, -");
  AddEvaluation(app, parsed);
  AddOutput(app, parsed,
            "text, table, json, yaml, report, sarif, junit, github or markdown; any other word is "
            "the file or folder for mutated and generated objects");
  app->add_option("--json", args.payloads,
                  "JSON or YAML documents of any form, for policies of evaluation mode JSON")
      ->delimiter(',');
  app->add_option("--http-payload", args.http_payloads,
                  "requests for policies of the evaluation mode HTTP")
      ->delimiter(',');
  app->add_option("--envoy-payload", args.envoy_payloads,
                  "requests for policies of the evaluation mode Envoy")
      ->delimiter(',');
  app->add_flag("-t,--table", parsed.table, "same as -o table");
  app->add_flag("-p,--policy-report", parsed.policy_report, "same as -o report");
  app->add_option("--output-format", parsed.report_format, "of the report: yaml or json")
      ->check(CLI::IsMember({"yaml", "json"}));
  app->add_flag("--detailed-results", args.detailed_results, "messages in the table");
  app->add_flag("--show-passes", args.show_passes, "list passing results too");
  app->add_flag("--strict", args.strict, "a policy or kind that matched nothing is exit 3");
  app->add_flag("--allow-empty", args.allow_empty, "nothing to evaluate is no error");
  app->add_flag("--audit-warn", args.audit_warn,
                "failures of policies bound with Warn or Audit only count as warnings");
  app->add_option("--warn-exit-code", args.warn_exit_code,
                  "exit status when there are warnings but no failures");
  app->add_flag("--warn-no-pass", args.warn_no_pass,
                "exit with the status for warnings when nothing passed");
  AddOutside(app, parsed);
  app->add_flag("-i,--stdin", args.quiet_headings, "print mutated and generated objects only");
  app->add_flag("--continue-on-fail,--continue-on-error,--show-performance", parsed.ignored_flag,
                "accepted for Kyverno's sake: evaluation always goes on");
  app->add_option("--concurrent,--batch-size", parsed.ignored_word,
                  "accepted for Kyverno's sake: they concern listings of a cluster")
      ->take_last();
  app->callback([&args] { args.command = Command::kApply; });
}

void AddTest(CLI::App& root, Parsed& parsed) {
  Args& args = parsed.args;
  CLI::App* app = root.add_subcommand("test", "Run test files");
  app->add_option("dirs", args.test_paths, "folders or test files; default: the current folder");
  app->add_option("-f,--file-name", args.test_file_name, "name of the test files");
  app->add_option("-t,--test-case-selector", args.test_case_selector,
                  "which results count: policy=GLOB,rule=GLOB,resource=GLOB");
  app->add_option("-o,--output-format,--output", parsed.output,
                  "table, json, yaml, markdown or junit");
  app->add_flag("--fail-only", args.fail_only, "show failed rows only");
  app->add_flag("--detailed-results", args.detailed_results, "messages in the table");
  app->add_flag("--require-tests", args.require_tests, "no test file is an error");
  app->add_flag("--strict", args.strict, "rows that compare nothing fail");
  app->add_flag("--allow-empty", args.allow_empty, "nothing to test is no error");
  app->add_flag("--registry", args.registry, "accepted; registries are not asked");
  app->add_option("--now", args.now, "the time that policies see, as 2026-01-31T12:00:00Z");
  app->add_option("--color", parsed.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app->add_flag("--remove-color", parsed.remove_color, "same as --color=never");
  app->callback([&args] { args.command = Command::kTest; });
}

void AddCel(CLI::App& root, Parsed& parsed) {
  Args& args = parsed.args;
  CLI::App* cel = root.add_subcommand("cel", "Evaluate or check one CEL expression");
  cel->require_subcommand(1);
  for (const bool eval : {true, false}) {
    CLI::App* app = cel->add_subcommand(
        eval ? "eval" : "check", eval ? "Evaluate an expression" : "Type-check an expression");
    app->add_option("expression", args.expression, "the expression")->required();
    app->add_option(
        "--env", args.environment,
        "cel, k8s, k8s-admission, k8s-map, k8s-new-1.NN, kyverno-vpol, -mpol, -gpol, ...");
    if (eval)
      app->add_option("--vars", args.vars_file, "JSON or YAML file: an object of variables");
    app->add_option("--container", args.container, "namespace for name resolution");
    app->add_flag("--no-macros", args.no_macros, "parse without macros");
    AddOutput(app, parsed);
    app->callback([&args, eval] { args.command = eval ? Command::kCelEval : Command::kCelCheck; });
  }
}

void AddOthers(CLI::App& root, Parsed& parsed) {
  Args& args = parsed.args;
  CLI::App* check = root.add_subcommand("check", "Check policies without evaluating them");
  check->add_option("policies", args.policies, "files, folders, globs, -")->required();
  check->add_option("--crd,--crd-path,--crd-paths", args.crds, "CustomResourceDefinitions")
      ->delimiter(',');
  check->add_flag("--strict", args.strict, "warnings count as errors");
  AddOutput(check, parsed);
  check->callback([&args] { args.command = Command::kCheck; });

  CLI::App* explain =
      root.add_subcommand("explain", "Show the value of every part of a decision's expressions");
  explain->add_option("policies", args.policies, "files, folders, globs, -")->required();
  AddEvaluation(explain, parsed);
  AddOutput(explain, parsed);
  explain->callback([&args] { args.command = Command::kExplain; });

  CLI::App* autogen = root.add_subcommand(
      "autogen", "Show the rules for Pod controllers that Kyverno CEL policies imply");
  autogen->add_option("policies", args.policies, "files, folders, globs, -")->required();
  autogen
      ->add_option("--target", args.target,
                   "controllers, or native: the policies as native admission policies")
      ->check(CLI::IsMember({"controllers", "native"}));
  AddOutput(autogen, parsed);
  autogen->callback([&args] { args.command = Command::kAutogen; });

  CLI::App* version = root.add_subcommand("version", "Print the version");
  AddOutput(version, parsed);
  version->callback([&args] { args.command = Command::kVersion; });

  CLI::App* completion = root.add_subcommand("completion", "Print a shell completion script");
  completion->add_option("shell", args.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback([&args] { args.command = Command::kCompletion; });
}

std::unique_ptr<CLI::App> MakeApp(Parsed& parsed) {
  auto app = std::make_unique<CLI::App>(kDescription, "portcullis");
  app->set_version_flag("--version", std::string("portcullis ") + PORTCULLIS_VERSION);
  app->require_subcommand(0, 1);
  app->get_formatter()->column_width(34);
  AddApply(*app, parsed);
  AddTest(*app, parsed);
  AddCel(*app, parsed);
  AddOthers(*app, parsed);
  return app;
}

// The formats of a command's results.
std::vector<std::string> FormatsOf(Command command) {
  if (command == Command::kTest) return {"table", "text", "json", "yaml", "markdown", "junit"};
  if (command != Command::kApply) return {"text", "json", "yaml"};
  return {report::FormatNames().begin(), report::FormatNames().end()};
}

// Why a word behind -o is neither a format nor a path; empty if it is a path.
std::string OutputProblem(Command command, const std::string& word) {
  const std::vector<std::string> formats = FormatsOf(command);
  const bool is_path = word.find('/') != std::string::npos || word.find('.') != std::string::npos;
  const std::string_view near = base::ClosestName(word, formats);
  if (!is_path && !near.empty()) {
    return "unknown output format \"" + word + "\": did you mean " + std::string(near) +
           "? (for a folder of that name write ./" + word + ")";
  }
  if (command == Command::kApply) return {};
  return "unknown output format \"" + word + "\": there are " + Joined(formats, ", ");
}

// Nanoseconds since 1970; nothing for other texts and for times beyond the years 1678 to 2262.
std::optional<std::int64_t> ParseNow(const std::string& text) {
  const auto instant = base::ParseRfc3339(text, base::TimeRules::kStrict);
  if (!instant) return std::nullopt;
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max() / kSecond - 1;
  if (instant->seconds > kMax || instant->seconds < -kMax) return std::nullopt;
  return instant->seconds * kSecond + instant->nanos;
}

// False when the options contradict each other (a message is printed).
bool Finish(Parsed& parsed) {
  Args& args = parsed.args;
  args.defaulting = parsed.defaulting == "on";
  args.color = parsed.color == "always"                         ? ColorMode::kAlways
               : parsed.color == "never" || parsed.remove_color ? ColorMode::kNever
                                                                : ColorMode::kAuto;
  if (const std::string problem = OutsideProblem(parsed); !problem.empty()) {
    std::fprintf(stderr, "error: %s\n", problem.c_str());
    return false;
  }
  if (parsed.table) args.format = "table";
  if (parsed.policy_report) args.format = "report";
  if (!args.now.empty() && !ParseNow(args.now)) {
    std::fprintf(stderr, "error: --now: \"%s\" is no time like 2026-01-31T12:00:00Z\n",
                 args.now.c_str());
    return false;
  }
  args.report_as_json = parsed.report_format == "json";
  if (parsed.output.empty()) return true;
  const std::vector<std::string> formats = FormatsOf(args.command);
  if (std::find(formats.begin(), formats.end(), parsed.output) != formats.end()) {
    args.format = parsed.output;
    return true;
  }
  const std::string problem = OutputProblem(args.command, parsed.output);
  if (problem.empty()) {
    args.output_path = parsed.output;
    return true;
  }
  std::fprintf(stderr, "error: %s\n", problem.c_str());
  return false;
}

// Options of an app without the leading dashes' variants, for completion.
std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

Args ParseArgs(int argc, char** argv) {
  Parsed parsed;
  const std::unique_ptr<CLI::App> app = MakeApp(parsed);
  try {
    app->parse(Words(argc, argv));
  } catch (const CLI::Success& success) {
    app->exit(success);  // help or version
    parsed.args.command = Command::kDone;
    return parsed.args;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "error: %s\nRun `portcullis --help` for the commands and options.\n",
                 error.what());
    parsed.args.command = Command::kDone;
    parsed.args.status = 2;
    return parsed.args;
  }
  if (app->get_subcommands().empty()) {
    std::fputs(app->help().c_str(), stdout);
    return parsed.args;
  }
  if (!Finish(parsed)) {
    parsed.args.command = Command::kDone;
    parsed.args.status = 2;
  }
  return parsed.args;
}

std::int64_t RunTime(const Args& args) {
  if (const auto given = ParseNow(args.now)) return *given;
  using std::chrono::duration_cast;
  using std::chrono::nanoseconds;
  return duration_cast<nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string CompletionScript(const std::string& shell) {
  Parsed parsed;
  const std::unique_ptr<CLI::App> app = MakeApp(parsed);
  std::vector<std::string> commands;
  std::string cases;
  std::string fish;
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
    std::vector<std::string> words = OptionNames(*command);
    for (const CLI::App* inner : command->get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(inner->get_name());
      for (const std::string& name : OptionNames(*inner)) words.push_back(name);
    }
    cases += "    " + command->get_name() + ") words=\"" + Joined(words) + "\" ;;\n";
    fish += "complete -c portcullis -n '__fish_use_subcommand' -a " + command->get_name() +
            " -d '" + command->get_description() + "'\n";
    for (const std::string& word : words) {
      const bool option = word.starts_with("--");
      fish += "complete -c portcullis -n '__fish_seen_subcommand_from " + command->get_name() +
              "' " + (option ? "-l " + word.substr(2) : "-a " + word) + "\n";
    }
  }
  if (shell == "fish") return fish;
  const std::string function =
      "_portcullis() {\n"
      "  local words current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"" +
      Joined(commands) +
      "\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${COMP_WORDS[1]}\" in\n" +
      cases +
      "  esac\n"
      "  COMPREPLY=($(compgen -f -W \"$words\" -- \"$current\"))\n"
      "}\n"
      "complete -o filenames -F _portcullis portcullis\n";
  if (shell == "zsh") return "autoload -U +X bashcompinit && bashcompinit\n" + function;
  return function;
}

}  // namespace portcullis::cli
