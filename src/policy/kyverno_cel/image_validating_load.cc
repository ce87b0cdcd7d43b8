#include <array>

#include "doc/edit.h"
#include "policy/admission/decode.h"
#include "policy/kyverno_cel/image_glob.h"
#include "policy/kyverno_cel/image_validating_policy.h"
#include "policy/kyverno_cel/image_validating_set.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using exceptions::ResultType;

void LoadReferences(const doc::Value& spec, ImageValidatingPolicy& policy, FieldErrors& errors) {
  const auto items = Items(spec, "matchImageReferences");
  for (std::size_t i = 0; i < items.size() && errors.empty(); ++i) {
    const std::string path = Index("spec.matchImageReferences", i);
    const std::string_view glob = items[i].StringAt("glob");
    const std::string_view expression = items[i].StringAt("expression");
    ImageReferenceMatch match;
    if (!glob.empty()) {
      auto compiled = CompileImageGlob(glob);
      if (!compiled.ok()) {
        return errors.Invalid(Child(path, "glob"), glob, compiled.error().message);
      }
      match.glob = std::move(compiled).value();
    } else if (!expression.empty()) {
      match.expression =
          exceptions::Compile(cel::KyvernoMatchImageEnvironment(), expression, ResultType::kBool);
      if (!match.expression) {
        errors.Invalid(Child(path, "expression"), match.expression.source, match.expression.error);
      }
    } else {
      return errors.Invalid(path, "", "either glob or expression must be set");
    }
    policy.references.push_back(std::move(match));
  }
}

void LoadExtractors(const doc::Value& spec, const Scope& scope, ImageValidatingPolicy& policy,
                    FieldErrors& errors) {
  const auto items = Items(spec, "images");
  for (std::size_t i = 0; i < items.size() && errors.empty(); ++i) {
    policy.extractors.push_back(
        {std::string(items[i].StringAt("name")),
         scope.Compile(items[i].StringAt("expression"), ResultType::kStringList,
                       Child(Index("spec.images", i), "expression"), errors)});
  }
}

// The members of an attestor that an expression may give, and what Kyverno's errors call them.
struct Place {
  std::string_view kind;
  std::array<std::string_view, 2> member;
  std::string_view what;
};
constexpr Place kPlaces[] = {
    {"cosign", {"key", ""}, "key"},
    {"cosign", {"certificate", "cert"}, "cert"},
    {"cosign", {"certificate", "certChain"}, "cert chain"},
    {"cosign", {"trustedRoot", ""}, "trustedRoot"},
    {"notary", {"certs", ""}, "notary cert"},
    {"notary", {"tsaCerts", ""}, "notary tsa cert"},
};

void LoadAttestorExpressions(const doc::Value& item, const std::string& path, const Scope& scope,
                             Attestor& attestor, FieldErrors& errors) {
  for (const Place& place : kPlaces) {
    doc::Value at = ObjectAt(item, place.kind);
    std::string where = Child(path, place.kind);
    std::vector<std::string> member = {std::string(place.kind)};
    for (const std::string_view step : place.member) {
      if (step.empty()) continue;
      at = ObjectAt(at, step);
      where = Child(where, step);
      member.emplace_back(step);
    }
    const std::string_view source = at.StringAt("expression");
    if (source.empty()) continue;
    attestor.expressions.push_back(
        {std::string(place.what), std::move(member),
         scope.Compile(source, ResultType::kString, Child(where, "expression"), errors)});
  }
}

void LoadAttestors(const doc::Value& spec, const Scope& scope, ImageValidatingPolicy& policy,
                   FieldErrors& errors) {
  const auto items = Items(spec, "attestors");
  if (items.empty()) return errors.Required("spec.attestors", "");
  for (std::size_t i = 0; i < items.size() && errors.empty(); ++i) {
    const std::string path = Index("spec.attestors", i);
    Attestor attestor{std::string(items[i].StringAt("name")), items[i], {}};
    if (attestor.name.empty()) errors.Required(Child(path, "name"), "");
    const bool cosign = Member(items[i], "cosign") != nullptr;
    const bool notary = Member(items[i], "notary") != nullptr;
    if (cosign == notary) {
      errors.Invalid(path, attestor.name, "exactly one of cosign and notary must be set");
    }
    LoadAttestorExpressions(items[i], path, scope, attestor, errors);
    policy.attestors.push_back(std::move(attestor));
  }
}

void LoadAttestations(const doc::Value& spec, ImageValidatingPolicy& policy, FieldErrors& errors) {
  const auto items = Items(spec, "attestations");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = Index("spec.attestations", i);
    const std::string_view name = items[i].StringAt("name");
    if (name.empty()) errors.Required(Child(path, "name"), "");
    const bool intoto = Member(items[i], "intoto") != nullptr;
    const bool referrer = Member(items[i], "referrer") != nullptr;
    if (intoto == referrer) {
      errors.Invalid(path, name, "exactly one of intoto and referrer must be set");
    } else if (ObjectAt(items[i], intoto ? "intoto" : "referrer").StringAt("type").empty()) {
      errors.Required(Child(Child(path, intoto ? "intoto" : "referrer"), "type"), "");
    }
    policy.attestations.push_back({std::string(name), items[i]});
  }
}

void LoadSwitches(const doc::Value& spec, ImageValidatingPolicy& policy) {
  const doc::Value switches = ObjectAt(spec, "validationConfigurations");
  policy.mutate_digest = BoolAt(switches, "mutateDigest", true);
  policy.verify_digest = BoolAt(switches, "verifyDigest", true);
  policy.required = BoolAt(switches, "required", true);
  policy.credentials = ObjectAt(spec, "credentials");
}

// Section by section; the first one with a problem is the last one that is looked at.
void CompileSections(const doc::Value& spec, ImageValidatingPolicy& policy, FieldErrors& errors) {
  Scope scope(cel::KyvernoPolicyKind::kImageValidating, !policy.info.ns.empty());
  policy.match_conditions = CompileConditions(spec, "matchConditions", scope, errors);
  if (errors.empty()) LoadReferences(spec, policy, errors);
  if (errors.empty()) LoadExtractors(spec, scope, policy, errors);
  if (errors.empty()) CompileVariables(spec, scope, policy, errors);
  if (errors.empty()) LoadAttestors(spec, scope, policy, errors);
  if (errors.empty()) LoadAttestations(spec, policy, errors);
  if (errors.empty() && Items(spec, "validations").empty()) {
    errors.Required("spec.validations", "");
  }
  if (errors.empty()) policy.validations = CompileValidations(spec, scope, errors);
  if (errors.empty()) CompileAuditAnnotations(spec, scope, policy, errors);
}

class Loader final : public KindLoader {
 public:
  std::string_view kind() const override { return "ImageValidatingPolicy"; }
  std::span<const exceptions::Field> fields() const override {
    return exceptions::kImageValidatingPolicyFields;
  }

  std::unique_ptr<PolicyCommon> Load(const doc::Value& object, base::Arena& /*arena*/,
                                     FieldErrors& errors) const override {
    auto policy = std::make_unique<ImageValidatingPolicy>();
    LoadCommon(object, *policy, errors);
    if (!errors.empty()) return policy;
    const doc::Value spec = SpecOf(object);
    LoadSwitches(spec, *policy);
    CompileSections(spec, *policy, errors);
    if (errors.empty() && policy->mode == Mode::kKubernetes) RequireRules(*policy, errors);
    return policy;
  }

  Status Refusal(const FieldErrors& errors) const override { return RefusalOf(errors, ""); }

  std::unique_ptr<const FamilySet> Build(PolicyList policies) const override {
    return std::make_unique<ImageValidatingSet>(std::move(policies));
  }
};

}  // namespace

std::unique_ptr<KindLoader> NewImageValidatingLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::kyverno_cel
