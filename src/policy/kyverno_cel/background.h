#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_BACKGROUND_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_BACKGROUND_H_

// Who writes what policies make or change beside the object of a request: by default such requests
// trigger no further policies (`evaluation.skipBackgroundRequests`). Pure.

#include <string_view>

#include "match/request.h"

namespace portcullis::policy::kyverno_cel {

inline constexpr std::string_view kBackgroundController =
    "system:serviceaccount:kyverno:kyverno-background-controller";

inline bool ByBackgroundController(const match::AdmissionRequest& request) {
  return request.user_info.is_map() &&
         request.user_info.StringAt("username") == kBackgroundController;
}

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_BACKGROUND_H_
