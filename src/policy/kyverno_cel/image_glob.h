#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_GLOB_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_GLOB_H_

// Globs of image references (spec/kyverno-cel-policies.md 7.1): `*` any run, slashes included, `?`
// one character, `[a-c]` and `[!a]` classes, `{a,b}` alternatives, `\` quotes. Matching is linear.

#include <memory>
#include <string_view>

#include "base/error.h"
#include "regex/regex.h"

namespace portcullis::policy::kyverno_cel {

// An expression that matches whole references. Error: an open class or alternative.
base::Result<std::shared_ptr<const regex::Regex>> CompileImageGlob(std::string_view glob);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_GLOB_H_
