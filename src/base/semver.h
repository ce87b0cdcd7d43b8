#ifndef PORTCULLIS_BASE_SEMVER_H_
#define PORTCULLIS_BASE_SEMVER_H_

// Semantic versions 2.0.0 with the error texts of blang/semver (spec/cel.md 16.5).
// A Semver holds views into the text that it was parsed from: the text must outlive it.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace portcullis::base {

struct Semver {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view prerelease;  // "rc.1"; empty = none
  std::string_view build;       // "linux.5"; empty = none

  // -1, 0, 1; build metadata is ignored.
  int Compare(const Semver& other) const;
  std::string ToString() const;
};

Result<Semver> ParseSemver(std::string_view text);

// The text that a tolerant parse reads: leading `v` and zeros dropped, missing parts padded. The
// error is that of a short version with prerelease or build data. Parse the result.
Result<std::string> NormalizeSemver(std::string_view text);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_SEMVER_H_
