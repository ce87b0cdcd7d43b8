#ifndef PORTCULLIS_POLICY_ADMISSION_COMPLETE_H_
#define PORTCULLIS_POLICY_ADMISSION_COMPLETE_H_

// What the API server adds to an object that a mutation changed: the defaults of its kind, as when
// the object was submitted (spec/kubernetes-admission.md 3.2). Pure; the result lives in the arena.

#include "base/arena.h"
#include "doc/value.h"
#include "match/request.h"
#include "schema/type_table.h"

namespace portcullis::policy {

// Objects of kinds that are not known stay as they are. `types` null: the built-in kinds.
doc::Value CompleteMutated(const doc::Value& object, const match::GroupVersionKind& kind,
                           const schema::TypeTable* types, base::Arena& arena);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_COMPLETE_H_
