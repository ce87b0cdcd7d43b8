#ifndef PORTCULLIS_EXCEPTIONS_EXCEPTION_H_
#define PORTCULLIS_EXCEPTIONS_EXCEPTION_H_

// PolicyException of policies.kyverno.io, loaded and compiled (spec/kyverno-cel-policies.md 8.1,
// 8.2). Immutable after loading, thread-safe.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "doc/value.h"
#include "exceptions/expression.h"

namespace portcullis::exceptions {

struct PolicyRef {
  std::string name;
  std::string kind;
};

// A compensating control: the exemption holds only while it is true (8.7).
struct Control {
  Expression expression;
  std::string message;
  Expression message_expression;  // without a program: there is none
};

// The expressions of an exception: as written, or rewritten for a rule that autogen made.
struct Form {
  std::vector<Expression> conditions;
  std::vector<Control> controls;
};

struct PolicyException {
  std::string name;
  std::string ns;
  base::SourceSpan span;
  std::vector<PolicyRef> refs;
  Form form;  // as written
  std::vector<std::string> images;
  std::vector<std::string> allowed_values;
  std::vector<std::pair<std::string, std::string>> properties;
  bool report_pass = false;                   // reportResult: pass
  std::string evaluation_mode;                // empty: any
  std::string expires_at;                     // as written
  std::optional<std::int64_t> expires_at_ns;  // since 1970
  std::int64_t priority = 0;                  // label polex.kyverno.io/priority

  bool RefersTo(std::string_view policy_kind, std::string_view policy_name) const;
  // Nothing but an exemption from the whole policy.
  bool full() const { return images.empty() && allowed_values.empty(); }
  std::string Key() const;  // "namespace/name"
};

// An exception as a policy uses it. `rewritten` is tried first; null: only as written.
struct Attached {
  const PolicyException* exception = nullptr;
  std::shared_ptr<const Form> rewritten;
};

// Reads an object whose fields were checked (fields.h). Adds to `errors` what Kyverno refuses and
// to `warnings` what the author should know.
PolicyException LoadException(const doc::Value& object, base::ErrorList& errors,
                              std::vector<std::string>& warnings);

// The form with every expression rewritten; null when nothing changes. Error: an expression cannot
// be rewritten, or does not compile afterwards.
using Rewrite = std::function<base::Result<std::string>(std::string_view)>;
base::Result<std::shared_ptr<const Form>> RewriteForm(const Form& form, const Rewrite& rewrite);

}  // namespace portcullis::exceptions

#endif  // PORTCULLIS_EXCEPTIONS_EXCEPTION_H_
