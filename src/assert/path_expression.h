#ifndef PORTCULLIS_ASSERT_PATH_EXPRESSION_H_
#define PORTCULLIS_ASSERT_PATH_EXPRESSION_H_

// The expressions of assertion trees that need no JMESPath: a path (`metadata.labels."a/b"`,
// `spec.containers[0].image`, `@`), a comparison of a path with a path or a literal ('text',
// `json`), and alternatives of them (`a || 'b'`). Everything else is an error that says so. Pure
// functions, thread-safe.

#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"

namespace portcullis::assertion {

// The value of `text` on `subject`; a path that leads nowhere is null, as in JMESPath. Values live
// in `arena` or in the subject. Error kUnsupported: the expression needs JMESPath.
base::Result<doc::Value> EvaluateSimple(std::string_view text, const doc::Value& subject,
                                        base::Arena& arena);

}  // namespace portcullis::assertion

#endif  // PORTCULLIS_ASSERT_PATH_EXPRESSION_H_
