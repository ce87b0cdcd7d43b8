#ifndef PORTCULLIS_EXCEPTIONS_GRANT_H_
#define PORTCULLIS_EXCEPTIONS_GRANT_H_

// What the exceptions of a policy grant to one request: matching, controls and how several combine
// (spec/kyverno-cel-policies.md 8.4, 8.7, 9.7, 2.5). Pure; everything is borrowed.

#include <cstddef>
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
  std::string error;        // kError: the messages, joined with "; "
  std::size_t decided = 0;  // kFalse: the condition that is false
};

// All conditions: one that is false decides, whatever failed before it. `fail` false: errors count
// as false (failurePolicy Ignore).
Conditions EvaluateConditions(std::span<const Expression> conditions, bool fail,
                              cel::Activation& activation, base::Arena& arena,
                              const cel::EvalOptions& options);

// How a kind of policies uses its exceptions.
struct GrantRules {
  bool fail = true;         // errors of conditions are errors, not false
  bool partial = true;      // images and values narrow the exemption instead of granting it
  bool controls = false;    // controls are evaluated; otherwise an exception grants without
  bool explain = false;     // fill Grants::withheld
  std::int64_t now_ns = 0;  // since 1970: what expired then grants nothing
};

struct Grants {
  bool full = false;         // the policy is not evaluated
  bool report_pass = false;  // of a full grant: report `pass`, not `skip`
  std::vector<const PolicyException*> granted;
  std::vector<std::string> images;  // of partial grants, in order
  std::vector<std::string> allowed_values;
  std::string control_message;        // of the first control that withheld a grant
  std::string error;                  // of the first exception whose conditions failed
  std::vector<std::string> withheld;  // "namespace/name: reason"
};

// `exceptions` refer to the policy.
Grants Evaluate(std::span<const Attached> exceptions, const GrantRules& rules,
                cel::Activation& activation, base::Arena& arena, const cel::EvalOptions& options);

// "namespace/name, namespace/name".
std::string KeysOf(std::span<const PolicyException* const> exceptions);

}  // namespace portcullis::exceptions

#endif  // PORTCULLIS_EXCEPTIONS_GRANT_H_
