#include <algorithm>

#include "policy/admission/decode.h"
#include "policy/kyverno_cel/load.h"
#include "policy/kyverno_cel/mutating_policy.h"
#include "policy/kyverno_cel/mutating_set.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using exceptions::ResultType;

constexpr std::string_view kBothOff =
    "disabling both admission and mutateExisting evaluation modes is not allowed";
constexpr std::string_view kVariablesInConditions =
    "variables cannot be referenced in matchConditions when "
    "spec.autogen.mutatingAdmissionPolicy.enabled is true; native MutatingAdmissionPolicy "
    "evaluates match conditions before variables, so inline the expression instead";

// An entry whose body is missing does nothing.
void LoadMutation(const doc::Value& value, const std::string& path, const Scope& scope,
                  MutatingPolicy& policy, FieldErrors& errors) {
  const std::string_view type = value.StringAt("patchType");
  if (type != "JSONPatch" && type != "ApplyConfiguration") {
    if (type.empty()) return errors.Required(Child(path, "patchType"));
    return errors.Unsupported(Child(path, "patchType"), type, {"ApplyConfiguration", "JSONPatch"});
  }
  Mutation mutation;
  mutation.json_patch = type == "JSONPatch";
  const std::string_view member = mutation.json_patch ? "jsonPatch" : "applyConfiguration";
  const doc::Value* body = Member(value, member);
  if (body == nullptr) return;
  mutation.path = Child(Child(path, member), "expression");
  mutation.expression =
      scope.Compile(body->StringAt("expression"),
                    mutation.json_patch ? ResultType::kJsonPatchList : ResultType::kObject,
                    mutation.path, errors);
  policy.mutations.push_back(std::move(mutation));
}

void LoadTargets(const doc::Value& spec, const Scope& scope, MutatingPolicy& policy,
                 FieldErrors& errors) {
  const doc::Value* constraints = Member(spec, "targetMatchConstraints");
  MutationTargets& targets = policy.targets;
  if (constraints != nullptr) {
    targets.constraints = match::MatchResources::FromValue(*constraints);
    const std::string_view expression = constraints->StringAt("expression");
    if (!expression.empty()) {
      targets.expression = scope.Compile(expression, ResultType::kMap,
                                         "spec.targetMatchConstraints.expression", errors);
    }
    IgnoreOperations(targets.constraints);
    targets.present = !expression.empty() || !targets.constraints.rules.empty();
  }
  if (errors.empty()) {
    targets.conditions = CompileConditions(spec, "targetMatchConditions", scope, errors);
  }
}

void CheckConditions(const doc::Value& spec, const MutatingPolicy& policy, FieldErrors& errors) {
  if (!IsEnabled(ObjectAt(spec, "autogen"), "mutatingAdmissionPolicy", false)) return;
  for (std::size_t i = 0; i < policy.match_conditions.size(); ++i) {
    const auto names = policy.match_conditions[i].program->variables();
    if (std::find(names.begin(), names.end(), "variables") == names.end()) continue;
    errors.Forbidden(Child(Index("spec.matchConditions", i), "expression"), kVariablesInConditions);
  }
}

// Section by section; the first one with a problem is the last one that is looked at.
void CompileSections(const doc::Value& spec, MutatingPolicy& policy, FieldErrors& errors) {
  Scope scope(cel::KyvernoPolicyKind::kMutating, !policy.info.ns.empty());
  CompileVariables(spec, scope, policy, errors);
  if (errors.empty()) {
    policy.match_conditions = CompileConditions(spec, "matchConditions", scope, errors);
  }
  if (errors.empty()) LoadTargets(spec, scope, policy, errors);
  CompileAuditAnnotations(spec, scope, policy, errors);
  const auto mutations = Items(spec, "mutations");
  for (std::size_t i = 0; i < mutations.size() && errors.empty(); ++i) {
    LoadMutation(mutations[i], Index("spec.mutations", i), scope, policy, errors);
  }
}

class Loader final : public KindLoader {
 public:
  std::string_view kind() const override { return "MutatingPolicy"; }
  std::span<const exceptions::Field> fields() const override {
    return exceptions::kMutatingPolicyFields;
  }

  std::unique_ptr<PolicyCommon> Load(const doc::Value& object, base::Arena& /*arena*/,
                                     FieldErrors& errors) const override {
    auto policy = std::make_unique<MutatingPolicy>();
    LoadCommon(object, *policy, errors);
    policy->mode = Mode::kKubernetes;
    // Conditions that fail are errors in any case; the failure policy says what errors do.
    policy->deny = policy->fail;
    policy->fail = true;
    if (!errors.empty()) return policy;
    const doc::Value spec = SpecOf(object);
    const doc::Value evaluation = ObjectAt(spec, "evaluation");
    policy->replace_atomics = BoolAt(evaluation, "useServerSideApply", false);
    policy->skip_background_requests = BoolAt(evaluation, "skipBackgroundRequests", true);
    CompileSections(spec, *policy, errors);
    if (!errors.empty()) return policy;
    CheckConditions(spec, *policy, errors);
    RequireRules(*policy, errors);
    if (!policy->admission && !IsEnabled(evaluation, "mutateExisting", false)) {
      errors.Forbidden("spec.evaluation", kBothOff);
    }
    return policy;
  }

  Status Refusal(const FieldErrors& errors) const override { return RefusalOf(errors, {}); }

  std::unique_ptr<const FamilySet> Build(PolicyList policies) const override {
    return std::make_unique<MutatingSet>(std::move(policies));
  }
};

}  // namespace

std::unique_ptr<KindLoader> NewMutatingLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::kyverno_cel
