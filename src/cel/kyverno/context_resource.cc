// resource.Get, List, Post and ToGVR (spec/kyverno-cel-policies.md 10.1).

#include <string>

#include "cel/eval/native.h"
#include "cel/k8s/support.h"
#include "cel/kyverno/context_libraries.h"
#include "cel/kyverno/context_values.h"

namespace portcullis::cel {
namespace {

using doc::Value;
using kyverno::ContextOf;
using provider::Lookup;
using provider::ResourceName;

constexpr std::string_view kGetFailed = "failed to get resource";
constexpr std::string_view kListFailed = "failed to list resource";
constexpr std::string_view kCreateFailed = "failed to create resource";
constexpr std::string_view kMapFailed = "failed to map kind to resource";

// `pods/status` names a subresource, but not where one lists.
bool ReadName(const Value& api_version, const Value& resource, bool split, ResourceName& out,
              std::string& error) {
  if (!kyverno::SplitApiVersion(api_version.as_string(), out.group, out.version, error)) {
    return false;
  }
  const std::string_view text = resource.as_string();
  const std::size_t slash = split ? text.find('/') : std::string_view::npos;
  out.resource = text.substr(0, slash);
  out.subresource = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
  return true;
}

std::string Describe(const ResourceName& name, std::string_view ns, std::string_view object) {
  std::string text(name.resource);
  if (!name.subresource.empty()) text.append("/").append(name.subresource);
  if (!name.group.empty()) text.append(".").append(name.group);
  if (!object.empty()) text.append(" \"").append(object).append("\"");
  if (!ns.empty()) text.append(" in namespace \"").append(ns).append("\"");
  return text.append(" cannot be read: no cluster and no context data are given");
}

Value Answer(CallContext& context, std::string_view prefix, const Lookup& answer,
             const ResourceName& name, std::string_view ns, std::string_view object) {
  switch (answer.state) {
    case Lookup::State::kFound:
      return answer.object;
    case Lookup::State::kNotFound:
      return {};
    case Lookup::State::kUnknown:
      return kyverno::Failure(context, prefix, Describe(name, ns, object));
    case Lookup::State::kError:
      break;
  }
  return kyverno::Failure(context, prefix, answer.error);
}

Value Get(CallContext& context, const ResourceName& name, std::string_view ns,
          std::string_view object) {
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  return Answer(context, kGetFailed,
                outside != nullptr ? outside->GetResource(name, ns, object, context.arena)
                                   : Lookup::Unknown(),
                name, ns, object);
}

Value List(CallContext& context, const ResourceName& name, std::string_view ns,
           const Value& labels) {
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  return Answer(context, kListFailed,
                outside != nullptr ? outside->ListResources(name, ns, labels, context.arena)
                                   : Lookup::Unknown(),
                name, ns, {});
}

Value Post(CallContext& context, const Value& api_version, const Value& resource,
           std::string_view ns, const Value& data) {
  ResourceName name;
  std::string error;
  Value payload;
  if (!ReadName(api_version, resource, true, name, error) ||
      !ToNative(context.arena, data, payload, error)) {
    return kyverno::Failure(context, kCreateFailed, error);
  }
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  return Answer(context, kCreateFailed,
                outside != nullptr
                    ? outside->PostResource(name, ns, payload, context.arena)
                    : Lookup::Failed("resource.post is not available without a cluster"),
                name, ns, {});
}

// Where the namespace of a call stands: an argument for cluster policies, else the policy's own.
std::string_view NamespaceAt(Args args, std::size_t at, bool namespaced) {
  return namespaced ? ContextOf(args[0]).policy_namespace : args[at].as_string();
}

template <bool kNamespaced>
Value GetByName(CallContext& context, Args args) noexcept {
  ResourceName name;
  std::string error;
  if (!ReadName(args[1], args[2], true, name, error)) {
    return kyverno::Failure(context, kGetFailed, error);
  }
  return Get(context, name, NamespaceAt(args, 3, kNamespaced), args.back().as_string());
}

template <bool kNamespaced>
Value GetByGvr(CallContext& context, Args args) noexcept {
  const ResourceName& name = k8s::RepOf<kyverno::GvrRep>(args[1]).name;
  return Get(context, name, NamespaceAt(args, 2, kNamespaced), args.back().as_string());
}

template <bool kNamespaced, bool kLabels>
Value ListByName(CallContext& context, Args args) noexcept {
  ResourceName name;
  std::string error;
  if (!ReadName(args[1], args[2], false, name, error)) {
    return kyverno::Failure(context, kListFailed, error);
  }
  return List(context, name, NamespaceAt(args, 3, kNamespaced), kLabels ? args.back() : Value());
}

template <bool kNamespaced, bool kLabels>
Value ListByGvr(CallContext& context, Args args) noexcept {
  const ResourceName& name = k8s::RepOf<kyverno::GvrRep>(args[1]).name;
  return List(context, name, NamespaceAt(args, 2, kNamespaced), kLabels ? args.back() : Value());
}

Value PostInNamespace(CallContext& context, Args args) noexcept {
  return Post(context, args[1], args[2], args[3].as_string(), args[4]);
}
// A cluster policy creates a cluster-scoped object, another one in its own namespace.
Value PostWithoutNamespace(CallContext& context, Args args) noexcept {
  return Post(context, args[1], args[2], ContextOf(args[0]).policy_namespace, args[3]);
}

Value ToGvr(CallContext& context, Args args) noexcept {
  std::string_view group;
  std::string_view version;
  std::string error;
  if (!kyverno::SplitApiVersion(args[1].as_string(), group, version, error)) {
    return kyverno::Failure(context, kMapFailed, error);
  }
  const std::string_view kind = args[2].as_string();
  const provider::KyvernoContext* outside = kyverno::Outside(context);
  const Lookup answer = outside != nullptr
                            ? outside->ResourceOfKind(group, version, kind, context.arena)
                            : Lookup::Unknown();
  if (!answer.found()) {
    const std::string unknown = std::string("no resource is known for kind ").append(kind);
    return kyverno::Failure(context, kMapFailed,
                            answer.error.empty() ? unknown : std::string_view(answer.error));
  }
  const ResourceName name{answer.object.StringAt("group"),
                          answer.object.StringAt("version"),
                          answer.object.StringAt("resource"),
                          {}};
  return k8s::NewHost<kyverno::GvrRep>(context.arena, kyverno::kGvrHost, name);
}

#define PC_CTX "resource.Context"
#define PC_GVR "schema.GroupVersionResource"
#define PC_MAP "map(string, any)"
#define PC_LABELS "map(string, string)"

// Each function by its two spellings.
#define PC_BOTH(id, pascal, camel, signature, call)                \
  {"resource_" id "_" pascal, pascal, signature, call, kMember}, { \
    "resource_" id "_" camel, camel, signature, call, kMember      \
  }

constexpr Overload kCluster[] = {
    PC_BOTH("name", "Get", "get", "(" PC_CTX ", string, string, string, string) -> " PC_MAP,
            GetByName<false>),
    PC_BOTH("gvr", "Get", "get", "(" PC_CTX ", " PC_GVR ", string, string) -> " PC_MAP,
            GetByGvr<false>),
    PC_BOTH("name", "List", "list", "(" PC_CTX ", string, string, string) -> " PC_MAP,
            (ListByName<false, false>)),
    PC_BOTH("name_labels", "List", "list",
            "(" PC_CTX ", string, string, string, " PC_LABELS ") -> " PC_MAP,
            (ListByName<false, true>)),
    PC_BOTH("gvr", "List", "list", "(" PC_CTX ", " PC_GVR ", string) -> " PC_MAP,
            (ListByGvr<false, false>)),
    PC_BOTH("gvr_labels", "List", "list",
            "(" PC_CTX ", " PC_GVR ", string, " PC_LABELS ") -> " PC_MAP, (ListByGvr<false, true>)),
    PC_BOTH("namespace", "Post", "post",
            "(" PC_CTX ", string, string, string, " PC_MAP ") -> " PC_MAP, PostInNamespace),
    PC_BOTH("cluster", "Post", "post", "(" PC_CTX ", string, string, " PC_MAP ") -> " PC_MAP,
            PostWithoutNamespace),
    PC_BOTH("kind", "ToGVR", "toGVR", "(" PC_CTX ", string, string) -> " PC_GVR, ToGvr),
};

constexpr Overload kNamespaced[] = {
    PC_BOTH("name", "Get", "get", "(" PC_CTX ", string, string, string) -> " PC_MAP,
            GetByName<true>),
    PC_BOTH("gvr", "Get", "get", "(" PC_CTX ", " PC_GVR ", string) -> " PC_MAP, GetByGvr<true>),
    PC_BOTH("name", "List", "list", "(" PC_CTX ", string, string) -> " PC_MAP,
            (ListByName<true, false>)),
    PC_BOTH("name_labels", "List", "list", "(" PC_CTX ", string, string, " PC_LABELS ") -> " PC_MAP,
            (ListByName<true, true>)),
    PC_BOTH("gvr", "List", "list", "(" PC_CTX ", " PC_GVR ") -> " PC_MAP, (ListByGvr<true, false>)),
    PC_BOTH("gvr_labels", "List", "list", "(" PC_CTX ", " PC_GVR ", " PC_LABELS ") -> " PC_MAP,
            (ListByGvr<true, true>)),
    PC_BOTH("own", "Post", "post", "(" PC_CTX ", string, string, " PC_MAP ") -> " PC_MAP,
            PostWithoutNamespace),
    PC_BOTH("kind", "ToGVR", "toGVR", "(" PC_CTX ", string, string) -> " PC_GVR, ToGvr),
};

#undef PC_BOTH
#undef PC_LABELS
#undef PC_MAP
#undef PC_GVR
#undef PC_CTX

constexpr Library kClusterLibrary{"kyverno.resource", kCluster};
constexpr Library kNamespacedLibrary{"kyverno.resource.namespaced", kNamespaced};

}  // namespace

const Library& KyvernoResourceLibrary(bool namespaced) {
  return namespaced ? kNamespacedLibrary : kClusterLibrary;
}

}  // namespace portcullis::cel
