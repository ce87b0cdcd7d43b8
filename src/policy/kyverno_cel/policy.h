#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_POLICY_H_

// What the policies of every kind of policies.kyverno.io have in common, compiled
// (spec/kyverno-cel-policies.md 2.1, 9.3). Each kind derives its own. Immutable once its set is
// built.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autogen/autogen.h"
#include "exceptions/exception.h"
#include "exceptions/expression.h"
#include "match/match_resources.h"
#include "policy/family.h"

namespace portcullis::policy::kyverno_cel {

using exceptions::Expression;

struct Variable {
  std::string name;
  Expression expression;
};

struct AuditAnnotation {
  std::string key;
  Expression value;
};

enum class Mode : std::uint8_t {
  kKubernetes,
  kJson,   // any document, without a request
  kHttp,   // requests that a proxy asks about
  kEnvoy,  // the same in Envoy's form
};

// Kinds without a limit of their own still end: far beyond what any policy needs.
inline constexpr std::uint64_t kUnlimitedCost = 100'000'000;

struct PolicyCommon {
  virtual ~PolicyCommon() = default;

  PolicyInfo info;
  bool fail = true;   // failurePolicy
  bool deny = false;  // validationActions
  bool warn = false;
  bool audit = false;
  std::uint64_t cost_limit = exceptions::kCostLimit;  // of each expression
  Mode mode = Mode::kKubernetes;
  std::string mode_name;
  bool admission = true;   // evaluation.admission.enabled
  bool background = true;  // evaluation.background.enabled
  match::MatchResources constraints;
  std::vector<Expression> match_conditions;
  std::vector<Variable> variables;
  std::vector<AuditAnnotation> audit_annotations;
  std::vector<exceptions::Attached> exceptions;  // that refer to it, by key

  // Rules that autogen made for other kinds, of the same type as the policy. They have the
  // information of the policy itself; `variant` says which ("defaults", "cronjobs").
  std::vector<std::unique_ptr<PolicyCommon>> variants;
  std::string variant;
  std::optional<autogen::Group> group;  // of a variant: where the Pod template is
  bool move_patch_paths = false;        // of a variant: paths of patches are for a Pod
  std::string compile_error;  // of a variant that does not compile: every match is an error
};

using PolicyList = std::vector<std::unique_ptr<PolicyCommon>>;

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_POLICY_H_
