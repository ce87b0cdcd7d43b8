#include "policy/admission/decode.h"
#include "policy/kyverno_cel/deleting_policy.h"
#include "policy/kyverno_cel/deleting_set.h"
#include "policy/kyverno_cel/load.h"

namespace portcullis::policy::kyverno_cel {
namespace {

void LoadSchedule(const doc::Value& spec, DeletingPolicy& policy, FieldErrors& errors) {
  const std::string_view schedule = spec.StringAt("schedule");
  if (schedule.empty()) return errors.Required("spec.schedule", "schedule is required");
  auto parsed = base::CronSchedule::Parse(schedule);
  if (parsed.ok()) {
    policy.schedule = parsed.value();
    return;
  }
  errors.Invalid("spec.schedule", schedule,
                 "schedule spec in the deletingPolicy is not in proper cron format: " +
                     parsed.error().message);
}

void LoadPropagation(const doc::Value& spec, DeletingPolicy& policy, FieldErrors& errors) {
  policy.propagation = spec.StringAt("deletionPropagationPolicy");
  const std::string& name = policy.propagation;
  if (name.empty() || name == "Foreground" || name == "Background" || name == "Orphan") return;
  errors.Unsupported("spec.deletionPropagationPolicy", name,
                     {"Foreground", "Background", "Orphan"});
}

class Loader final : public KindLoader {
 public:
  std::string_view kind() const override { return "DeletingPolicy"; }
  std::span<const exceptions::Field> fields() const override {
    return exceptions::kDeletingPolicyFields;
  }

  std::unique_ptr<PolicyCommon> Load(const doc::Value& object, base::Arena& /*arena*/,
                                     FieldErrors& errors) const override {
    auto policy = std::make_unique<DeletingPolicy>();
    LoadCommon(object, *policy, errors);
    // Objects are looked at on schedule, whatever happens to them.
    IgnoreOperations(policy->constraints);
    policy->deny = false;
    policy->cost_limit = kUnlimitedCost;
    const doc::Value spec = SpecOf(object);
    // Without constraints it never matches an object of the cluster, but plain documents have none.
    const bool plain = Member(spec, "matchConstraints") == nullptr;
    policy->mode = plain ? Mode::kJson : Mode::kKubernetes;
    policy->mode_name = plain ? "JSON" : "";
    LoadPropagation(spec, *policy, errors);
    if (!errors.empty()) return policy;
    Scope scope(cel::KyvernoPolicyKind::kDeleting, !policy->info.ns.empty());
    CompileVariables(spec, scope, *policy, errors);
    if (errors.empty()) {
      policy->match_conditions = CompileConditions(spec, "conditions", scope, errors);
    }
    if (!errors.empty()) return policy;
    if (!plain) RequireRules(*policy, errors);
    LoadSchedule(spec, *policy, errors);
    return policy;
  }

  Status Refusal(const FieldErrors& errors) const override {
    return RefusalOf(errors, "deleting policy compiler 1.0 error: failed to compile policy");
  }

  std::unique_ptr<const FamilySet> Build(PolicyList policies) const override {
    return std::make_unique<DeletingSet>(std::move(policies));
  }
};

}  // namespace

std::unique_ptr<KindLoader> NewDeletingLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::kyverno_cel
