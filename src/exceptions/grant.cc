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

// One exception on one request.
class Attempt {
 public:
  enum class Result : std::uint8_t { kGranted, kNotMatched, kWithheld, kError };

  Attempt(const Attached& attached, const GrantRules& rules, cel::Activation& activation,
          base::Arena& arena, const cel::EvalOptions& options)
      : attached_(attached),
        rules_(rules),
        activation_(activation),
        arena_(arena),
        options_(options) {}

  // kWithheld: `text` is the message of the control; otherwise why it was not granted.
  Result Run(std::string& text) {
    const PolicyException& exception = *attached_.exception;
    if (exception.expires_at_ns && rules_.now_ns >= *exception.expires_at_ns) {
      text = "expired at " + exception.expires_at;
      return Result::kNotMatched;
    }
    const Form* form = Matching();
    if (form == nullptr) {
      const bool failed = match_.state == Conditions::State::kError;
      if (failed) {
        text = std::move(match_.error);
      } else {
        text = "spec.matchConditions[" + std::to_string(match_.decided) + "] is not true";
      }
      return failed ? Result::kError : Result::kNotMatched;
    }
    if (!rules_.controls) return Result::kGranted;
    for (const Control& control : form->controls) {
      const doc::Value value =
          cel::Evaluate(*control.expression.program, activation_, arena_, options_).value;
      if (IsTrue(value)) continue;
      text = ControlMessage(control, activation_, arena_, options_);
      return Result::kWithheld;
    }
    return Result::kGranted;
  }

 private:
  // The form whose conditions are all true. A definite false of either form beats errors; the error
  // is that of the form that is tried first.
  const Form* Matching() {
    const Form* const forms[] = {attached_.rewritten.get(), &attached_.exception->form};
    bool first = true;
    for (const Form* form : forms) {
      if (form == nullptr) continue;
      Conditions result =
          EvaluateConditions(form->conditions, rules_.fail, activation_, arena_, options_);
      if (result.state == Conditions::State::kTrue) return form;
      if (first || result.state == Conditions::State::kFalse) match_ = std::move(result);
      first = false;
    }
    return nullptr;
  }

  const Attached& attached_;
  const GrantRules& rules_;
  cel::Activation& activation_;
  base::Arena& arena_;
  const cel::EvalOptions& options_;
  Conditions match_;
};

}  // namespace

Conditions EvaluateConditions(std::span<const Expression> conditions, bool fail,
                              cel::Activation& activation, base::Arena& arena,
                              const cel::EvalOptions& options) {
  Conditions out;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const Expression& condition = conditions[i];
    const doc::Value value = cel::Evaluate(*condition.program, activation, arena, options).value;
    if (value.is_error()) {
      if (!out.error.empty()) out.error += "; ";
      out.error += cel::ErrorMessage(value);
    } else if (!IsTrue(value)) {
      return {Conditions::State::kFalse, {}, i};
    }
  }
  if (out.error.empty()) return out;
  out.state = fail ? Conditions::State::kError : Conditions::State::kFalse;
  return out;
}

Grants Evaluate(std::span<const Attached> exceptions, const GrantRules& rules,
                cel::Activation& activation, base::Arena& arena, const cel::EvalOptions& options) {
  using Result = Attempt::Result;
  Grants out;
  std::int64_t best_priority = 0;
  for (const Attached& attached : exceptions) {
    const PolicyException& exception = *attached.exception;
    std::string text;
    const Result result = Attempt(attached, rules, activation, arena, options).Run(text);
    if (result != Result::kGranted) {
      if (rules.explain) out.withheld.push_back(exception.Key() + ": " + text);
      std::string& first = result == Result::kError ? out.error : out.control_message;
      if (result != Result::kNotMatched && first.empty()) first = std::move(text);
      continue;
    }
    out.granted.push_back(&exception);
    if (exception.full() || !rules.partial) {
      // The highest priority chooses the result; of equals the first.
      if (!out.full || exception.priority > best_priority) {
        best_priority = exception.priority > 0 ? exception.priority : 0;
        out.report_pass = exception.report_pass;
      }
      out.full = true;
    } else {
      out.images.insert(out.images.end(), exception.images.begin(), exception.images.end());
      out.allowed_values.insert(out.allowed_values.end(), exception.allowed_values.begin(),
                                exception.allowed_values.end());
    }
  }
  return out;
}

std::string KeysOf(std::span<const PolicyException* const> exceptions) {
  std::string out;
  for (const PolicyException* exception : exceptions) {
    if (!out.empty()) out += ", ";
    out += exception->Key();
  }
  return out;
}

}  // namespace portcullis::exceptions
