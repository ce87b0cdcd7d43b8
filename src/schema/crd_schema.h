#ifndef PORTCULLIS_SCHEMA_CRD_SCHEMA_H_
#define PORTCULLIS_SCHEMA_CRD_SCHEMA_H_

// From the openAPIV3Schema of a CustomResourceDefinition to a schema graph. Reports what makes a
// schema not structural, with the API server's texts. Internal to src/schema.
// Nodes live in `arena`, names and defaults are copied into it.

#include <string>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "schema/schema.h"

namespace portcullis::schema {

// The root node of `json_schema`, with apiVersion, kind and metadata as every object has them.
// `path` is the field path of the schema in the definition.
const Schema* BuildCustomSchema(const doc::Value& json_schema, const std::string& path,
                                base::Arena& arena, base::ErrorList& errors);

// The node of a version that has no schema or asks to keep everything.
const Schema* AnyCustomSchema(base::Arena& arena);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_CRD_SCHEMA_H_
