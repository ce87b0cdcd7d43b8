#ifndef PORTCULLIS_POLICY_ADMISSION_DECODE_H_
#define PORTCULLIS_POLICY_ADMISSION_DECODE_H_

// Decoding of API objects by the shape of their kind: unknown fields, wrong types, and the values
// that the API's defaulting adds. The result is the object as the API server would store it.
// Shapes are constant tables (shapes.cc).

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"

namespace portcullis::policy {

struct Shape;

struct FieldShape {
  std::string_view name;
  const Shape* shape;
  // Default when absent: a JSON scalar text for strings, "{}" for objects; empty: none.
  std::string_view fallback = {};
  bool keep_empty = false;  // serialised also when empty
};

struct Shape {
  enum class Type { kString, kInteger, kBool, kAny, kList, kMap, kObject };
  Type type = Type::kAny;
  std::span<const FieldShape> fields = {};  // kObject
  const Shape* element = nullptr;           // kList, kMap
};

extern const Shape kStringShape, kStringListShape, kLabelSelectorShape, kObjectMetaShape,
    kMatchResourcesShape, kParamKindShape, kParamRefShape, kMatchConditionsShape, kVariablesShape,
    kNamedRulesShape;

struct Decoded {
  doc::Value value;                         // known fields only, with defaults
  std::vector<std::string> unknown_fields;  // `spec.x`, in order
  base::ErrorList type_errors;              // a 400 of the API server
};

// `value` must be an object. What is null counts as absent.
Decoded Decode(const Shape& shape, const doc::Value& value, base::Arena& arena);

// The nearest known name for an unknown field, for "did you mean"; empty if none is near.
std::string SuggestField(const Shape& shape, std::string_view path);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_DECODE_H_
