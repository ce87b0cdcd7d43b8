#ifndef PORTCULLIS_SCHEMA_POD_RESOURCES_H_
#define PORTCULLIS_SCHEMA_POD_RESOURCES_H_

// Requests and limits of a whole Pod (spec.resources): what the server derives from those of its
// containers when the user set some of them. Internal to src/schema.

#include "schema/fields.h"

namespace portcullis::schema {

// Completes `resources` of a Pod's `spec`; nothing happens without any request or limit there.
void CompletePodResources(Fields& spec);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_POD_RESOURCES_H_
