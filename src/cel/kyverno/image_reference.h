#ifndef PORTCULLIS_CEL_KYVERNO_IMAGE_REFERENCE_H_
#define PORTCULLIS_CEL_KYVERNO_IMAGE_REFERENCE_H_

// References of container images as go-containerregistry reads them when it is not strict
// (spec/kyverno-cel-policies.md 10.5). Pure functions, thread-safe.

#include <string_view>

namespace portcullis::cel {

// The parts of a reference; views into the text, or constants.
struct ImageReference {
  std::string_view original;
  std::string_view registry;        // never empty: that of Docker Hub is `index.docker.io`
  std::string_view repository;      // without the `library/` that Docker Hub implies
  bool implied_namespace = false;   // the full repository is `library/` and `repository`
  std::string_view tag;             // `latest` where neither tag nor digest is written
  std::string_view digest;          // `sha256:...`, or empty
  std::string_view tag_and_digest;  // both as written, or empty
};

// False when `text` is no reference.
bool ParseImageReference(std::string_view text, ImageReference& out);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_IMAGE_REFERENCE_H_
