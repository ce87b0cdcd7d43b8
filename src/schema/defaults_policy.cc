#include "schema/rules.h"

namespace portcullis::schema {

namespace {

void DefaultSubjectGroup(Fields& fields) {
  if (!fields.GetString("apiGroup").empty()) return;
  const std::string_view kind = fields.GetString("kind");
  if (kind == "User" || kind == "Group") {
    fields.SetString("apiGroup", "rbac.authorization.k8s.io");
  }
}

constexpr LiteralRule kLiterals[] = {
    {"rbac.v1.RoleRef", "apiGroup", "\"rbac.authorization.k8s.io\""},
    {"authentication.v1.TokenRequestSpec", "expirationSeconds", "3600"},
    {"scheduling.v1.PriorityClass", "preemptionPolicy", "\"PreemptLowerPriority\""},
    {"flowcontrol.v1.FlowSchemaSpec", "matchingPrecedence", "1000"},
    {"flowcontrol.v1.ExemptPriorityLevelConfiguration", "nominalConcurrencyShares", "0"},
    {"flowcontrol.v1.ExemptPriorityLevelConfiguration", "lendablePercent", "0"},
    {"flowcontrol.v1.LimitedPriorityLevelConfiguration", "nominalConcurrencyShares", "30"},
    {"flowcontrol.v1.LimitedPriorityLevelConfiguration", "lendablePercent", "0"},
    {"flowcontrol.v1.QueuingConfiguration", "handSize", "8"},
    {"flowcontrol.v1.QueuingConfiguration", "queues", "64"},
    {"flowcontrol.v1.QueuingConfiguration", "queueLengthLimit", "50"},
};

constexpr HookRule kHooks[] = {
    {"rbac.v1.Subject", DefaultSubjectGroup},
};

}  // namespace

RuleGroup PolicyRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
