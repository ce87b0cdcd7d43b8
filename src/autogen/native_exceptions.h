#ifndef PORTCULLIS_AUTOGEN_NATIVE_EXCEPTIONS_H_
#define PORTCULLIS_AUTOGEN_NATIVE_EXCEPTIONS_H_

// PolicyExceptions as parts of a native policy: match conditions that leave out what is exempt, and
// lists in place of `exceptions.*` (spec/kyverno-cel-policies.md 3.3, 8.4). Pure.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"

namespace portcullis::autogen {

struct Exemption {
  std::string name;        // of the condition, if it is one, else of the exception
  std::string expression;  // true for what is not exempt
};

struct FoldedExceptions {
  std::vector<Exemption> exemptions;
  std::string allowed_images;  // expressions of type list(string)
  std::string allowed_values;
  std::vector<std::string> refusals;
  std::vector<std::string> warnings;
};

// Of `exceptions`, those that refer to the policy.
FoldedExceptions FoldExceptions(const doc::Value& policy, std::span<const doc::Value> exceptions,
                                bool controls);

// `exceptions.allowedImages` and `exceptions.allowedValues` replaced by other expressions.
std::string WithoutExceptions(std::string_view expression, std::string_view images,
                              std::string_view values);

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_NATIVE_EXCEPTIONS_H_
