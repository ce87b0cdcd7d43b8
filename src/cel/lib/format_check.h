#ifndef PORTCULLIS_CEL_LIB_FORMAT_CHECK_H_
#define PORTCULLIS_CEL_LIB_FORMAT_CHECK_H_

// The static check of `'literal'.format([literal, ...])` (spec/cel.md 15.4), over the clause text
// and the checked types of the arguments. The caller (the checker's validator) describes the
// arguments; nothing here knows the tree. Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cel/check/type.h"

namespace portcullis::cel {

struct FormatArgument {
  const Type* type = nullptr;
  std::uint32_t node = 0;  // the caller's number of the expression
  // Of a list literal its elements, of a map literal its keys and values (in any order), of
  // anything else nothing.
  std::vector<FormatArgument> children = {};
};

struct FormatIssue {
  bool at_call = true;  // position: the call itself, or the expression `node`
  std::uint32_t node = 0;
  std::string message;  // whole text of the issue
};

// The first problem, if any. `portable` selects the rules of strings version 4 and later.
std::optional<FormatIssue> CheckFormatLiteral(std::string_view text,
                                              const std::vector<FormatArgument>& arguments,
                                              bool portable);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_LIB_FORMAT_CHECK_H_
