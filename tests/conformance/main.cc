// Entry point of every conformance_<kind> executable: DIR [--families a,b] [--filter TEXT]
// [--binary FILE] [--suites DIR] [--messages].

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runner.h"

int main(int argc, char** argv) {
  portcullis::conformance::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const bool has_value = i + 1 < argc;
    if (arg == "--families" && has_value) {
      std::string_view rest = argv[++i];
      while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        options.families.emplace_back(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
      }
    } else if (arg == "--filter" && has_value) {
      options.filter = argv[++i];
    } else if (arg == "--suites" && has_value) {
      options.suites = argv[++i];
    } else if (arg == "--messages") {
      options.show_messages = true;
    } else if (arg == "--binary" && has_value) {
      options.binary = argv[++i];
    } else if (options.dir.empty() && !arg.starts_with("--")) {
      options.dir = arg;
    } else {
      std::fprintf(stderr,
                   "usage: %s DIR [--families a,b] [--filter TEXT] [--binary FILE] "
                   "[--suites DIR] [--messages]\n",
                   argv[0]);
      return 2;
    }
  }
  if (options.dir.empty()) {
    std::fprintf(stderr,
                 "usage: %s DIR [--families a,b] [--filter TEXT] [--binary FILE] "
                 "[--suites DIR] [--messages]\n",
                 argv[0]);
    return 2;
  }
  const char* corpus = std::getenv("PORTCULLIS_CORPUS");
  const std::string spec =
      std::string(corpus != nullptr ? corpus : "../shared/corpus") + "/../spec";
  portcullis::conformance::Reporter reporter;
  if (!reporter.differences().Load("tests/differences.yaml", PORTCULLIS_KIND, spec)) return 2;
  if (!portcullis::conformance::Run(options, reporter)) return 2;
  return reporter.Finish(options);
}
