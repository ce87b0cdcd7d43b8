#include <cstdio>

#include "runner.h"

namespace portcullis::conformance {

void Reporter::Pass(std::string_view) { ++passed_; }

void Reporter::Fail(std::string_view name, std::string_view expected, std::string_view actual) {
  ++failed_;
  std::printf("FAIL %.*s\n  expected: %.*s\n  actual:   %.*s\n", static_cast<int>(name.size()),
              name.data(), static_cast<int>(expected.size()), expected.data(),
              static_cast<int>(actual.size()), actual.data());
}

void Reporter::Note(std::string line) { notes_.push_back(std::move(line)); }

int Reporter::Finish() const {
  for (const std::string& note : notes_) std::printf("%s\n", note.c_str());
  std::printf("%zu passed, %zu failed\n", passed_, failed_);
  return failed_ == 0 && passed_ != 0 ? 0 : 1;
}

}  // namespace portcullis::conformance
