#ifndef PORTCULLIS_YAML_SPLIT_H_
#define PORTCULLIS_YAML_SPLIT_H_

// Splits a stream into documents by lines, as Kubernetes clients do before any YAML is parsed
// (spec/engineering.md 4.1, "Streams"): a line `---` ends a document; on an empty buffer it is
// kept as the first line of the next one. O(size), allocates nothing, views into the text.

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace portcullis::yaml {

struct Chunk {
  std::string_view text;
  std::uint32_t first_line = 1;
  // False if every line is blank or a comment: such chunks are no documents.
  bool has_content = false;
};

class Splitter {
 public:
  explicit Splitter(std::string_view text, std::uint32_t first_line = 1)
      : rest_(text), line_(first_line) {}

  // True and a chunk, or false at the end. An error (text behind `---`) comes after the document
  // before it and ends the stream: nothing after it can be trusted.
  base::Result<bool> Next(Chunk* chunk);

  // What follows the last chunk and its separator.
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::uint32_t line_;
};

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_SPLIT_H_
