#ifndef PORTCULLIS_POLICY_VERDICT_H_
#define PORTCULLIS_POLICY_VERDICT_H_

// What the policies of a family say about one request: denials, warnings, audit annotations for the
// admission answer, and rows for reports (spec/kubernetes-admission.md 2.7 to 2.9).
// Value types; one Verdict belongs to one request.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doc/value.h"

namespace portcullis::policy {

struct PolicyInfo;

struct StatusCause {
  std::string reason;  // "FieldValueInvalid"; empty for denials
  std::string message;
  std::string field;
};

// A metav1.Status of failure.
struct Status {
  int code = 0;
  std::string reason;
  std::string message;
  bool has_details = true;
  std::string name;   // details.name
  std::string group;  // details.group
  std::string kind;   // details.kind: the plural resource name
  std::string uid;    // details.uid
  std::vector<StatusCause> causes;
};

enum class Outcome : std::uint8_t { kPass, kFail, kWarn, kError, kSkip };
std::string_view OutcomeName(Outcome outcome);

// One line of a report.
struct ResultRow {
  const PolicyInfo* policy = nullptr;
  std::string rule;     // families with named rules
  std::string binding;  // native policies; empty without a binding
  Outcome outcome = Outcome::kPass;
  std::string message;
  std::string action;  // what the policy or binding does about it: "Deny", "Warn", "Audit,Warn"
  std::string policy_path;  // the deciding member of the policy: `spec.validations[0].expression`
  std::string path;         // the deciding member of the resource, when known
  std::string value;        // its value as shortened JSON; empty: there is no such member
  std::string expression;   // the expression that decided, when one did
  // Kyverno's kinds: exceptions that granted ("namespace/name"), why others did not, and what else
  // a report tells of the result (audit annotations, properties of exceptions).
  std::vector<std::string> exceptions;
  std::vector<std::string> withheld_exceptions;  // "namespace/name: reason"
  std::vector<std::pair<std::string, std::string>> properties;
  // Of a mutating policy: the object of the request behind it, in the arena of the request.
  doc::Value object;
};

// An object that a policy made, changed or would remove beside the object of the request. The value
// lives in the arena of the request.
struct ProducedObject {
  enum class Kind : std::uint8_t { kGenerated, kMutatedTarget, kDeleted };
  Kind kind = Kind::kGenerated;
  const PolicyInfo* policy = nullptr;
  std::string rule;
  doc::Value object;
};

struct Verdict {
  bool want_rows = false;       // set by the caller before evaluation
  std::vector<Status> denials;  // in the order found; the answer shows the first
  std::optional<Status> fatal;  // ends the request at once, whatever the failure policy
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, std::string>> audit_annotations;  // first writer of a key wins
  std::vector<ResultRow> rows;
  std::vector<ProducedObject> produced;

  // Keeps the first value of a key.
  void AddAuditAnnotation(std::string_view key, std::string_view value);
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_VERDICT_H_
