#ifndef PORTCULLIS_CLI_MAIN_H_
#define PORTCULLIS_CLI_MAIN_H_

namespace portcullis::cli {

// The whole program: parses the command line, runs the command, returns the exit status of
// design section 3 (0 clean, 1 findings, 2 usage or unloadable input, 3 nothing evaluated).
int Main(int argc, char** argv);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_MAIN_H_
