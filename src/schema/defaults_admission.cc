#include "schema/rules.h"

namespace portcullis::schema {

namespace {

constexpr LiteralRule kLiterals[] = {
    {"admissionregistration.v1.ValidatingWebhook", "failurePolicy", "\"Fail\""},
    {"admissionregistration.v1.ValidatingWebhook", "matchPolicy", "\"Equivalent\""},
    {"admissionregistration.v1.ValidatingWebhook", "namespaceSelector", "{}"},
    {"admissionregistration.v1.ValidatingWebhook", "objectSelector", "{}"},
    {"admissionregistration.v1.ValidatingWebhook", "timeoutSeconds", "10"},
    {"admissionregistration.v1.MutatingWebhook", "failurePolicy", "\"Fail\""},
    {"admissionregistration.v1.MutatingWebhook", "matchPolicy", "\"Equivalent\""},
    {"admissionregistration.v1.MutatingWebhook", "namespaceSelector", "{}"},
    {"admissionregistration.v1.MutatingWebhook", "objectSelector", "{}"},
    {"admissionregistration.v1.MutatingWebhook", "timeoutSeconds", "10"},
    {"admissionregistration.v1.MutatingWebhook", "reinvocationPolicy", "\"Never\""},
    {"admissionregistration.v1.RuleWithOperations", "scope", "\"*\""},
    {"admissionregistration.v1.ServiceReference", "port", "443"},
    {"admissionregistration.v1.NamedRuleWithOperations", "scope", "\"*\""},
    {"admissionregistration.v1.MatchResources", "matchPolicy", "\"Equivalent\""},
    {"admissionregistration.v1.MatchResources", "namespaceSelector", "{}"},
    {"admissionregistration.v1.MatchResources", "objectSelector", "{}"},
    {"admissionregistration.v1.ValidatingAdmissionPolicySpec", "failurePolicy", "\"Fail\""},
    {"admissionregistration.v1.MutatingAdmissionPolicySpec", "failurePolicy", "\"Fail\""},
    {"admissionregistration.v1beta1.NamedRuleWithOperations", "scope", "\"*\""},
    {"admissionregistration.v1beta1.MatchResources", "matchPolicy", "\"Equivalent\""},
    {"admissionregistration.v1beta1.MatchResources", "namespaceSelector", "{}"},
    {"admissionregistration.v1beta1.MatchResources", "objectSelector", "{}"},
    {"admissionregistration.v1beta1.MutatingAdmissionPolicySpec", "failurePolicy", "\"Fail\""},
    {"admissionregistration.v1alpha1.NamedRuleWithOperations", "scope", "\"*\""},
    {"admissionregistration.v1alpha1.MatchResources", "matchPolicy", "\"Equivalent\""},
    {"admissionregistration.v1alpha1.MatchResources", "namespaceSelector", "{}"},
    {"admissionregistration.v1alpha1.MatchResources", "objectSelector", "{}"},
    {"admissionregistration.v1alpha1.MutatingAdmissionPolicySpec", "failurePolicy", "\"Fail\""},
    {"admissionregistration.v1alpha1.ParamRef", "parameterNotFoundAction", "\"Deny\""},
};

}  // namespace

RuleGroup AdmissionRules() { return {kLiterals, {}}; }

}  // namespace portcullis::schema
