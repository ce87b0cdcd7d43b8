#ifndef PORTCULLIS_YAML_LOCATE_H_
#define PORTCULLIS_YAML_LOCATE_H_

// Finds lines and columns of field paths in YAML or JSON text by reading it again: positions are
// not stored in documents, only failures pay for them. LocateAll finds any number of paths in one
// pass in memory that does not grow with the text. A Locator keeps an outline instead, for small
// texts of which paths are asked one by one; the text must outlive it. Linear time, no recursion.
// Const use is thread-safe.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "doc/path.h"
#include "doc/text_position.h"

namespace portcullis::yaml {

class Locator {
 public:
  // `first_line` is the line number of the text's first line in its file.
  explicit Locator(std::string_view text, std::uint32_t first_line = 1);
  ~Locator();
  Locator(Locator&&) noexcept;
  Locator& operator=(Locator&&) noexcept;

  // Keys that came through an alias or a merge are found where they are written.
  doc::PathLocation Find(doc::PathView path) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

// The places of `paths`, in their order; lines count from `first_line`. Keys that came through an
// alias or a merge are found where they are written; in texts of more than 4 MB the place is that
// of the alias.
std::vector<doc::PathLocation> LocateAll(std::string_view text, std::span<const doc::Path> paths,
                                         std::uint32_t first_line = 1);
doc::PathLocation Locate(std::string_view text, const doc::Path& path,
                         std::uint32_t first_line = 1);

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_LOCATE_H_
