#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_POLICY_H_

// GeneratingPolicy and NamespacedGeneratingPolicy (spec/kyverno-cel-policies.md 5).

#include <memory>
#include <string>
#include <vector>

#include "policy/kyverno_cel/generating_template.h"
#include "policy/kyverno_cel/kind.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

// One entry of `generate`: an expression that calls the generator, or a template.
struct Generation {
  Expression expression;
  std::shared_ptr<const Template> documents;  // null: `expression`
  std::string path;
};

struct GeneratingPolicy final : PolicyCommon {
  std::vector<Generation> generations;
  bool generate_existing = false;  // evaluation.generateExisting
  bool synchronize = false;        // evaluation.synchronize
  bool orphan_downstream = false;  // evaluation.orphanDownstreamOnPolicyDelete
  bool skip_background_requests = true;
  bool server_side_apply = false;
};

std::unique_ptr<KindLoader> NewGeneratingLoader();

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_POLICY_H_
