#ifndef PORTCULLIS_CEL_K8S_FORMAT_CHECKS_H_
#define PORTCULLIS_CEL_K8S_FORMAT_CHECKS_H_

// The checks of named formats that are no plain name checks (spec/cel.md 16.6). Each returns its
// messages; none means valid. Pure functions, internal to cel/k8s.

#include <string_view>

#include "base/validation.h"

namespace portcullis::cel::k8s {

// A trailing '-' is masked before the check: the text is only the beginning of a name.
base::Messages CheckDns1123LabelPrefix(std::string_view text);
base::Messages CheckDns1123SubdomainPrefix(std::string_view text);
base::Messages CheckDns1035LabelPrefix(std::string_view text);

base::Messages CheckUri(std::string_view text);
base::Messages CheckUuid(std::string_view text);
base::Messages CheckByte(std::string_view text);
base::Messages CheckDate(std::string_view text);
base::Messages CheckDateTime(std::string_view text);

}  // namespace portcullis::cel::k8s

#endif  // PORTCULLIS_CEL_K8S_FORMAT_CHECKS_H_
