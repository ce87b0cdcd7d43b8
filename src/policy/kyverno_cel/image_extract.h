#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_EXTRACT_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_EXTRACT_H_

// The images of a request that an image-validating policy is about
// (spec/kyverno-cel-policies.md 7.2, 7.3 step 4). Pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/path.h"
#include "doc/value.h"
#include "policy/context.h"
#include "policy/kyverno_cel/activation.h"
#include "policy/kyverno_cel/image_validating_policy.h"

namespace portcullis::policy::kyverno_cel {

struct ExtractedImage {
  std::string_view image;
  doc::Path path;  // of the member; empty for images of extractors
};

struct ExtractedImages {
  doc::Value images;  // the map `images`: every category is a list
  std::vector<ExtractedImage> matched;
  std::string error;  // nothing else is set then
};

ExtractedImages ExtractImages(const ImageValidatingPolicy& policy, Activation& activation,
                              RequestContext& context);

// Whether the policy is about an image. An expression that fails is `error`.
bool IsAbout(const ImageValidatingPolicy& policy, std::string_view image, base::Arena& arena,
             std::string& error);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_EXTRACT_H_
