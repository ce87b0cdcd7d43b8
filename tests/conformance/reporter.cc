#include <cstdio>
#include <filesystem>

#include "runner.h"

namespace portcullis::conformance {

void Reporter::Pass(std::string_view) { ++passed_; }

void Reporter::Fail(std::string_view name, std::string_view expected, std::string_view actual) {
  if (differences_.Explains(name, actual)) {
    ++passed_;
    ++by_difference_;
    return;
  }
  ++failed_;
  std::printf("FAIL %.*s\n  expected: %.*s\n  actual:   %.*s\n", static_cast<int>(name.size()),
              name.data(), static_cast<int>(expected.size()), expected.data(),
              static_cast<int>(actual.size()), actual.data());
}

void Reporter::Note(std::string line) { notes_.push_back(std::move(line)); }

int Reporter::Finish(const Options& options) {
  if (options.filter.empty()) {
    const std::string folder =
        std::filesystem::path(options.dir).lexically_normal().filename().string();
    for (const std::string& rule : differences_.Unused(folder)) {
      ++failed_;
      std::printf("FAIL difference %s\n  expected: a case that differs so\n  actual:   none\n",
                  rule.c_str());
    }
  }
  for (const std::string& note : notes_) std::printf("%s\n", note.c_str());
  if (by_difference_ != 0) std::printf("%zu by difference\n", by_difference_);
  std::printf("%zu passed, %zu failed\n", passed_, failed_);
  return failed_ == 0 && passed_ != 0 ? 0 : 1;
}

}  // namespace portcullis::conformance
