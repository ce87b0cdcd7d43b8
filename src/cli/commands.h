#ifndef PORTCULLIS_CLI_COMMANDS_H_
#define PORTCULLIS_CLI_COMMANDS_H_

// The commands. Each takes the parsed command line, writes results to standard output and
// diagnostics to standard error, and returns the exit status of design section 3.

#include "cli/args.h"

namespace portcullis::cli {

inline constexpr int kExitClean = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitInput = 2;
inline constexpr int kExitNothing = 3;

int RunApply(const Args& args);
int RunTest(const Args& args);
int RunCheck(const Args& args);
int RunExplain(const Args& args);
int RunAutogen(const Args& args);
int RunCelEval(const Args& args);
int RunCelCheck(const Args& args);
int RunVersion(const Args& args);

// Colours on standard output (or standard error): asked for, or a terminal without NO_COLOR.
bool UseColor(const Args& args, int descriptor);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_COMMANDS_H_
