#ifndef PORTCULLIS_CEL_KYVERNO_AUTHZ_VALUES_H_
#define PORTCULLIS_CEL_KYVERNO_AUTHZ_VALUES_H_

// Answers to proxies while they are built: opaque to CEL, their content a document in JSON form.
// Immutable, in the evaluation's arena.

#include "cel/check/library.h"
#include "cel/check/type.h"
#include "cel/eval/host_type.h"
#include "doc/value.h"

namespace portcullis::cel::authz {

inline constexpr Type kEnvoyOkType{TypeKind::kOpaque, "envoy.service.auth.v3.OkHttpResponse", {}};
inline constexpr Type kEnvoyDeniedType{
    TypeKind::kOpaque, "envoy.service.auth.v3.DeniedHttpResponse", {}};
inline constexpr Type kEnvoyResponseType{
    TypeKind::kOpaque, "envoy.service.auth.v3.CheckResponse", {}};
inline constexpr Type kEnvoyHeaderType{
    TypeKind::kOpaque, "envoy.config.core.v3.HeaderValueOption", {}};
inline constexpr Type kEnvoyParameterType{
    TypeKind::kOpaque, "envoy.config.core.v3.QueryParameter", {}};
inline constexpr Type kHttpOkType{TypeKind::kOpaque, "http.CheckResponseOk", {}};
inline constexpr Type kHttpDeniedType{TypeKind::kOpaque, "http.CheckResponseDenied", {}};
inline constexpr Type kHttpResponseType{TypeKind::kOpaque, "http.CheckResponse", {}};

extern const CelHostType kEnvoyOk, kEnvoyDenied, kEnvoyResponse, kEnvoyHeader, kEnvoyParameter,
    kHttpOk, kHttpDenied, kHttpResponse;

struct AnswerRep : doc::HostRep {
  doc::Value content;
};

doc::Value Make(base::Arena& arena, const CelHostType& type, const doc::Value& content);
const doc::Value& ContentOf(const doc::Value& value);

// `map` with `name: value`, and with `item` behind the items of `name`.
doc::Value With(base::Arena& arena, const doc::Value& map, std::string_view name,
                const doc::Value& value);
doc::Value WithAppended(base::Arena& arena, const doc::Value& map, std::string_view name,
                        const doc::Value& item);

}  // namespace portcullis::cel::authz

namespace portcullis::cel {

const Library& EnvoyAuthzLibrary();
const Library& HttpAuthzLibrary();
const Library& JwtLibrary();

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_AUTHZ_VALUES_H_
