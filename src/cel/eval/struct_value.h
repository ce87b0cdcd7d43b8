#ifndef PORTCULLIS_CEL_EVAL_STRUCT_VALUE_H_
#define PORTCULLIS_CEL_EVAL_STRUCT_VALUE_H_

// Values of struct types that have fields of their own: JSONPatch{...}, Object{...},
// Object.spec{...} (spec/cel.md 16.8). They live in the evaluation's arena.

#include "cel/eval/host_type.h"

namespace portcullis::cel {

struct StructRep {
  doc::HostRep host;           // type is &StructHostType()
  std::string_view type_name;  // "JSONPatch", "Object", "Object.spec.template"
  const Type* type;            // struct type of that name
  doc::Value fields;           // map with string keys, in the order written
};

const CelHostType& StructHostType();

inline bool IsStruct(const doc::Value& value) { return IsHost(value, StructHostType()); }
inline const StructRep& AsStruct(const doc::Value& value) {
  return *reinterpret_cast<const StructRep*>(value.host());
}

// Builds a struct value; `fields` is a map. `type_name` must outlive the value.
doc::Value MakeStruct(base::Arena& arena, const Type* type, std::string_view type_name,
                      const doc::Value& fields);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_STRUCT_VALUE_H_
