#ifndef PORTCULLIS_EXCEPTIONS_FIELDS_H_
#define PORTCULLIS_EXCEPTIONS_FIELDS_H_

// Strict reading of the kinds of policies.kyverno.io: which fields `spec` has and of which type
// they are (spec/kyverno-cel-policies.md 1, 2.1, 4.1, 5.1, 6, 7.1, 8.1). All served versions of a
// kind have the same fields, and the Namespaced kinds those of their twins. Pure.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "doc/value.h"

namespace portcullis::exceptions {

enum class FieldType : std::uint8_t {
  kString,
  kBool,
  kInteger,
  kObject,
  kStringMap,
  kAny,
  kStrings,  // a list of strings
  kObjects,  // a list of objects
};

// One field; `members` are those of the object or of the objects in the list.
struct Field {
  std::string_view name;
  FieldType type;
  std::span<const Field> members = {};
  bool required = false;  // in every object that could have it
  // Of a list of objects: the member by which they differ.
  std::string_view list_key = {};
};

struct FieldFindings {
  std::vector<std::string> unknown;  // paths, in document order
  std::vector<std::string> hints;    // the nearest known name of each, or empty
  base::ErrorList errors;            // wrong types, missing and repeated members
};

// Checks `spec` of an object against the fields of its kind. Other members than apiVersion, kind,
// metadata, spec and status are unknown.
FieldFindings CheckFields(const doc::Value& object, std::span<const Field> spec);

// The fields of `spec` by kind.
extern const std::span<const Field> kPolicyExceptionFields;
extern const std::span<const Field> kValidatingPolicyFields;
extern const std::span<const Field> kMutatingPolicyFields;
extern const std::span<const Field> kGeneratingPolicyFields;
extern const std::span<const Field> kDeletingPolicyFields;
extern const std::span<const Field> kImageValidatingPolicyFields;

}  // namespace portcullis::exceptions

#endif  // PORTCULLIS_EXCEPTIONS_FIELDS_H_
