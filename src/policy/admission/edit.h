#ifndef PORTCULLIS_POLICY_ADMISSION_EDIT_H_
#define PORTCULLIS_POLICY_ADMISSION_EDIT_H_

// Small edits of objects: copies of one map with a member set, removed or renamed. The rest is
// shared with the original. O(members).

#include <string_view>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::policy {

// `key` is borrowed when it is new.
doc::Value With(base::Arena& arena, const doc::Value& map, std::string_view key,
                const doc::Value& value);
doc::Value Without(base::Arena& arena, const doc::Value& map, std::string_view key);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_EDIT_H_
