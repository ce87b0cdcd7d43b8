#ifndef PORTCULLIS_DOC_DUPLICATES_H_
#define PORTCULLIS_DOC_DUPLICATES_H_

// Repeated keys of a map under construction: what the JSON and YAML readers need before they may
// call MakeMapHashed. Expected O(n); small maps compare hashes only and allocate nothing.
// One KeyTable per thread; it is working memory that is worth keeping.

#include <cstdint>
#include <span>
#include <vector>

#include "doc/value.h"

namespace portcullis::doc {

class KeyTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  // The first entry whose (string) key occurred before, and in `*earlier` where; kNone if all keys
  // are distinct.
  std::uint32_t FindRepeated(std::span<const MapEntry> entries,
                             std::span<const std::uint32_t> hashes, std::uint32_t* earlier);

  // Moves the entries to keep to the front: for every key the place of its first and the value of
  // its last occurrence. Returns how many remain.
  std::uint32_t KeepLast(std::span<MapEntry> entries, std::span<std::uint32_t> hashes);

  // For every entry the number of the first entry with the same key (itself if it is the first).
  std::vector<std::uint32_t> FirstOccurrences(std::span<const MapEntry> entries,
                                              std::span<const std::uint32_t> hashes);

  // Gives back memory above `keep` slots.
  void Trim(std::size_t keep);

 private:
  std::vector<std::uint32_t> slots_;  // entry number + 1, 0 = free
};

}  // namespace portcullis::doc

#endif  // PORTCULLIS_DOC_DUPLICATES_H_
