#ifndef PORTCULLIS_EXCEPTIONS_GRANT_H_
#define PORTCULLIS_EXCEPTIONS_GRANT_H_

// What the exceptions of a policy grant to one request: matching, controls and how several combine
// (spec/kyverno-cel-policies.md 8.4, 8.7, 2.5). Pure; everything is borrowed.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cel/eval/program.h"
#include "exceptions/exception.h"

namespace portcullis::exceptions {

struct Conditions {
  enum class State : std::uint8_t { kTrue, kFalse, kError };
  State state = State::kTrue;
  std::string error;  // kError: the messages, joined with "; "
};

// All conditions: one that is false decides, whatever failed before it. `fail` false: errors count
// as false (failurePolicy Ignore).
Conditions EvaluateConditions(std::span<const Expression> conditions, bool fail,
                              cel::Activation& activation, base::Arena& arena,
                              const cel::EvalOptions& options);

struct Grants {
  bool full = false;                // the policy is not evaluated
  bool report_pass = false;         // of a full grant: report `pass`, not `skip`
  std::vector<std::string> keys;    // "namespace/name" of the exceptions that granted
  std::vector<std::string> images;  // of partial grants, in order
  std::vector<std::string> allowed_values;
  std::string control_message;  // of the first control that withheld a grant
  std::string error;            // of the first exception whose conditions failed
};

// `exceptions` refer to the policy. `now_ns` since 1970: those expired then grant nothing.
Grants Evaluate(std::span<const PolicyException* const> exceptions, bool fail, std::int64_t now_ns,
                cel::Activation& activation, base::Arena& arena, const cel::EvalOptions& options);

}  // namespace portcullis::exceptions

#endif  // PORTCULLIS_EXCEPTIONS_GRANT_H_
