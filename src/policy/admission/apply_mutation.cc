#include "policy/admission/apply_mutation.h"

#include "cel/eval/native.h"
#include "doc/edit.h"
#include "patch/structured_merge.h"
#include "policy/admission/mutation_values.h"

namespace portcullis::policy {
namespace {

AppliedMutation Failed(std::string error) {
  AppliedMutation out;
  out.error = std::move(error);
  return out;
}

}  // namespace

AppliedMutation ApplyObject(base::Arena& arena, const doc::Value& value, const doc::Value& object,
                            const ObjectMerge& how) {
  const std::string mismatch = cel::ObjectTypeNameErrors(value);
  if (!mismatch.empty()) return Failed("type mismatch: " + mismatch);
  doc::Value partial;
  if (!ToPartialObject(arena, value, partial)) {
    return Failed("invalid return type: *dynamic.ObjectVal");
  }
  constexpr std::string_view kPrefix = "error applying patch: ";
  if (how.schema == nullptr) {
    return Failed(std::string(kPrefix) +
                  "failed to convert patch object to typed object: no corresponding type for " +
                  match::ToString(how.kind));
  }
  doc::MapBuilder patch(partial);
  for (const std::string_view name : {"apiVersion", "kind"}) {
    patch.Set(name, doc::Value::String(object.StringAt(name)));
  }
  patch::MergeOptions options;
  options.replace_atomics = how.replace_atomics;
  options.keep_empty_lists = how.keep_empty_lists;
  const patch::MergeResult merged =
      patch::ApplyConfiguration(arena, *how.schema, object, patch.Build(arena), options);
  if (!merged.ok()) return Failed(std::string(kPrefix) + merged.error);
  AppliedMutation out;
  out.object = merged.value;
  return out;
}

AppliedMutation ApplyOperations(base::Arena& arena, std::span<const patch::Operation> operations,
                                const doc::Value& object, const std::atomic<bool>* interrupt) {
  patch::JsonPatchLimits limits;
  limits.interrupt = interrupt;
  patch::JsonPatchResult patched = patch::ApplyJsonPatch(arena, object, operations, limits);
  AppliedMutation out;
  if (patched.test_failed) {
    out.object = object;
    out.test_failed = true;
    return out;
  }
  if (!patched.ok()) return Failed("JSON Patch: " + patched.error);
  out.object = patched.value;
  return out;
}

}  // namespace portcullis::policy
