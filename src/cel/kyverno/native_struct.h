#ifndef PORTCULLIS_CEL_KYVERNO_NATIVE_STRUCT_H_
#define PORTCULLIS_CEL_KYVERNO_NATIVE_STRUCT_H_

// Values of the struct types that Kyverno's environments have: user.ServiceAccount and
// libs.Exception (spec/kyverno-cel-policies.md 8.5, 10.6). They live in the evaluation's arena;
// everything here is thread-safe.

#include <memory>
#include <span>
#include <string_view>

#include "cel/check/env.h"
#include "cel/eval/host_type.h"
#include "doc/value.h"

namespace portcullis::cel {

// The field types of these structs, for Env::AddProvider.
std::shared_ptr<const TypeProvider> KyvernoStructTypes();

// The value of `type_name{fields}`, which may be an error; false when `type_name` is none of them.
bool BuildKyvernoStruct(CallContext& context, std::string_view type_name, const doc::Value& fields,
                        doc::Value& out);

// user.ServiceAccount; the texts are borrowed.
doc::Value MakeServiceAccount(base::Arena& arena, std::string_view name, std::string_view ns);

// libs.Exception, the value of the variable `exceptions`: lists of strings, or null values for
// lists that nobody set.
doc::Value MakeKyvernoException(base::Arena& arena, const doc::Value& allowed_images,
                                const doc::Value& allowed_values);

// The document that Go's encoding/json writes for one of these structs; false for anything else.
bool KyvernoStructDocument(base::Arena& arena, const doc::Value& value, doc::Value& out);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_NATIVE_STRUCT_H_
