#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_POLICY_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_POLICY_H_

// ImageValidatingPolicy and NamespacedImageValidatingPolicy (spec/kyverno-cel-policies.md 7).

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "doc/path.h"
#include "policy/kyverno_cel/kind.h"
#include "policy/kyverno_cel/policy.h"
#include "policy/kyverno_cel/validations.h"
#include "regex/regex.h"

namespace portcullis::policy::kyverno_cel {

// Which images the policy is about: a glob, or an expression over `ref`.
struct ImageReferenceMatch {
  std::shared_ptr<const regex::Regex> glob;
  Expression expression;
};

// One member of an attestor that an expression gives.
struct AttestorExpression {
  std::string what;                 // as Kyverno's errors call it
  std::vector<std::string> member;  // the member that the value replaces
  Expression expression;
};

struct Attestor {
  std::string name;
  doc::Value document;  // as written
  std::vector<AttestorExpression> expressions;
};

struct Attestation {
  std::string name;
  doc::Value document;
};

struct ImageValidatingPolicy final : PolicyCommon {
  std::vector<ImageReferenceMatch> references;  // none: all images
  std::vector<Variable> extractors;             // `images.<name>`
  std::vector<Attestor> attestors;
  std::vector<Attestation> attestations;
  std::vector<Validation> validations;
  doc::Value credentials;
  bool mutate_digest = true;
  bool verify_digest = true;
  bool required = true;
};

std::unique_ptr<KindLoader> NewImageValidatingLoader();

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_IMAGE_VALIDATING_POLICY_H_
