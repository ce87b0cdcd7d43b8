#ifndef PORTCULLIS_PATCH_JSON_PATCH_H_
#define PORTCULLIS_PATCH_JSON_PATCH_H_

// JSON Patch (RFC 6902) with the semantics of the library inside the API server
// (spec/kubernetes-admission.md 3.5): `replace` of an absent key adds it, `copy` of an absent key
// copies null, negative indexes count from the end, and the error texts are the library's.
//
// Documents are immutable: the result shares everything that no operation touched, and lives in the
// arena together with the operations' values, which are not copied either.
// Pure functions: thread-safe as long as each thread has its own arena.

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"

namespace portcullis::patch {

struct Operation {
  // Members that are absent, null or no string count as absent.
  std::optional<std::string_view> op;
  std::optional<std::string_view> path;
  std::optional<std::string_view> from;
  bool has_value = false;
  // A null that counts as a value of its own. One read from JSON text counts as "no value", which
  // shows in `test` of an absent key.
  bool null_is_value = false;
  doc::Value value;  // null when absent
};

struct JsonPatchLimits {
  std::size_t copied_bytes = std::size_t{3} * 1024 * 1024;  // JSON bytes that `copy` may add
  std::size_t depth = 1000;                                 // nesting of the result
  const std::atomic<bool>* interrupt = nullptr;             // polled before each operation
};

struct JsonPatchResult {
  doc::Value value;          // meaningful when ok()
  std::string error;         // the library's text
  bool test_failed = false;  // `error` stems from a `test` that did not hold
  bool ok() const { return error.empty(); }
};

// Reads a patch document: a list of objects. The operations borrow from `patch`. The error text is
// what decoding the document says.
base::Result<std::vector<Operation>> DecodeJsonPatch(const doc::Value& patch);

// Applies all operations, or none. Keys of the result may point into the paths of the operations.
JsonPatchResult ApplyJsonPatch(base::Arena& arena, const doc::Value& document,
                               std::span<const Operation> operations,
                               const JsonPatchLimits& limits = {});

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_JSON_PATCH_H_
