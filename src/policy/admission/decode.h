#ifndef PORTCULLIS_POLICY_ADMISSION_DECODE_H_
#define PORTCULLIS_POLICY_ADMISSION_DECODE_H_

// Decoding of policies and bindings by the schema of their kind: unknown fields, wrong types, and
// the defaults of the API (spec/kubernetes-admission.md 2.1, 2.2). The result is the object as the
// API server stores it, but for uid, creationTimestamp and the like.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "policy/admission/field_error.h"
#include "policy/family.h"

namespace portcullis::policy {

struct Decoded {
  doc::Value value;                         // known fields only, with defaults
  std::vector<std::string> unknown_fields;  // `spec.x`, in document order
  std::vector<std::string> hints;           // the nearest known name of each, or empty
  base::ErrorList errors;                   // a kind that does not exist, wrong types
  std::string server_error;  // of the first wrong type, in the words of the server's decoder
};

// `value` must be an object of a kind of admissionregistration.k8s.io/v1.
Decoded Decode(const doc::Value& value, base::Arena& arena);

// Fills `report` from what decoding found, as `mode` asks. False: the document cannot be used.
bool ReportDecoded(const Decoded& decoded, const SourceDocument& document, LoadMode mode,
                   LoadReport& report);

// Fills `report` from the API server's field errors. True if there are none.
bool ReportFieldErrors(const FieldErrors& errors, const SourceDocument& document,
                       LoadReport& report);

// ---- reading decoded objects ------------------------------------------------------------------

// The member, or null when it is absent or null.
const doc::Value* Member(const doc::Value& object, std::string_view name);
// The items of a list member; empty when absent.
std::span<const doc::Value> Items(const doc::Value& object, std::string_view name);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_DECODE_H_
