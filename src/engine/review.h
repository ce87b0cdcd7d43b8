#ifndef PORTCULLIS_ENGINE_REVIEW_H_
#define PORTCULLIS_ENGINE_REVIEW_H_

// AdmissionReview documents: the request in, the answer out (spec/kubernetes-admission.md 4.7).

#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "engine/admit.h"
#include "match/request.h"
#include "policy/verdict.h"

namespace portcullis::engine {

// The `request` member of an AdmissionReview. Views into `request`, which must stay.
base::Result<match::AdmissionRequest> ReadRequest(const doc::Value& request);

// The request of a whole AdmissionReview, which must be one and carry the objects that its
// operation needs. Views into `review`.
base::Result<match::AdmissionRequest> ReadReview(const doc::Value& review);

// The Status as an API object.
doc::Value StatusValue(const policy::Status& status, base::Arena& arena);

// The AdmissionReview with the answer. `patch` is a JSON patch document, null for none; it is put
// in as base64. `api_version` is the review's own.
doc::Value ReviewValue(const Answer& answer, std::string_view uid, std::string_view api_version,
                       const doc::Value& patch, base::Arena& arena);

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_REVIEW_H_
