#ifndef PORTCULLIS_TESTS_CONFORMANCE_PROCESS_H_
#define PORTCULLIS_TESTS_CONFORMANCE_PROCESS_H_

// Runs a command in a folder, with a time limit, and keeps what it wrote.

#include <string>
#include <vector>

namespace portcullis::conformance {

struct Finished {
  int exit = -1;  // -1: killed by a signal or by the time limit
  std::string why;
  std::string out, err;
};

Finished Execute(const std::vector<std::string>& command, const std::string& dir, double seconds);

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_PROCESS_H_
