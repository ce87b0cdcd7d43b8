// The fields of each kind. What several kinds share stands once.

#include "exceptions/fields.h"

namespace portcullis::exceptions {
namespace {

using enum FieldType;

constexpr Field kRule[] = {
    {"apiGroups", kStrings},  {"apiVersions", kStrings},   {"resources", kStrings},
    {"operations", kStrings}, {"resourceNames", kStrings}, {"scope", kString},
};
constexpr Field kRequirement[] = {
    {"key", kString},
    {"operator", kString},
    {"values", kStrings},
};
constexpr Field kSelector[] = {
    {"matchLabels", kStringMap},
    {"matchExpressions", kObjects, kRequirement},
};
constexpr Field kMatchConstraints[] = {
    {"matchPolicy", kString},
    {"resourceRules", kObjects, kRule},
    {"excludeResourceRules", kObjects, kRule},
    {"namespaceSelector", kObject, kSelector},
    {"objectSelector", kObject, kSelector},
};
constexpr Field kNamedExpression[] = {
    {"name", kString, {}, true},
    {"expression", kString, {}, true},
};
constexpr Field kValidation[] = {
    {"expression", kString, {}, true},
    {"message", kString},
    {"messageExpression", kString},
    {"reason", kString},
};
constexpr Field kAuditAnnotation[] = {
    {"key", kString, {}, true},
    {"valueExpression", kString, {}, true},
};
constexpr Field kWebhook[] = {{"timeoutSeconds", kInteger}};
constexpr Field kSwitch[] = {{"enabled", kBool}};
constexpr Field kPodControllers[] = {{"controllers", kStrings}};

constexpr Field kPolicyRef[] = {
    {"name", kString},
    {"kind", kString},
};
constexpr Field kException[] = {
    {"policyRefs", kObjects, kPolicyRef},
    {"matchConditions", kObjects, kNamedExpression, false, "name"},
    {"images", kStrings},
    {"allowedValues", kStrings},
    {"reportResult", kString},
    {"evaluationMode", kString},
    {"expiresAt", kString},
    {"properties", kStringMap},
    {"validations", kObjects, kValidation},
};

constexpr Field kValidatingEvaluation[] = {
    {"mode", kString},
    {"admission", kObject, kSwitch},
    {"background", kObject, kSwitch},
};
constexpr Field kValidatingAutogen[] = {
    {"podControllers", kObject, kPodControllers},
    {"validatingAdmissionPolicy", kObject, kSwitch},
};
constexpr Field kValidating[] = {
    {"matchConstraints", kObject, kMatchConstraints},
    {"matchConditions", kObjects, kNamedExpression, false, "name"},
    {"variables", kObjects, kNamedExpression, false, "name"},
    {"validations", kObjects, kValidation},
    {"auditAnnotations", kObjects, kAuditAnnotation, false, "key"},
    {"failurePolicy", kString},
    {"validationActions", kStrings},
    {"webhookConfiguration", kObject, kWebhook},
    {"evaluation", kObject, kValidatingEvaluation},
    {"autogen", kObject, kValidatingAutogen},
};

constexpr Field kExpression[] = {{"expression", kString}};
constexpr Field kMutation[] = {
    {"patchType", kString},
    {"applyConfiguration", kObject, kExpression},
    {"jsonPatch", kObject, kExpression},
};
constexpr Field kTargetConstraints[] = {
    {"matchPolicy", kString},
    {"resourceRules", kObjects, kRule},
    {"excludeResourceRules", kObjects, kRule},
    {"namespaceSelector", kObject, kSelector},
    {"objectSelector", kObject, kSelector},
    {"expression", kString},
};
constexpr Field kMutatingEvaluation[] = {
    {"mode", kString},
    {"admission", kObject, kSwitch},
    {"background", kObject, kSwitch},
    {"mutateExisting", kObject, kSwitch},
    {"skipBackgroundRequests", kBool},
    {"useServerSideApply", kBool},
};
constexpr Field kMutatingAutogen[] = {
    {"podControllers", kObject, kPodControllers},
    {"mutatingAdmissionPolicy", kObject, kSwitch},
};
constexpr Field kMutating[] = {
    {"matchConstraints", kObject, kMatchConstraints},
    {"matchConditions", kObjects, kNamedExpression, false, "name"},
    {"variables", kObjects, kNamedExpression, false, "name"},
    {"mutations", kObjects, kMutation},
    {"auditAnnotations", kObjects, kAuditAnnotation, false, "key"},
    {"failurePolicy", kString},
    {"reinvocationPolicy", kString},
    {"targetMatchConstraints", kObject, kTargetConstraints},
    {"targetMatchConditions", kObjects, kNamedExpression},
    {"webhookConfiguration", kObject, kWebhook},
    {"evaluation", kObject, kMutatingEvaluation},
    {"autogen", kObject, kMutatingAutogen},
};

constexpr Field kTemplate[] = {
    {"value", kString},
    {"interpolate", kString},
};
constexpr Field kGeneration[] = {
    {"expression", kString},
    {"template", kObject, kTemplate},
};
constexpr Field kGeneratingEvaluation[] = {
    {"admission", kObject, kSwitch},   {"generateExisting", kObject, kSwitch},
    {"synchronize", kObject, kSwitch}, {"orphanDownstreamOnPolicyDelete", kObject, kSwitch},
    {"skipBackgroundRequests", kBool},
};
constexpr Field kGenerating[] = {
    {"matchConstraints", kObject, kMatchConstraints},
    {"matchConditions", kObjects, kNamedExpression, false, "name"},
    {"variables", kObjects, kNamedExpression, false, "name"},
    {"generate", kObjects, kGeneration},
    {"auditAnnotations", kObjects, kAuditAnnotation, false, "key"},
    {"webhookConfiguration", kObject, kWebhook},
    {"evaluation", kObject, kGeneratingEvaluation},
    {"useServerSideApply", kBool},
};

constexpr Field kDeleting[] = {
    {"matchConstraints", kObject, kMatchConstraints},
    {"conditions", kObjects, kNamedExpression},
    {"variables", kObjects, kNamedExpression, false, "name"},
    {"schedule", kString},
    {"deletionPropagationPolicy", kString},
};

constexpr Field kImageReference[] = {
    {"glob", kString},
    {"expression", kString},
};
constexpr Field kStringOrExpression[] = {
    {"value", kString},
    {"expression", kString},
};
constexpr Field kCosignKey[] = {
    {"data", kString},
    {"kms", kString},
    {"hashAlgorithm", kString},
    {"expression", kString},
};
constexpr Field kIdentity[] = {
    {"issuer", kString},        {"subject", kString},           {"issuerRegExp", kString},
    {"subjectRegExp", kString}, {"subjectExpression", kString},
};
constexpr Field kKeyless[] = {
    {"identities", kObjects, kIdentity, true},
    {"roots", kString},
    {"additionalExtensions", kStringMap},
};
constexpr Field kCertificate[] = {
    {"cert", kObject, kStringOrExpression},
    {"certChain", kObject, kStringOrExpression},
};
constexpr Field kPullSecret[] = {{"name", kString}};
constexpr Field kSource[] = {
    {"repository", kString},
    {"PullSecrets", kObjects, kPullSecret},
    {"tagPrefix", kString},
};
constexpr Field kTransparencyLog[] = {
    {"url", kString},          {"rekorPubKey", kString},      {"ctLogPubKey", kString},
    {"tsaCertChain", kString}, {"insecureIgnoreTlog", kBool}, {"insecureIgnoreSCT", kBool},
};
constexpr Field kTufRoot[] = {
    {"path", kString},
    {"data", kString},
};
constexpr Field kTuf[] = {
    {"mirror", kString},
    {"root", kObject, kTufRoot},
};
constexpr Field kCosign[] = {
    {"key", kObject, kCosignKey},
    {"keyless", kObject, kKeyless},
    {"certificate", kObject, kCertificate},
    {"source", kObject, kSource},
    {"ctlog", kObject, kTransparencyLog},
    {"tuf", kObject, kTuf},
    {"trustedRoot", kObject, kStringOrExpression},
    {"annotations", kStringMap},
};
constexpr Field kNotary[] = {
    {"certs", kObject, kStringOrExpression},
    {"tsaCerts", kObject, kStringOrExpression},
};
constexpr Field kAttestor[] = {
    {"name", kString, {}, true},
    {"cosign", kObject, kCosign},
    {"notary", kObject, kNotary},
};
constexpr Field kType[] = {{"type", kString, {}, true}};
constexpr Field kAttestation[] = {
    {"name", kString, {}, true},
    {"intoto", kObject, kType},
    {"referrer", kObject, kType},
};
constexpr Field kImageValidationConfiguration[] = {
    {"mutateDigest", kBool},
    {"verifyDigest", kBool},
    {"required", kBool},
};
constexpr Field kCredentials[] = {
    {"allowInsecureRegistry", kBool},
    {"providers", kStrings},
    {"secrets", kStrings},
};
constexpr Field kImageAutogen[] = {{"podControllers", kObject, kPodControllers}};
constexpr Field kImageValidating[] = {
    {"matchConstraints", kObject, kMatchConstraints},
    {"matchConditions", kObjects, kNamedExpression},
    {"matchImageReferences", kObjects, kImageReference},
    {"variables", kObjects, kNamedExpression, false, "name"},
    {"images", kObjects, kNamedExpression},
    {"attestors", kObjects, kAttestor},
    {"attestations", kObjects, kAttestation},
    {"validations", kObjects, kValidation},
    {"auditAnnotations", kObjects, kAuditAnnotation, false, "key"},
    {"failurePolicy", kString},
    {"validationActions", kStrings},
    {"validationConfigurations", kObject, kImageValidationConfiguration},
    {"credentials", kObject, kCredentials},
    {"webhookConfiguration", kObject, kWebhook},
    {"evaluation", kObject, kValidatingEvaluation},
    {"autogen", kObject, kImageAutogen},
};

}  // namespace

const std::span<const Field> kPolicyExceptionFields = kException;
const std::span<const Field> kValidatingPolicyFields = kValidating;
const std::span<const Field> kMutatingPolicyFields = kMutating;
const std::span<const Field> kGeneratingPolicyFields = kGenerating;
const std::span<const Field> kDeletingPolicyFields = kDeleting;
const std::span<const Field> kImageValidatingPolicyFields = kImageValidating;

}  // namespace portcullis::exceptions
