#include "cel/check/environments.h"

#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <mutex>
#include <string>

#include "cel/check/admission_types.h"
#include "cel/k8s/libraries.h"
#include "cel/kyverno/environments.h"
#include "cel/lib/libraries.h"

namespace portcullis::cel {

namespace {

constexpr int kNever = std::numeric_limits<int>::max();

// A library of the Kubernetes base environment: from minor version `introduced` until before
// `removed`. In the order in which the API server adds them, which is the order of overloads.
struct Gate {
  const Library& (*library)();
  int introduced;
  int removed;
};

constexpr std::array kKubernetesLibraries = {
    Gate{[]() -> const Library& { return StandardLibrary(); }, 0, kNever},
    Gate{[]() -> const Library& { return KubernetesUrlsLibrary(); }, 0, kNever},
    Gate{[]() -> const Library& { return KubernetesRegexLibrary(); }, 0, kNever},
    Gate{[]() -> const Library& { return KubernetesListsLibrary(0); }, 0, 37},
    Gate{[]() -> const Library& { return KubernetesAuthzLibrary(); }, 27, kNever},
    Gate{[]() -> const Library& { return OptionalLibrary(); }, 28, kNever},
    Gate{[]() -> const Library& { return KubernetesQuantityLibrary(); }, 28, kNever},
    Gate{[]() -> const Library& { return StringsLibrary(0); }, 0, 29},
    Gate{[]() -> const Library& { return StringsLibrary(2); }, 29, kNever},
    Gate{[]() -> const Library& { return SetsLibrary(); }, 29, kNever},
    Gate{[]() -> const Library& { return KubernetesIpLibrary(); }, 30, kNever},
    Gate{[]() -> const Library& { return KubernetesCidrLibrary(); }, 30, kNever},
    Gate{[]() -> const Library& { return KubernetesFormatLibrary(); }, 31, kNever},
    Gate{[]() -> const Library& { return KubernetesAuthzSelectorsLibrary(); }, 31, kNever},
    Gate{[]() -> const Library& { return TwoVarLibrary(); }, 32, kNever},
    Gate{[]() -> const Library& { return KubernetesSemverLibrary(); }, 33, kNever},
    Gate{[]() -> const Library& { return ListsLibrary(); }, 34, kNever},
    Gate{[]() -> const Library& { return KubernetesListsLibrary(1); }, 37, kNever},
    Gate{[]() -> const Library& { return KubernetesCosts(); }, 0, kNever},
};

constexpr std::array<std::string_view, 6> kDynVariables = {
    "object", "oldObject", "request", "params", "namespaceObject", "variables"};
constexpr std::string_view kAuthorizer = "struct:kubernetes.authorization.Authorizer";
constexpr std::string_view kResourceCheck = "struct:kubernetes.authorization.ResourceCheck";

// Environments by key, each built at most once.
template <typename Key>
class EnvCache {
 public:
  template <typename Make>
  std::shared_ptr<const Env> Get(const Key& key, Make make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const Env>& slot = envs_[key];
    if (slot == nullptr) slot = make();
    return slot;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Env>> envs_;
};

std::shared_ptr<const Env> MakeKubernetesBase(int version) {
  const int gate = version == kStoredExpressions ? kNever : version;
  const auto since = [gate](int introduced) { return gate >= introduced; };
  auto env = std::make_shared<Env>();
  for (const Gate& row : kKubernetesLibraries) {
    const bool removed = row.removed != kNever && gate >= row.removed;
    if (since(row.introduced) && !removed) env->AddLibrary(row.library());
  }
  EnvOptions& options = env->options;
  options.parser.optional_syntax = since(28);
  options.parser.optional_macros = since(28);
  options.parser.two_variable_macros = since(32);
  options.parser.sort_by_macro = since(34);
  options.cross_type_comparisons = since(28);
  options.duration_literals = since(29);
  options.timestamp_literals = since(29);
  options.regex_literals = since(29);
  options.format_literals = since(29);
  return env;
}

std::shared_ptr<const Env> WithDynVariables(std::shared_ptr<const Env> base) {
  auto env = std::make_shared<Env>(std::move(base));
  for (const std::string_view name : kDynVariables) env->AddVariable(name, &types::kDyn);
  return env;
}

// cel-go's own conformance configuration.
std::shared_ptr<const Env> MakeConformance() {
  constexpr int kLatestStrings = 5;
  constexpr int kBlockSlots = 30;
  auto env = std::make_shared<Env>();
  for (const Library* library :
       {&StandardLibrary(), &OptionalLibrary(), &StringsLibrary(kLatestStrings), &MathLibrary(),
        &EncodersLibrary(), &RegexExtLibrary(), &ListsLibrary(), &SetsLibrary(), &TwoVarLibrary(),
        &BindingsLibrary(), &KubernetesIpLibrary(), &KubernetesCidrLibrary(),
        &NetworkExtLibrary()}) {
    env->AddLibrary(*library);
  }
  EnvOptions& options = env->options;
  options.parser.two_variable_macros = true;
  options.parser.sort_by_macro = true;
  options.parser.bind_macro = true;
  options.parser.block_macros = true;
  options.parser.math_macros = true;
  options.parser.proto_macros = true;
  options.cross_type_comparisons = false;
  options.homogeneous_aggregates = false;
  options.duration_literals = false;
  options.timestamp_literals = false;
  options.regex_literals = false;
  options.format_literals = false;
  options.bad_presence_errors = true;
  options.strict_map_keys = true;
  options.constant_folding = false;
  options.portable_format = true;
  options.null_joins_nullable = true;
  options.cost_limit = 0;
  for (int i = 0; i < kBlockSlots; ++i) {
    env->AddVariable("@index" + std::to_string(i), &types::kDyn);
  }
  return env;
}

std::shared_ptr<const Env> MakeAdmission(const AdmissionOptions& options) {
  auto env = std::make_shared<Env>(KubernetesBase(options.version));
  TypePool& pool = env->types();
  if (!options.typed_object) {
    env->AddVariable("object", &types::kDyn);
    env->AddVariable("oldObject", &types::kDyn);
    if (options.has_params) env->AddVariable("params", &types::kDyn);
  }
  env->AddProvider(AdmissionTypes());
  env->AddVariable("request", pool.Struct("kubernetes.AdmissionRequest"));
  env->AddVariable("namespaceObject", pool.Struct("kubernetes.Namespace"));
  if (options.has_authorizer) {
    env->AddVariable("authorizer", pool.Parse(kAuthorizer));
    if (options.has_request_resource) {
      env->AddVariable("authorizer.requestResource", pool.Parse(kResourceCheck));
    }
  }
  if (options.map_types) {
    env->AddLibrary(KubernetesJsonPatchLibrary());
    env->AddProvider(MutationTypes());
  }
  return env;
}

// "k8s-new-1.34" -> 34; -1 for anything else.
int NewExpressionsVersion(std::string_view name) {
  constexpr std::string_view kPrefix = "k8s-new-1.";
  if (name.substr(0, kPrefix.size()) != kPrefix) return -1;
  name.remove_prefix(kPrefix.size());
  int minor = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), minor);
  if (error != std::errc() || end != name.data() + name.size() || minor <= 0) return -1;
  return minor;
}

std::shared_ptr<const Env> MakeByName(std::string_view name) {
  if (name == "cel") return MakeConformance();
  if (name == "k8s") return WithDynVariables(KubernetesBase());
  if (name == "kyverno-base") return WithDynVariables(KyvernoBase());
  if (name.starts_with("kyverno-")) return KyvernoEnvironmentByName(name);
  AdmissionOptions options;
  options.has_params = true;
  if (name == "k8s-admission") return AdmissionEnvironment(options);
  options.map_types = true;
  if (name == "k8s-map") return AdmissionEnvironment(options);
  const int version = NewExpressionsVersion(name);
  return version < 0 ? nullptr : WithDynVariables(KubernetesBase(version));
}

}  // namespace

std::shared_ptr<const Env> KubernetesBase(int minor_version) {
  static EnvCache<int> cache;
  return cache.Get(minor_version, [&] { return MakeKubernetesBase(minor_version); });
}

std::shared_ptr<const Env> AdmissionEnvironment(const AdmissionOptions& options) {
  static EnvCache<std::pair<int, int>> cache;
  int bits = 0;
  for (const bool bit : {options.has_params, options.has_authorizer, options.has_request_resource,
                         options.typed_object, options.map_types}) {
    bits = bits * 2 + (bit ? 1 : 0);
  }
  return cache.Get({options.version, bits}, [&] { return MakeAdmission(options); });
}

std::shared_ptr<const Env> EnvironmentByName(std::string_view name) {
  static EnvCache<std::string> cache;
  // Versions are endless: only those that a release can have are worth remembering.
  constexpr int kLastCached = 99;
  if (NewExpressionsVersion(name) > kLastCached) return MakeByName("k8s-new-1.99");
  return cache.Get(std::string(name), [&] { return MakeByName(name); });
}

}  // namespace portcullis::cel
