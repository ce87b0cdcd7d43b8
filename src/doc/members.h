#ifndef PORTCULLIS_DOC_MEMBERS_H_
#define PORTCULLIS_DOC_MEMBERS_H_

// What the JSON and YAML readers share about containers under construction: repeated keys of a
// map, and moving finished members out of the reader's stacks. Expected O(n); small maps compare
// hashes only and allocate nothing.
// One KeyTable per thread; it is working memory that is worth keeping.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/pod_stack.h"
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

  // The table of the last FindRepeated that found nothing in more than MapRep::kLinearMax entries.
  std::span<const std::uint32_t> slots() const { return slots_; }

  // Gives back memory above `keep` slots.
  void Trim(std::size_t keep);

 private:
  std::vector<std::uint32_t> slots_;  // entry number + 1, 0 = free
};

// How much memory the values of a text may take: so much per byte, and what any small document may
// have. Only machine-made lists of tiny values come near.
inline constexpr std::string_view kTooManyValues =
    "document holds too many small values for its size";
constexpr std::size_t MaxValueBytes(std::size_t text) { return text * 7 + (std::size_t{40} << 20); }

// The finished members of the containers that a reader has open.
struct MemberStacks {
  base::PodStack<MapEntry> entries;
  base::PodStack<std::uint32_t> hashes;  // of the entries' keys
  base::PodStack<Value> items;

  void Push(const Value& key, const Value& value) {
    entries.push_back({key, value});
    hashes.push_back(base::HashBytes(key.as_string()));
  }
  // The list of all items from `base` on, which leave the stack.
  Value TakeList(base::Arena& arena, std::size_t base);
  // The map of the first `n` entries from `base` on; all from there on leave the stack. `slots` as
  // for FinishMap.
  Value TakeMap(base::Arena& arena, std::size_t base, std::uint32_t n,
                std::span<const std::uint32_t> slots);
  std::size_t bytes() const {
    return entries.size() * (sizeof(MapEntry) + sizeof(std::uint32_t)) +
           items.size() * sizeof(Value);
  }
  // Empties the stacks; one huge document must not pin their memory for the life of the thread.
  void Clear();
};

}  // namespace portcullis::doc

#endif  // PORTCULLIS_DOC_MEMBERS_H_
