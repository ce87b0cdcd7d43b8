#ifndef PORTCULLIS_EXCEPTIONS_FIELDS_H_
#define PORTCULLIS_EXCEPTIONS_FIELDS_H_

// Strict reading of the kinds of policies.kyverno.io: which fields `spec` has and of which type
// they are (spec/kyverno-cel-policies.md 1, 2.1, 8.1). All served versions of a kind have the same
// fields. Pure.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "doc/value.h"

namespace portcullis::exceptions {

enum class FieldType : unsigned char { kString, kBool, kInteger, kObject, kList, kStringMap, kAny };

// One field by its path: `spec.images[]` is an item of the list `spec.images`.
struct FieldSpec {
  std::string_view path;
  FieldType type;
};

struct FieldFindings {
  std::vector<std::string> unknown;  // paths, in document order
  std::vector<std::string> hints;    // the nearest known name of each, or empty
  base::ErrorList errors;            // wrong types
};

// Checks `spec` of an object against a table. Other members than apiVersion, kind, metadata, spec
// and status are unknown.
FieldFindings CheckFields(const doc::Value& object, std::span<const FieldSpec> table);

extern const std::span<const FieldSpec> kPolicyExceptionFields;
extern const std::span<const FieldSpec> kValidatingPolicyFields;

}  // namespace portcullis::exceptions

#endif  // PORTCULLIS_EXCEPTIONS_FIELDS_H_
