#ifndef PORTCULLIS_YAML_WRITER_H_
#define PORTCULLIS_YAML_WRITER_H_

// doc::Value -> YAML in block style, laid out like sigs.k8s.io/yaml: two blanks per level, list
// items at the level of their key, strings plain where they read back as the same string, `|` for
// several lines, else quoted. What is written reads back as the same data (strings that are no
// valid UTF-8 are repaired; values without a JSON form become null).
// No recursion, appends to one string. Pure functions, thread-safe.

#include <string>

#include "doc/value.h"

namespace portcullis::yaml {

struct WriteOptions {
  bool sort_keys = false;  // by bytes, as Go writes maps; else insertion order
  int indent = 0;          // blanks before every line
};

// Ends with a line feed.
void Write(const doc::Value& value, std::string* out, const WriteOptions& options = {});

std::string ToString(const doc::Value& value, const WriteOptions& options = {});

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_WRITER_H_
