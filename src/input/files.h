#ifndef PORTCULLIS_INPUT_FILES_H_
#define PORTCULLIS_INPUT_FILES_H_

// Turns the paths of a command line into files: files as given, folders searched to the bottom for
// .yaml, .yml and .json (hidden entries skipped, sorted by name), globs with `*`, `?`, `[...]` and
// `**`, and `-` for standard input, which is spooled so that it can be read twice.
// Every path that leads to nothing is an error with the nearest existing name: never silence.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "input/diagnostic.h"

namespace portcullis::input {

// An open spool of standard input, or nothing.
class Spool {
 public:
  explicit Spool(int fd) : fd_(fd) {}
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

struct InputFile {
  std::string path;  // as shown to the user; `-` for standard input
  std::uint64_t size = 0;
  std::shared_ptr<const Spool> spool;  // set for standard input and other pipes
  bool from_folder = false;            // found by searching a folder, not named by the user
};

// The files in the order of the arguments, each once. Problems are appended to `diagnostics`.
std::vector<InputFile> ExpandPaths(std::span<const std::string> paths, Diagnostics* diagnostics);

// Whether the shell-style `pattern` (one path segment) matches `name`.
bool MatchSegment(std::string_view pattern, std::string_view name);

}  // namespace portcullis::input

#endif  // PORTCULLIS_INPUT_FILES_H_
