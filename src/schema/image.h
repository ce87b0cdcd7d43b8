#ifndef PORTCULLIS_SCHEMA_IMAGE_H_
#define PORTCULLIS_SCHEMA_IMAGE_H_

// The little of container image names that defaulting needs (reference grammar of the distribution
// project). Pure function, thread-safe, linear.

#include <string_view>

namespace portcullis::schema {

// Is this a well-formed reference whose tag is "latest", written or implied (no tag, no digest)?
// Only such images are pulled always; a malformed one counts as tagged.
bool IsLatestImage(std::string_view image);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_IMAGE_H_
