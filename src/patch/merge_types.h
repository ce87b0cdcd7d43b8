#ifndef PORTCULLIS_PATCH_MERGE_TYPES_H_
#define PORTCULLIS_PATCH_MERGE_TYPES_H_

// The schema of a kind as server-side apply reads it: each node is what a value there may be, a
// scalar, a list and/or a map, with the relation of its members (spec/kubernetes-admission.md 3.4).
// An Atom is a view of a schema::Schema node; parts without a schema have types deduced from their
// values. Value types, borrowed from the type table.

#include <cstdint>
#include <span>
#include <string_view>

#include "schema/schema.h"

namespace portcullis::patch {

enum class ScalarKind : std::uint8_t { kNone, kNumeric, kString, kBoolean, kUntyped };
enum class ListRelation : std::uint8_t { kAtomic, kSet, kMap };

// A reference to a type; resolved when a value of it is visited, since schemas may be cyclic.
struct TypeRef {
  enum class Kind : std::uint8_t {
    kNothing,  // no value is allowed: an undeclared field
    kSchema,   // `node`
    kDeduced,  // no schema: anything; maps are merged, lists are atomic
    kUntyped,  // inside an atomic part: anything
  };
  Kind kind = Kind::kNothing;
  const schema::Schema* node = nullptr;

  static TypeRef Of(const schema::Schema* schema) {
    return schema != nullptr ? TypeRef{Kind::kSchema, schema} : TypeRef{Kind::kDeduced, nullptr};
  }
};

struct Atom {
  ScalarKind scalar = ScalarKind::kNone;
  bool is_list = false;
  bool is_map = false;
  bool atomic_map = false;
  ListRelation list = ListRelation::kAtomic;
  TypeRef list_element;
  TypeRef map_element;                   // of keys that are no declared field
  const schema::Schema* node = nullptr;  // has the fields and list keys; null when deduced

  const schema::Field* FindField(std::string_view name) const {
    return is_map && node != nullptr ? node->FindField(name) : nullptr;
  }
  std::span<const std::string_view> keys() const { return node->keys(); }
};

// `ref` must not be kNothing.
Atom Resolve(const TypeRef& ref);

// Only the part of `atom` that fits `value`, or all of it when none does.
Atom Deduce(const Atom& atom, const doc::Value& value);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_MERGE_TYPES_H_
