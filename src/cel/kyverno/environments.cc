#include "cel/kyverno/environments.h"

#include <array>
#include <utility>

#include "cel/check/admission_types.h"
#include "cel/check/environments.h"
#include "cel/k8s/libraries.h"
#include "cel/kyverno/context_libraries.h"
#include "cel/kyverno/libraries.h"
#include "cel/kyverno/native_struct.h"
#include "cel/lib/libraries.h"

namespace portcullis::cel {

namespace {

using Kind = KyvernoPolicyKind;

constexpr std::array kKinds = {Kind::kValidating, Kind::kMutating, Kind::kGenerating,
                               Kind::kDeleting, Kind::kImageValidating};
constexpr std::array<std::string_view, kKinds.size()> kKindNames = {"vpol", "mpol", "gpol", "dpol",
                                                                    "ivpol"};
constexpr std::string_view kRequest = "kubernetes.AdmissionRequest";

// The request as Kyverno declares it: with the two objects.
class RequestTypes final : public TypeProvider {
 public:
  bool HasType(std::string_view type_name) const override { return admission_->HasType(type_name); }
  const Type* FieldType(std::string_view type_name, std::string_view field) const override {
    if (type_name == kRequest && (field == "object" || field == "oldObject")) return &types::kDyn;
    return admission_->FieldType(type_name, field);
  }

 private:
  std::shared_ptr<const TypeProvider> admission_ = AdmissionTypes();
};

// What cel-go 0.30 does otherwise than the API server's 0.29.
void SetLinkedVersion(EnvOptions& options) {
  options.nan_order_errors = false;
  options.lenient_timestamps = false;
  options.stop_at_failed_argument = true;
}

std::shared_ptr<const Env> MakeBase() {
  constexpr int kLinkedMinor = 36;
  auto env = std::make_shared<Env>(KubernetesBase(kLinkedMinor));
  SetLinkedVersion(env->options);
  return env;
}

// cel-go's standard environment: nothing is counted, and only running shows what is wrong with a
// literal.
std::shared_ptr<const Env> MakePlain() {
  auto env = std::make_shared<Env>();
  env->AddLibrary(StandardLibrary());
  EnvOptions& options = env->options;
  SetLinkedVersion(options);
  options.duration_literals = false;
  options.timestamp_literals = false;
  options.regex_literals = false;
  options.format_literals = false;
  options.constant_folding = false;
  options.cost_limit = 0;
  return env;
}

// The options that every kind of policy has, in Kyverno's order.
void AddCommon(Env& env) {
  constexpr int kStringsVersion = 2;
  for (const Library* library :
       {&OptionalLibrary(), &BindingsLibrary(), &EncodersLibrary(), &ListsLibrary(), &MathLibrary(),
        &SetsLibrary(), &StringsLibrary(kStringsVersion), &RegexExtLibrary(),
        &KubernetesCidrLibrary(), &KubernetesFormatLibrary(), &KubernetesIpLibrary(),
        &KubernetesListsLibrary(0), &KubernetesRegexLibrary(), &KubernetesUrlsLibrary(),
        &KubernetesQuantityLibrary(), &KubernetesSemverLibrary()}) {
    env.AddLibrary(*library);
  }
  ParserOptions& parser = env.options.parser;
  parser.sort_by_macro = true;
  parser.bind_macro = true;
  parser.math_macros = true;
  parser.proto_macros = true;
}

void AddVariables(Env& env, Kind kind) {
  TypePool& pool = env.types();
  for (const std::string_view name : {"object", "oldObject"}) env.AddVariable(name, &types::kDyn);
  env.AddProvider(std::make_shared<RequestTypes>());
  env.AddVariable("request", pool.Struct(kRequest));
  env.AddVariable("namespaceObject", pool.Struct("kubernetes.Namespace"));
  env.AddProvider(KyvernoStructTypes());
  if (kind == Kind::kImageValidating) {
    env.AddVariable("images", pool.Parse("map(string, list(string))"));
    env.AddVariable("attestors", pool.Parse("map(string, dyn)"));
    env.AddVariable("attestations", pool.Parse("map(string, string)"));
  } else {
    env.AddVariable("exceptions", pool.Struct("libs.Exception"));
    env.AddTypeName("libs.Exception", pool.Struct("libs.Exception"));
  }
}

void AddFunctions(Env& env, Kind kind) {
  const bool has_user = kind != Kind::kGenerating && kind != Kind::kDeleting;
  TypePool& pool = env.types();
  env.AddVariable("json", pool.Opaque("json.Json"));
  env.AddVariable("yaml", pool.Opaque("yaml.Yaml"));
  env.AddTypeName("json.Json", pool.Opaque("json.Json"));
  env.AddTypeName("yaml.Yaml", pool.Opaque("yaml.Yaml"));
  if (has_user) env.AddTypeName("user.ServiceAccount", pool.Struct("user.ServiceAccount"));
  env.AddVariable("mylib_version", &types::kString);
  env.AddLibrary(KyvernoImageLibrary());
  if (has_user) env.AddLibrary(KyvernoUserLibrary());
  env.AddLibrary(kind == Kind::kImageValidating ? KyvernoImageVerifyLibrary()
                                                : KyvernoX509Library());
  for (const Library* library :
       {&KyvernoHashLibrary(), &KyvernoMathLibrary(), &KyvernoJsonLibrary(), &KyvernoYamlLibrary(),
        &KyvernoTimeLibrary(), &KyvernoRandomLibrary(), &KyvernoTransformLibrary(),
        &KyvernoGzipLibrary()}) {
    env.AddLibrary(*library);
  }
}

std::shared_ptr<const Env> MakePolicy(Kind kind, bool namespaced) {
  const bool plain = kind == Kind::kGenerating || kind == Kind::kDeleting;
  auto env = std::make_shared<Env>(plain ? MakePlain() : KyvernoBase());
  AddCommon(*env);
  if (kind != Kind::kImageValidating) {
    env->AddLibrary(OrValueCompatLibrary());
    env->options.parser.or_value_compat_macro = true;
  }
  env->options.homogeneous_aggregates = kind != Kind::kGenerating;
  AddVariables(*env, kind);
  if (kind == Kind::kMutating || kind == Kind::kDeleting) {
    env->AddLibrary(KubernetesJsonPatchLibrary());
    env->AddProvider(MutationTypes());
  }
  AddFunctions(*env, kind);
  AddKyvernoContexts(*env, {.namespaced = namespaced, .generator = kind == Kind::kGenerating});
  return env;
}

std::shared_ptr<const Env> MakeMatchImage() {
  auto env = std::make_shared<Env>(MakePlain());
  AddCommon(*env);
  env->AddLibrary(KyvernoImageLibrary());
  env->AddVariable("ref", &types::kString);
  return env;
}

// With `variables` that has no field.
std::shared_ptr<const Env> WithNoVariables(std::shared_ptr<const Env> parent) {
  auto env = std::make_shared<Env>(std::move(parent));
  auto variables =
      std::make_shared<VariableTypes>(kKyvernoVariables, VariableTypes::Precision::kExact);
  env->AddVariable("variables", variables->type());
  env->AddProvider(variables);
  return env;
}

}  // namespace

std::shared_ptr<const Env> KyvernoBase() {
  static const std::shared_ptr<const Env> env = MakeBase();
  return env;
}

std::shared_ptr<const Env> KyvernoEnvironment(KyvernoPolicyKind kind, bool namespaced) {
  using Variants = std::array<std::array<std::shared_ptr<const Env>, 2>, kKinds.size()>;
  static const Variants environments = [] {
    Variants made;
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      made[i] = {MakePolicy(kKinds[i], false), MakePolicy(kKinds[i], true)};
    }
    return made;
  }();
  return environments[static_cast<std::size_t>(kind)][namespaced ? 1 : 0];
}

std::shared_ptr<const Env> KyvernoMatchImageEnvironment() {
  static const std::shared_ptr<const Env> env = MakeMatchImage();
  return env;
}

bool KyvernoVariable(std::string_view name, std::string_view policy_namespace, base::Arena& arena,
                     doc::Value& out) {
  return KyvernoLibraryValue(name, out) || KyvernoContextValue(name, policy_namespace, arena, out);
}

std::shared_ptr<const Env> KyvernoEnvironmentByName(std::string_view name) {
  constexpr std::string_view kPrefix = "kyverno-";
  if (!name.starts_with(kPrefix)) return nullptr;
  name.remove_prefix(kPrefix.size());
  if (name == "matchimage") return KyvernoMatchImageEnvironment();
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const bool namespaced = name.size() == kKindNames[i].size() + 1 && name.front() == 'n';
    if (name.substr(namespaced ? 1 : 0) != kKindNames[i]) continue;
    return WithNoVariables(KyvernoEnvironment(kKinds[i], namespaced));
  }
  return nullptr;
}

}  // namespace portcullis::cel
