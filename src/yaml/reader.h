#ifndef PORTCULLIS_YAML_READER_H_
#define PORTCULLIS_YAML_READER_H_

// YAML text -> doc::Value exactly as sigs.k8s.io/yaml makes it (spec/engineering.md 4.1): YAML 1.1
// scalars, keys as strings, merge keys, anchors with Go's guard against alias bombs, numbers as if
// they had gone through JSON text (1.0 is the integer 1). Aliased subtrees are shared, not copied.
//
// One pass, no recursion, linear time. Values live in the caller's arena; the text may go away.
// Thread-safe (scratch memory is per thread).

#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"

namespace portcullis::yaml {

struct ReadOptions {
  // Duplicate keys (merged ones included) and text after the end of the document are errors; the
  // span and the hint name both places.
  bool strict = false;
  // Line of the text's first line in its file: added to spans, never to Go's message.
  std::uint32_t first_line = 1;
};

// The first YAML document of `text` (use the splitter for streams). Text without content is null.
// Errors carry Go's message (`yaml: line 3: ...`) and our own line and column in `span`.
base::Result<doc::Value> Parse(std::string_view text, base::Arena& arena,
                               const ReadOptions& options = {});

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_READER_H_
