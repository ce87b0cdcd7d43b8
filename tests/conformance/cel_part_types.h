#ifndef PORTCULLIS_TESTS_CONFORMANCE_CEL_PART_TYPES_H_
#define PORTCULLIS_TESTS_CONFORMANCE_CEL_PART_TYPES_H_

// Types and declarations in the JSON form of cel.expr.Decl, as the cel-spec suite writes them.

#include <memory>
#include <string>
#include <string_view>

#include "cel/check/env.h"
#include "doc/value.h"

namespace portcullis::conformance {

// The run-time name of a cel.expr.Type document: "list(int)", "optional_type(dyn)".
std::string SpecTypeName(const doc::Value& type);

// Values compared as the suite does: exact kinds, NaN equals NaN, map order ignored.
bool SpecValueEqual(const doc::Value& expected, const doc::Value& actual);

// The environment `cel` with the declarations of one test.
std::shared_ptr<const cel::Env> SpecEnvironment(const doc::Value* declarations,
                                                std::string_view container, bool disable_macros);

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_CEL_PART_TYPES_H_
