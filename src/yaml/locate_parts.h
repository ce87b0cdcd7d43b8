#ifndef PORTCULLIS_YAML_LOCATE_PARTS_H_
#define PORTCULLIS_YAML_LOCATE_PARTS_H_

// What the two ways of finding paths share (see yaml/locate.h). Pure functions, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

#include "doc/path.h"
#include "doc/text_position.h"
#include "yaml/events.h"

namespace portcullis::yaml {

// The text under which a scalar key is stored in a document.
std::string KeyText(const Event& event);
inline bool IsMergeKey(const Event& event) {
  return event.plain && event.tag.empty() && event.value == "<<";
}

// JSON that YAML cannot read (surrogate escapes) is scanned as what it is: the better one of
// `as_yaml` and what that finds.
doc::PathLocation PreferJson(std::string_view text, doc::PathView path, std::uint32_t first_line,
                             const doc::PathLocation& as_yaml);

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_LOCATE_PARTS_H_
