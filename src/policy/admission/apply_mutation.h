#ifndef PORTCULLIS_POLICY_ADMISSION_APPLY_MUTATION_H_
#define PORTCULLIS_POLICY_ADMISSION_APPLY_MUTATION_H_

// From the result of a mutation's expression to the mutated object, for every mutating family
// (spec/kubernetes-admission.md 3.4, 3.5; spec/kyverno-cel-policies.md 4.2). What becomes of the
// object afterwards (decoding, defaults) is the family's. Pure; results live in the arena.

#include <atomic>
#include <span>
#include <string>

#include "base/arena.h"
#include "doc/value.h"
#include "match/request.h"
#include "patch/json_patch.h"
#include "schema/schema.h"

namespace portcullis::policy {

struct AppliedMutation {
  doc::Value object;  // the new object, without an error
  std::string error;  // the API server's text
  // A `test` operation did not hold: `object` is the old one, and there is no error.
  bool test_failed = false;
};

// How the object of an ApplyConfiguration is merged.
struct ObjectMerge {
  const schema::Schema* schema = nullptr;  // null: no type to merge by
  match::GroupVersionKind kind;
  bool replace_atomics = false;   // otherwise what mentions atomic fields is refused
  bool keep_empty_lists = false;  // otherwise they become null, as in the API server
};

// Merges what the Object{...} `value` stands for into `object`.
AppliedMutation ApplyObject(base::Arena& arena, const doc::Value& value, const doc::Value& object,
                            const ObjectMerge& how);

// Applies the operations of a list(JSONPatch), see ToOperations.
AppliedMutation ApplyOperations(base::Arena& arena, std::span<const patch::Operation> operations,
                                const doc::Value& object, const std::atomic<bool>* interrupt);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_APPLY_MUTATION_H_
