#ifndef PORTCULLIS_YAML_ENCODING_H_
#define PORTCULLIS_YAML_ENCODING_H_

// Byte order marks and UTF-16: brings file contents to plain UTF-8 before anything else looks at
// them. Pure functions, thread-safe.

#include <string>
#include <string_view>

namespace portcullis::yaml {

// `text` without its UTF-8 byte order mark, or decoded into `*storage` if it starts with a UTF-16
// one (unpaired surrogates and odd bytes become U+FFFD). The result views one of the two.
std::string_view ToUtf8(std::string_view text, std::string* storage);

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_ENCODING_H_
