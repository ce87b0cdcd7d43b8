// JSON Patch, merge patch and diff on arbitrary documents. The input is two JSON texts, separated
// by a zero byte: a document and a patch. Properties: nothing crashes, a failed patch has an error
// text, and diffing back restores the document.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "doc/equal.h"
#include "json/reader.h"
#include "patch/diff.h"
#include "patch/json_merge.h"
#include "patch/json_patch.h"

namespace {

using namespace portcullis;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckDiff(base::Arena& arena, const doc::Value& from, const doc::Value& to) {
  if (!from.is_map() || !to.is_map()) return;  // a root of another type cannot be replaced by all
  patch::JsonPatchLimits limits;
  limits.depth = 20000;
  const auto result = patch::ApplyJsonPatch(arena, from, patch::Diff(arena, from, to), limits);
  Require(result.ok());
  Require(doc::DataEqual(result.value, to));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\0');
  if (split == std::string_view::npos) return 0;
  base::Arena arena;
  json::ReadOptions options;
  options.max_depth = 500;
  const auto document = json::Parse(input.substr(0, split), arena, options);
  const auto change = json::Parse(input.substr(split + 1), arena, options);
  if (!document.ok() || !change.ok()) return 0;

  CheckDiff(arena, *document, *change);
  CheckDiff(arena, *document, patch::ApplyMergePatch(arena, *document, *change));
  const auto operations = patch::DecodeJsonPatch(*change);
  if (!operations.ok()) return 0;
  const auto result = patch::ApplyJsonPatch(arena, *document, *operations);
  Require(result.ok() || !result.error.empty());
  if (result.ok()) CheckDiff(arena, result.value, *document);
  return 0;
}
