#include <algorithm>

#include "policy/admission/decode.h"
#include "policy/kyverno_cel/generating_policy.h"
#include "policy/kyverno_cel/generating_set.h"
#include "policy/kyverno_cel/http_use.h"
#include "policy/kyverno_cel/load.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using exceptions::ResultType;

// False: `interpolate` is a word that means nothing.
bool LoadInterpolate(const doc::Value& value, const std::string& path, bool& interpolate,
                     FieldErrors& errors) {
  const std::string_view word = value.StringAt("interpolate");
  interpolate = word == "cel";
  if (word.empty() || word == "none" || interpolate) return true;
  errors.Unsupported(Child(path, "interpolate"), word, {"none", "cel"});
  return false;
}

bool CallsHttp(const Template& documents) {
  const auto expressions = documents.expressions();
  return std::any_of(expressions.begin(), expressions.end(), [](const Expression* expression) {
    const auto names = expression->program->variables();
    return std::find(names.begin(), names.end(), "http") != names.end();
  });
}

void LoadGeneration(const doc::Value& value, const std::string& path, const Scope& scope,
                    base::Arena& arena, GeneratingPolicy& policy, FieldErrors& errors) {
  const std::string_view expression = value.StringAt("expression");
  const doc::Value* documents = Member(value, "template");
  if (!expression.empty() && documents != nullptr) {
    return errors.Forbidden(path, "only one of expression or template may be set");
  }
  if (expression.empty() && documents == nullptr) {
    return errors.Required(path, "one of expression or template must be set");
  }
  Generation generation;
  if (documents == nullptr) {
    generation.path = Child(path, "expression");
    generation.expression = scope.Compile(expression, ResultType::kBool, generation.path, errors);
  } else {
    const std::string inner = Child(path, "template");
    generation.path = Child(inner, "value");
    const std::string_view text = documents->StringAt("value");
    bool interpolate = false;
    if (!LoadInterpolate(*documents, inner, interpolate, errors)) return;
    std::string error;
    generation.documents = Template::Compile(text, interpolate, scope, arena, error);
    if (generation.documents == nullptr) {
      errors.Invalid(generation.path, text, error);
    } else if (!policy.info.ns.empty() && CallsHttp(*generation.documents)) {
      errors.Forbidden("spec", kNoHttp);
    }
  }
  policy.generations.push_back(std::move(generation));
}

void LoadSwitches(const doc::Value& spec, GeneratingPolicy& policy) {
  const doc::Value evaluation = ObjectAt(spec, "evaluation");
  policy.generate_existing = IsEnabled(evaluation, "generateExisting", false);
  policy.synchronize = IsEnabled(evaluation, "synchronize", false);
  policy.orphan_downstream = IsEnabled(evaluation, "orphanDownstreamOnPolicyDelete", false);
  policy.skip_background_requests = BoolAt(evaluation, "skipBackgroundRequests", true);
  policy.server_side_apply = BoolAt(spec, "useServerSideApply", false);
}

// Section by section; the first one with a problem is the last one that is looked at.
void CompileSections(const doc::Value& spec, base::Arena& arena, GeneratingPolicy& policy,
                     FieldErrors& errors) {
  Scope scope(cel::KyvernoPolicyKind::kGenerating, !policy.info.ns.empty());
  policy.match_conditions = CompileConditions(spec, "matchConditions", scope, errors);
  CompileVariables(spec, scope, policy, errors);
  const auto entries = Items(spec, "generate");
  if (entries.empty() && errors.empty()) errors.Required("spec.generate");
  for (std::size_t i = 0; i < entries.size() && errors.empty(); ++i) {
    LoadGeneration(entries[i], Index("spec.generate", i), scope, arena, policy, errors);
  }
  CompileAuditAnnotations(spec, scope, policy, errors);
}

class Loader final : public KindLoader {
 public:
  std::string_view kind() const override { return "GeneratingPolicy"; }
  std::span<const exceptions::Field> fields() const override {
    return exceptions::kGeneratingPolicyFields;
  }

  std::unique_ptr<PolicyCommon> Load(const doc::Value& object, base::Arena& arena,
                                     FieldErrors& errors) const override {
    auto policy = std::make_unique<GeneratingPolicy>();
    LoadCommon(object, *policy, errors);
    policy->mode = Mode::kKubernetes;
    policy->deny = false;
    policy->cost_limit = kUnlimitedCost;
    if (!errors.empty()) return policy;
    const doc::Value spec = SpecOf(object);
    LoadSwitches(spec, *policy);
    CompileSections(spec, arena, *policy, errors);
    if (errors.empty()) RequireRules(*policy, errors);
    return policy;
  }

  Status Refusal(const FieldErrors& errors) const override {
    return RefusalOf(errors, "generating policy compiler 1.0 error: failed to compile policy");
  }

  std::unique_ptr<const FamilySet> Build(PolicyList policies) const override {
    return std::make_unique<GeneratingSet>(std::move(policies));
  }
};

}  // namespace

std::unique_ptr<KindLoader> NewGeneratingLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::kyverno_cel
