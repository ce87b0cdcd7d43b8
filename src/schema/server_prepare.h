#ifndef PORTCULLIS_SCHEMA_SERVER_PREPARE_H_
#define PORTCULLIS_SCHEMA_SERVER_PREPARE_H_

// What the code of single built-in resources sets on CREATE, after mutation: pod status, Job
// selectors, Service addresses, finalizers. Internal to src/schema.

#include "schema/defaulting.h"
#include "schema/fields.h"
#include "schema/schema.h"

namespace portcullis::schema {

// Prepares the whole object `fields` of `kind`, whose metadata is complete and status reset.
void PrepareForCreate(Fields& fields, const Kind& kind, const ServerFacts& facts);

// Pod status, and what labels, annotations and container resources imply for the spec.
void PreparePod(Fields& fields, const ServerFacts& facts);

// The storage version of a CustomResourceDefinition is listed in its status.
void SetStoredVersions(Fields& fields);

// A Service's addresses, families and node ports.
void AllocateService(Fields& spec, const ServerFacts& facts);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_SERVER_PREPARE_H_
