#ifndef PORTCULLIS_SCHEMA_QUALITY_H_
#define PORTCULLIS_SCHEMA_QUALITY_H_

// The quality-of-service class of a Pod, from its requests and limits. Pure, thread-safe.

#include <string_view>

#include "doc/value.h"

namespace portcullis::schema {

// "Guaranteed", "Burstable" or "BestEffort"; `spec` is a Pod's spec with defaults.
std::string_view QualityClass(const doc::Value& spec);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_QUALITY_H_
