#ifndef PORTCULLIS_BASE_VALIDATION_H_
#define PORTCULLIS_BASE_VALIDATION_H_

// Name checks of apimachinery (util/validation, api/validation) with their messages (spec/cel.md
// 16.6). Each function returns the messages; none means valid. Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace portcullis::base {

using Messages = std::vector<std::string>;

Messages ValidateDns1123Label(std::string_view text);
Messages ValidateDns1123Subdomain(std::string_view text);
Messages ValidateDns1035Label(std::string_view text);
Messages ValidateQualifiedName(std::string_view text);
Messages ValidateLabelValue(std::string_view text);
// `may not be '.'`, `may not be '..'`, `may not contain '/'`, `may not contain '%'`.
Messages ValidatePathSegment(std::string_view text);
// Names that end in a generated suffix: before the check the last two characters become one 'a'
// when the name ends in '-' and is longer than that.
std::string MaskTrailingDash(std::string_view text);

// Cheap forms without messages.
bool IsDns1123Label(std::string_view text);
bool IsDns1123Subdomain(std::string_view text);
bool IsDns1035Label(std::string_view text);
bool IsQualifiedName(std::string_view text);
bool IsLabelValue(std::string_view text);
// [A-Za-z_][A-Za-z0-9_]*
bool IsCIdentifier(std::string_view text);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_VALIDATION_H_
