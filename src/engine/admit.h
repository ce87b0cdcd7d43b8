#ifndef PORTCULLIS_ENGINE_ADMIT_H_
#define PORTCULLIS_ENGINE_ADMIT_H_

// One admission request through a policy set: the mutating phase with at most one reinvocation,
// then the validating phase (spec/kubernetes-admission.md 1.2). Pure: everything it may ask is in
// `providers`.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "engine/policy_set.h"
#include "match/request.h"
#include "policy/verdict.h"
#include "provider/providers.h"

namespace portcullis::schema {
class TypeTable;
}

namespace portcullis::policy {
class ExpressionObserver;
struct PolicyInfo;
}  // namespace portcullis::policy

namespace portcullis::engine {

struct AdmitOptions {
  bool mutate = true;
  bool validate = true;
  // Add the API server's own warnings about the object (object_warnings.h).
  bool object_warnings = false;
  bool defaulting = true;  // complete mutated objects with the API server's defaults
  // For reports: collect rows, and evaluate every policy also when one has refused already.
  bool want_rows = false;
  // Beside the rows: which member of the resource is behind each failure.
  bool explain_failures = false;
  // Which policies take part; all without it.
  std::function<bool(const policy::PolicyInfo&)> only;
  policy::ExpressionObserver* observer = nullptr;
  const std::atomic<bool>* interrupt = nullptr;
};

struct Answer {
  bool allowed = true;
  policy::Status status;              // when not allowed
  std::vector<std::string> warnings;  // as the API server sends them (4.7)
  std::vector<std::pair<std::string, std::string>> audit_annotations;
  doc::Value object;     // after the mutating phase; null when absent
  bool mutated = false;  // `object` differs from the request's
  std::vector<policy::ResultRow> rows;
  std::vector<policy::ProducedObject> produced;  // other objects, by Kyverno's kinds
};

// Values of the answer live in `arena`, and may be parts of the request or constants of `set`.
Answer Admit(const PolicySet& set, const match::AdmissionRequest& request,
             const provider::Providers& providers, const schema::TypeTable* types,
             base::Arena& arena, const AdmitOptions& options = {});

// The recorder of HTTP warnings: drops empty, repeated and unprintable texts and keeps within
// 4096 code points (4.7).
std::vector<std::string> RecordWarnings(const std::vector<std::string>& texts);

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_ADMIT_H_
