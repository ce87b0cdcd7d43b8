#include "cli/main.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/args.h"
#include "cli/commands.h"

namespace portcullis::cli {

bool UseColor(const Args& args, int descriptor) {
  switch (args.color) {
    case ColorMode::kAlways:
      return true;
    case ColorMode::kNever:
      return false;
    case ColorMode::kAuto:
      break;
  }
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  return isatty(descriptor) == 1;
}

int RunVersion(const Args& args) {
  if (args.format == "json") {
    std::puts("{\"version\": \"" PORTCULLIS_VERSION "\", \"kubernetes\": \"1.37\"}");
  } else if (args.format == "yaml") {
    std::puts("version: " PORTCULLIS_VERSION "\nkubernetes: \"1.37\"");
  } else {
    std::puts("portcullis " PORTCULLIS_VERSION " (Kubernetes 1.37)");
  }
  return kExitClean;
}

int Main(int argc, char** argv) {
  const Args args = ParseArgs(argc, argv);
  int status = args.status;
  switch (args.command) {
    case Command::kDone:
      break;
    case Command::kApply:
      status = RunApply(args);
      break;
    case Command::kTest:
      status = RunTest(args);
      break;
    case Command::kCelEval:
      status = RunCelEval(args);
      break;
    case Command::kCelCheck:
      status = RunCelCheck(args);
      break;
    case Command::kAutogen:
      status = RunAutogen(args);
      break;
    case Command::kCheck:
      status = RunCheck(args);
      break;
    case Command::kExplain:
      status = RunExplain(args);
      break;
    case Command::kVersion:
      status = RunVersion(args);
      break;
    case Command::kCompletion:
      std::fputs(CompletionScript(args.shell).c_str(), stdout);
      break;
  }
  // A reader that went away (`| head`) or a full disk must not look like success.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fputs("error: writing to standard output failed\n", stderr);
    if (status == kExitClean) status = kExitInput;
  }
  return status;
}

}  // namespace portcullis::cli
