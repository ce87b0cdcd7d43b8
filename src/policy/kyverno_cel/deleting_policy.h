#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_POLICY_H_

// DeletingPolicy and NamespacedDeletingPolicy (spec/kyverno-cel-policies.md 6). Its conditions are
// the match conditions of the common part.

#include <memory>
#include <optional>
#include <string>

#include "base/cron.h"
#include "policy/kyverno_cel/kind.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

struct DeletingPolicy final : PolicyCommon {
  std::optional<base::CronSchedule> schedule;  // set once it is loaded
  std::string propagation;                     // deletionPropagationPolicy; empty: the API's
};

std::unique_ptr<KindLoader> NewDeletingLoader();

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_DELETING_POLICY_H_
