#ifndef PORTCULLIS_CEL_K8S_SUPPORT_H_
#define PORTCULLIS_CEL_K8S_SUPPORT_H_

// What the Kubernetes libraries share: kinds of host objects, access to them, cost functions.
// Internal to cel/k8s.

#include <cstdint>
#include <string>
#include <utility>

#include "cel/check/library.h"
#include "cel/eval/host_type.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/call_support.h"
#include "doc/value.h"

namespace portcullis::cel::k8s {

// The description of a kind of host object whose CEL type is `type`.
constexpr CelHostType MakeHostType(const Type& type,
                                   doc::Value (*equal)(CallContext&, const doc::Value&,
                                                       const doc::Value&) = nullptr,
                                   std::string (*text)(const doc::Value&) = nullptr,
                                   std::uint64_t (*size)(const doc::Value&) = nullptr) {
  CelHostType host;
  host.name = type.name;
  host.equal = equal;
  host.text = text;
  host.size = size;
  host.type_value = &type;
  return host;
}

// A host object in the arena; Rep derives from doc::HostRep and is trivially destructible.
template <typename Rep, typename... Fields>
doc::Value NewHost(base::Arena& arena, const CelHostType& type, Fields&&... fields) {
  return doc::Value::Host(arena.New<Rep>(doc::HostRep{&type}, std::forward<Fields>(fields)...));
}

// Requires that `value` is a host object of the kind that Rep belongs to.
template <typename Rep>
const Rep& RepOf(const doc::Value& value) {
  return *static_cast<const Rep*>(value.host());
}

// ceil(0.1 * size of the first operand).
inline std::uint64_t TenthOfFirst(Args args, const doc::Value&) noexcept {
  return CostTenth(CostSize(args[0]));
}
// ceil(0.2 * size of the first operand).
inline std::uint64_t FifthOfFirst(Args args, const doc::Value&) noexcept {
  return (CostSize(args[0]) * 2 + 9) / 10;
}
inline std::uint64_t CostOne(Args, const doc::Value&) noexcept { return 1; }

}  // namespace portcullis::cel::k8s

#endif  // PORTCULLIS_CEL_K8S_SUPPORT_H_
