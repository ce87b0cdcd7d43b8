#ifndef PORTCULLIS_INPUT_DIAGNOSTIC_H_
#define PORTCULLIS_INPUT_DIAGNOSTIC_H_

// What is wrong with an input, beside what could be loaded from it. An error makes the exit status
// 2; a warning is shown and counts under --strict. Value types.

#include <cstdint>
#include <vector>

#include "base/error.h"

namespace portcullis::input {

enum class Severity : std::uint8_t { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  base::Error error;  // span.file, line and column say where
};

using Diagnostics = std::vector<Diagnostic>;

}  // namespace portcullis::input

#endif  // PORTCULLIS_INPUT_DIAGNOSTIC_H_
