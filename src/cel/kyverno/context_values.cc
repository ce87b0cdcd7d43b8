#include "cel/kyverno/context_values.h"

#include <array>
#include <string>

#include "cel/check/env.h"
#include "cel/eval/host.h"
#include "cel/k8s/support.h"
#include "cel/kyverno/context_libraries.h"

namespace portcullis::cel {
namespace kyverno {

using doc::Value;

namespace {

Value GvrEqual(CallContext&, const Value& a, const Value& b) {
  const auto& left = k8s::RepOf<GvrRep>(a).name;
  if (!IsHost(b, kGvrHost)) return Value::Bool(false);
  const auto& right = k8s::RepOf<GvrRep>(b).name;
  return Value::Bool(left.group == right.group && left.version == right.version &&
                     left.resource == right.resource);
}

std::string GvrText(const Value& value) {
  const provider::ResourceName& name = k8s::RepOf<GvrRep>(value).name;
  return std::string(name.group)
      .append("/")
      .append(name.version)
      .append(", Resource=")
      .append(name.resource);
}

}  // namespace

constexpr CelHostType kResourceHost = k8s::MakeHostType(kResourceType);
constexpr CelHostType kHttpHost = k8s::MakeHostType(kHttpType);
constexpr CelHostType kGlobalContextHost = k8s::MakeHostType(kGlobalContextType);
constexpr CelHostType kImageDataHost = k8s::MakeHostType(kImageDataType);
constexpr CelHostType kGeneratorHost = k8s::MakeHostType(kGeneratorType);
constexpr CelHostType kGvrHost = k8s::MakeHostType(kGvrType, GvrEqual, GvrText);

Value Failure(CallContext& context, std::string_view prefix, std::string_view text) {
  return context.Error(std::string(prefix).append(": ").append(text));
}

const provider::KyvernoContext* Outside(CallContext& context) {
  return context.host != nullptr ? context.host->kyverno() : nullptr;
}

bool SplitApiVersion(std::string_view api_version, std::string_view& group,
                     std::string_view& version, std::string& error) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) {
    group = {};
    version = api_version;
    return true;
  }
  if (api_version.find('/', slash + 1) != std::string_view::npos) {
    error = std::string("unexpected GroupVersion string: ").append(api_version);
    return false;
  }
  group = api_version.substr(0, slash);
  version = api_version.substr(slash + 1);
  return true;
}

namespace {

struct Variable {
  std::string_view name;
  const Type* type;
  const CelHostType* host;
};

constexpr std::array kVariables = {
    Variable{"resource", &kResourceType, &kResourceHost},
    Variable{"http", &kHttpType, &kHttpHost},
    Variable{"globalContext", &kGlobalContextType, &kGlobalContextHost},
    Variable{"image", &kImageDataType, &kImageDataHost},
    Variable{"generator", &kGeneratorType, &kGeneratorHost},
};

}  // namespace
}  // namespace kyverno

void AddKyvernoContexts(Env& env, const KyvernoContextOptions& options) {
  env.AddLibrary(KyvernoResourceLibrary(options.namespaced));
  env.AddLibrary(KyvernoHttpLibrary());
  env.AddLibrary(KyvernoGlobalContextLibrary());
  env.AddLibrary(KyvernoImageDataLibrary());
  if (options.generator) env.AddLibrary(KyvernoGeneratorLibrary(options.namespaced));
  for (const kyverno::Variable& variable : kyverno::kVariables) {
    if (variable.type == &kyverno::kGeneratorType && !options.generator) continue;
    env.AddVariable(variable.name, variable.type);
  }
}

bool KyvernoContextValue(std::string_view name, std::string_view policy_namespace,
                         base::Arena& arena, doc::Value& out) {
  for (const kyverno::Variable& variable : kyverno::kVariables) {
    if (variable.name != name) continue;
    out = k8s::NewHost<kyverno::ContextRep>(arena, *variable.host, policy_namespace);
    return true;
  }
  return false;
}

}  // namespace portcullis::cel
