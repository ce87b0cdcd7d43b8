#ifndef PORTCULLIS_DOC_PATH_H_
#define PORTCULLIS_DOC_PATH_H_

// Paths into documents: field paths as people read them, `spec.containers[0].image` and
// `metadata.labels["app.kubernetes.io/name"]`, and JSON pointers (RFC 6901).
// Value types; pure functions, thread-safe.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "doc/value.h"

namespace portcullis::doc {

// A member of a map, or an item of a list.
struct PathStep {
  std::string key;
  std::int64_t index = -1;  // >= 0: a list item, `key` is unused

  PathStep() = default;
  PathStep(std::string k) : key(std::move(k)) {}  // NOLINT(google-explicit-constructor)
  PathStep(const char* k) : key(k) {}             // NOLINT(google-explicit-constructor)
  PathStep(std::int64_t i) : index(i) {}          // NOLINT(google-explicit-constructor)
  PathStep(int i) : index(i) {}                   // NOLINT(google-explicit-constructor)

  bool is_index() const { return index >= 0; }
  bool operator==(const PathStep&) const = default;
};

using Path = std::vector<PathStep>;
using PathView = std::span<const PathStep>;

// Appends one step: `.key`, `["odd key"]` or `[3]`. A key of letters, digits, `_`, `-` and `$` is
// written plainly.
void AppendStep(std::string* path, const PathStep& step);
std::string RenderPath(PathView path);

// Reads what RenderPath writes, and also `[key]`, `['key']` and the forms of Kubernetes field
// errors (`metadata.labels[app.kubernetes.io/name]`). The empty text is the root.
base::Result<Path> ParsePath(std::string_view text);

// The value at `path`, or null if a step leads nowhere.
const Value* Lookup(const Value& root, PathView path);
// Convenience: a chain of map keys, `LookupKeys(pod, {"metadata", "name"})`.
const Value* LookupKeys(const Value& root, std::initializer_list<std::string_view> keys);

// JSON pointers. The empty text is the root; any other must start with `/`; `~0` and `~1` stand
// for `~` and `/`, another `~` is kept.
base::Result<std::vector<std::string>> ParsePointer(std::string_view text);
std::string RenderPointer(std::span<const std::string> tokens);
std::string EscapePointerToken(std::string_view token);
// The value at the pointer; list tokens are decimal numbers without leading zeros.
const Value* LookupPointer(const Value& root, std::span<const std::string> tokens);
// Reads a list token; false if it is no plain decimal number.
bool ParseListToken(std::string_view token, std::size_t* index);

// The pointer tokens as a field path, taking numbers as items where `root` has lists.
Path PointerToPath(const Value& root, std::span<const std::string> tokens);

}  // namespace portcullis::doc

#endif  // PORTCULLIS_DOC_PATH_H_
