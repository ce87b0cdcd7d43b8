#ifndef PORTCULLIS_SCHEMA_NORMALISE_H_
#define PORTCULLIS_SCHEMA_NORMALISE_H_

// The walk that turns a document of a built-in kind into what the server's typed objects write
// back: unknown fields and empty values go, scalars become canonical, rules add defaults, fields
// that are always written appear. Internal to src/schema; see defaulting.h for the contract.

#include "doc/value.h"
#include "schema/fields.h"
#include "schema/schema.h"

namespace portcullis::schema {

// `value` as an instance of the built-in `schema`, with all defaults below and at it.
doc::Value Normalise(Workspace& workspace, const doc::Value& value, const Schema& schema);

// What an always-written field of this schema holds when nothing was given.
doc::Value ZeroValue(Workspace& workspace, const Schema& schema);

// Records `unknown field "path.name"` at the workspace's current path.
void WarnUnknownField(Workspace& workspace, std::string_view name);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_NORMALISE_H_
