#ifndef PORTCULLIS_POLICY_ADMISSION_CONVERT_H_
#define PORTCULLIS_POLICY_ADMISSION_CONVERT_H_

// Conversion of an object to another version of its kind, for `matchPolicy: Equivalent`
// (spec/kubernetes-admission.md 1.8): custom resources without a conversion webhook, HorizontalPod-
// Autoscalers and Events. Pure.

#include <optional>

#include "base/arena.h"
#include "doc/value.h"
#include "match/request.h"
#include "schema/type_table.h"

namespace portcullis::policy {

// The object as `to`, in `arena`; nullopt when nothing is known about such a conversion.
std::optional<doc::Value> ConvertObject(const doc::Value& object,
                                        const match::GroupVersionKind& from,
                                        const match::GroupVersionKind& to,
                                        const schema::TypeTable* types, base::Arena& arena);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_CONVERT_H_
