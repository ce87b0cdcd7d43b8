#include "exceptions/grant.h"

namespace portcullis::exceptions {
namespace {

bool IsTrue(const doc::Value& value) { return value.is_bool() && value.as_bool(); }

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string ControlMessage(const Control& control, cel::Activation& activation, base::Arena& arena,
                           const cel::EvalOptions& options) {
  if (control.message_expression) {
    const doc::Value value =
        cel::Evaluate(*control.message_expression.program, activation, arena, options).value;
    if (value.is_string() && !IsBlank(value.as_string()) &&
        value.as_string().find('\n') == std::string_view::npos) {
      return std::string(value.as_string());
    }
  }
  if (!control.message.empty()) return control.message;
  return "failed expression: " + control.expression.source;
}

// The message of the first control that is not true; empty when all hold.
std::string WithheldBy(const PolicyException& exception, cel::Activation& activation,
                       base::Arena& arena, const cel::EvalOptions& options) {
  for (const Control& control : exception.controls) {
    const doc::Value value =
        cel::Evaluate(*control.expression.program, activation, arena, options).value;
    if (!IsTrue(value)) return ControlMessage(control, activation, arena, options);
  }
  return {};
}

}  // namespace

Conditions EvaluateConditions(std::span<const Expression> conditions, bool fail,
                              cel::Activation& activation, base::Arena& arena,
                              const cel::EvalOptions& options) {
  Conditions out;
  for (const Expression& condition : conditions) {
    const doc::Value value = cel::Evaluate(*condition.program, activation, arena, options).value;
    if (value.is_error()) {
      if (!out.error.empty()) out.error += "; ";
      out.error += cel::ErrorMessage(value);
    } else if (!IsTrue(value)) {
      return {Conditions::State::kFalse, {}};
    }
  }
  if (out.error.empty()) return out;
  out.state = fail ? Conditions::State::kError : Conditions::State::kFalse;
  return out;
}

Grants Evaluate(std::span<const PolicyException* const> exceptions, bool fail, std::int64_t now_ns,
                cel::Activation& activation, base::Arena& arena, const cel::EvalOptions& options) {
  Grants out;
  std::int64_t best_priority = 0;
  for (const PolicyException* exception : exceptions) {
    if (exception->expires_at_ns && now_ns >= *exception->expires_at_ns) continue;
    Conditions match = EvaluateConditions(exception->conditions, fail, activation, arena, options);
    if (match.state == Conditions::State::kError && out.error.empty()) {
      out.error = std::move(match.error);
    }
    if (match.state != Conditions::State::kTrue) continue;
    std::string withheld = WithheldBy(*exception, activation, arena, options);
    if (!withheld.empty()) {
      if (out.control_message.empty()) out.control_message = std::move(withheld);
      continue;
    }
    out.keys.push_back(exception->Key());
    if (exception->full()) {
      // The highest priority chooses the result; of equals the first.
      if (!out.full || exception->priority > best_priority) {
        best_priority = exception->priority > 0 ? exception->priority : 0;
        out.report_pass = exception->report_pass;
      }
      out.full = true;
    } else {
      out.images.insert(out.images.end(), exception->images.begin(), exception->images.end());
      out.allowed_values.insert(out.allowed_values.end(), exception->allowed_values.begin(),
                                exception->allowed_values.end());
    }
  }
  return out;
}

}  // namespace portcullis::exceptions
