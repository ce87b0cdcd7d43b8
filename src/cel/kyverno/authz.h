#ifndef PORTCULLIS_CEL_KYVERNO_AUTHZ_H_
#define PORTCULLIS_CEL_KYVERNO_AUTHZ_H_

// The environments of ValidatingPolicy's evaluation modes HTTP and Envoy
// (spec/kyverno-cel-policies.md 13): `object` is a request that a proxy asks about, and each
// validation yields an answer or null. Everything is thread-safe.

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/arena.h"
#include "cel/check/env.h"
#include "doc/value.h"

namespace portcullis::cel {

enum class AuthzMode : std::uint8_t { kHttp, kEnvoy };

// Without `variables`, as KyvernoEnvironment (environments.h).
std::shared_ptr<const Env> KyvernoAuthzEnvironment(AuthzMode mode);

// A payload as the policies see it: members that the request's type has and the document leaves out
// have their zero values.
doc::Value CompleteAuthzRequest(AuthzMode mode, const doc::Value& payload, base::Arena& arena);

struct AuthzAnswer {
  bool allowed = false;
  std::int64_t code = 0;    // Envoy: the status of a denial
  std::string_view reason;  // HTTP: of a denial
};
// What an expression answered; false when the value is no answer.
bool ReadAuthzAnswer(const doc::Value& value, AuthzAnswer& out);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_AUTHZ_H_
