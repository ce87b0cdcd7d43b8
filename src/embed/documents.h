#ifndef PORTCULLIS_EMBED_DOCUMENTS_H_
#define PORTCULLIS_EMBED_DOCUMENTS_H_

// The objects of a text in memory, read as strictly as files are (spec/engineering.md 4.1, 4.2):
// several YAML documents or one JSON value, arrays and `List` kinds opened. The counterpart of
// input::DocumentStream, which reads files that may be larger than memory.
//
// Documents view into `text`, `file` and `arena`. Pure, thread-safe.

#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "input/diagnostic.h"
#include "input/document.h"

namespace portcullis::embed {

struct Documents {
  std::vector<input::Document> objects;
  // What is not among them. A text without any object has at least one.
  input::Diagnostics problems;
};

Documents ReadDocuments(std::string_view text, std::string_view file, base::Arena& arena);

// One value of YAML or JSON; text behind it is an error.
base::Result<doc::Value> ReadValue(std::string_view text, base::Arena& arena);

}  // namespace portcullis::embed

#endif  // PORTCULLIS_EMBED_DOCUMENTS_H_
