#ifndef PORTCULLIS_AUTOGEN_SOURCE_EDITS_H_
#define PORTCULLIS_AUTOGEN_SOURCE_EDITS_H_

// Changes to the text of an expression at the places of its tokens: what is not changed stays as
// its author wrote it. Borrows the text. Not thread-safe.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/syntax/token.h"

namespace portcullis::autogen {

// [begin, end) of the source becomes `text`.
struct Edit {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string text;
};

class SourceEdits {
 public:
  explicit SourceEdits(std::string_view source) : source_(source) {}

  // False if other text was to stand at the same place.
  bool Add(const Edit& edit);
  // The changed text of a part of the source.
  std::string Render(std::uint32_t begin, std::uint32_t end) const;
  // Replaces a part of the source, and forgets the edits inside it.
  void Collapse(std::uint32_t begin, std::uint32_t end, std::string text);

 private:
  std::string_view source_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> edits_;
};

// The visible tokens of the source, ended by kEof.
std::vector<cel::Token> Tokenize(std::string_view source);

// The first token that begins at or behind `at`.
std::size_t TokenIndex(const std::vector<cel::Token>& tokens, std::uint32_t at);

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_SOURCE_EDITS_H_
