#ifndef PORTCULLIS_ENGINE_OBJECT_WARNINGS_H_
#define PORTCULLIS_ENGINE_OBJECT_WARNINGS_H_

// Warnings that the API server adds to an object on its own account, before the validating
// phase: members that are allowed and yet never what was meant, members of old. Pods, the pod
// templates of workloads, and a dozen other kinds. Pure; offline only (in a cluster the server
// itself sends them).

#include <string>
#include <vector>

#include "match/request.h"

namespace portcullis::engine {

// The texts, in the server's order; none for other kinds, subresources and DELETE.
std::vector<std::string> ObjectWarnings(const match::AdmissionRequest& request);

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_OBJECT_WARNINGS_H_
