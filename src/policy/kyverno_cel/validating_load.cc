#include "policy/admission/decode.h"
#include "policy/kyverno_cel/authz_policy.h"
#include "policy/kyverno_cel/load.h"
#include "policy/kyverno_cel/validating_policy.h"
#include "policy/kyverno_cel/validating_set.h"

namespace portcullis::policy::kyverno_cel {
namespace {

// Section by section; the first one with a problem is the last one that is looked at.
void CompileSections(const doc::Value& spec, ValidatingPolicy& policy, FieldErrors& errors) {
  Scope scope(cel::KyvernoPolicyKind::kValidating, !policy.info.ns.empty());
  policy.match_conditions = CompileConditions(spec, "matchConditions", scope, errors);
  CompileVariables(spec, scope, policy, errors);
  if (errors.empty()) policy.validations = CompileValidations(spec, scope, errors);
  if (policy.mode != Mode::kJson) CompileAuditAnnotations(spec, scope, policy, errors);
}

class Loader final : public KindLoader {
 public:
  std::string_view kind() const override { return "ValidatingPolicy"; }
  std::span<const exceptions::Field> fields() const override {
    return exceptions::kValidatingPolicyFields;
  }

  std::unique_ptr<PolicyCommon> Load(const doc::Value& object, base::Arena& /*arena*/,
                                     FieldErrors& errors) const override {
    auto policy = std::make_unique<ValidatingPolicy>();
    LoadCommon(object, *policy, errors);
    if (!errors.empty()) return policy;
    if (policy->mode == Mode::kHttp || policy->mode == Mode::kEnvoy) {
      CompileAuthz(SpecOf(object), *policy, errors);
      return policy;
    }
    CompileSections(SpecOf(object), *policy, errors);
    if (errors.empty() && policy->mode == Mode::kKubernetes) RequireRules(*policy, errors);
    return policy;
  }

  Status Refusal(const FieldErrors& errors) const override {
    return RefusalOf(errors, "validating policy compiler 1.0 error: failed to compile policy");
  }

  bool honours_controls() const override { return true; }

  std::unique_ptr<const FamilySet> Build(PolicyList policies) const override {
    return std::make_unique<ValidatingSet>(std::move(policies));
  }
};

}  // namespace

std::unique_ptr<KindLoader> NewValidatingLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::kyverno_cel
