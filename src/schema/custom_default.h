#ifndef PORTCULLIS_SCHEMA_CUSTOM_DEFAULT_H_
#define PORTCULLIS_SCHEMA_CUSTOM_DEFAULT_H_

// Pruning and defaulting of custom resources by the structural schema of their definition
// (spec/kubernetes-admission.md 5.4). Unlike built-in kinds nothing else changes: no zero values,
// no canonical text; explicit nulls stay where the schema allows them. Internal to src/schema.

#include "doc/value.h"
#include "schema/fields.h"
#include "schema/schema.h"

namespace portcullis::schema {

// A whole custom resource: metadata as every object has it, the rest by `schema`.
doc::Value DefaultCustom(Workspace& workspace, const doc::Value& object, const Schema& schema);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_CUSTOM_DEFAULT_H_
