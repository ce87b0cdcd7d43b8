#ifndef PORTCULLIS_CEL_EVAL_HOST_TYPE_H_
#define PORTCULLIS_CEL_EVAL_HOST_TYPE_H_

// Behaviour of opaque and struct values inside CEL: quantity, url, ip, cidr, semver, format,
// authorizer objects, JSONPatch, Object.*, lazily evaluated `variables`.
// A host object is an arena-allocated, trivially destructible struct that starts with doc::HostRep.

#include <string>

#include "cel/check/library.h"
#include "cel/check/type.h"
#include "doc/value.h"

namespace portcullis::cel {

struct CelHostType : doc::HostType {
  // `a == b` where a is of this type: a bool or an error. Null: always `no such overload` for
  // another kind and identity for the same kind.
  doc::Value (*equal)(CallContext& context, const doc::Value& a, const doc::Value& b) = nullptr;
  // Field access `a.f`; null when the type has no fields (then selection is `no such key: f`).
  // Returns false when the field is absent.
  bool (*get)(CallContext& context, const doc::Value& self, std::string_view field,
              doc::Value& out) = nullptr;
  // has(a.f), where it differs from "get finds it"; null = it does not.
  bool (*has)(const doc::Value& self, std::string_view field) = nullptr;
  // Size for cost (spec/cel.md 18.3); null = 1.
  std::uint64_t (*size)(const doc::Value& self) = nullptr;
  // Text form, as `cel eval` and the corpora print it; null = none.
  std::string (*text)(const doc::Value& self) = nullptr;
  // ofNonZeroValue; null = never zero.
  bool (*is_zero)(const doc::Value& self) = nullptr;
  // The CEL type (for dispatch and type()); an opaque or struct type constant.
  const Type* type_value = nullptr;
  // type(x) fails: the library does not convert its values to a type.
  bool has_no_type_value = false;
};

inline const CelHostType& HostTypeOf(const doc::Value& value) {
  return *static_cast<const CelHostType*>(value.host()->type);
}
// True if `value` is a host object of exactly this type.
inline bool IsHost(const doc::Value& value, const CelHostType& type) {
  return value.tag() == doc::Tag::kHost && value.host()->type == &type;
}

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_HOST_TYPE_H_
