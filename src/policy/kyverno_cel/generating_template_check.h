#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_TEMPLATE_CHECK_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_TEMPLATE_CHECK_H_

// What a template with placeholders may not have where its values are no longer YAML: placeholders
// in keys, merge keys beside placeholders, keys that are no scalars
// (spec/kyverno-cel-policies.md 5.3). Pure.

#include <cstdint>
#include <string>
#include <string_view>

namespace portcullis::policy::kyverno_cel {

// The first problem of one YAML document that parses, or empty.
std::string CheckTemplateKeys(std::string_view text, std::uint32_t first_line);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_TEMPLATE_CHECK_H_
