#ifndef PORTCULLIS_CEL_KYVERNO_CONTEXT_VALUES_H_
#define PORTCULLIS_CEL_KYVERNO_CONTEXT_VALUES_H_

// The host objects behind Kyverno's context variables and what their functions share
// (spec/kyverno-cel-policies.md 10.1 to 10.4). Objects live in the arena of the evaluation.
// Internal to cel/kyverno.

#include <string_view>

#include "cel/eval/host_type.h"
#include "cel/lib/call_support.h"
#include "provider/kyverno_context.h"

namespace portcullis::cel::kyverno {

inline constexpr Type kResourceType{TypeKind::kOpaque, "resource.Context", {}};
inline constexpr Type kHttpType{TypeKind::kOpaque, "http.Context", {}};
inline constexpr Type kGlobalContextType{TypeKind::kOpaque, "globalcontext.Context", {}};
inline constexpr Type kImageDataType{TypeKind::kOpaque, "imagedata.Context", {}};
inline constexpr Type kGeneratorType{TypeKind::kOpaque, "generator.Context", {}};
inline constexpr Type kGvrType{TypeKind::kOpaque, "schema.GroupVersionResource", {}};

// A context variable: knows for whom it was bound.
struct ContextRep : doc::HostRep {
  std::string_view policy_namespace;  // empty: a cluster policy
  std::string_view ca_bundle = {};    // of http.Client
};

struct GvrRep : doc::HostRep {
  provider::ResourceName name;
};

extern const CelHostType kResourceHost, kHttpHost, kGlobalContextHost, kImageDataHost,
    kGeneratorHost, kGvrHost;

inline const ContextRep& ContextOf(const doc::Value& value) {
  return *static_cast<const ContextRep*>(value.host());
}

// `prefix: text`; the answer of a look-up that failed.
doc::Value Failure(CallContext& context, std::string_view prefix, std::string_view text);

// The outside, or null.
const provider::KyvernoContext* Outside(CallContext& context);

// A group and version as `apiVersion` writes them; false with `error` set when it has more than one
// slash.
bool SplitApiVersion(std::string_view api_version, std::string_view& group,
                     std::string_view& version, std::string& error);

}  // namespace portcullis::cel::kyverno

#endif  // PORTCULLIS_CEL_KYVERNO_CONTEXT_VALUES_H_
