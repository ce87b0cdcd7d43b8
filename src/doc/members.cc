#include "doc/members.h"

#include <bit>

namespace portcullis::doc {
namespace {

bool SameString(const Value& a, const Value& b) { return a.as_string() == b.as_string(); }

// The slot that holds the key of entry `at`, or the free slot for it.
std::uint32_t& SlotOf(std::vector<std::uint32_t>& slots, std::span<const MapEntry> entries,
                      std::span<const std::uint32_t> hashes, const Value& key, std::uint32_t hash) {
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t other = slots[slot] - 1;
    if (hashes[other] == hash && SameString(entries[other].key, key)) break;
  }
  return slots[slot];
}

}  // namespace

std::uint32_t KeyTable::FindRepeated(std::span<const MapEntry> entries,
                                     std::span<const std::uint32_t> hashes,
                                     std::uint32_t* earlier) {
  const auto n = static_cast<std::uint32_t>(entries.size());
  if (n <= MapRep::kLinearMax) {
    for (std::uint32_t i = 1; i < n; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        if (hashes[i] == hashes[j] && SameString(entries[i].key, entries[j].key)) {
          *earlier = j;
          return i;
        }
      }
    }
    return kNone;
  }
  slots_.assign(std::bit_ceil(n * std::size_t{2}), 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t& slot = SlotOf(slots_, entries, hashes, entries[i].key, hashes[i]);
    if (slot != 0) {
      *earlier = slot - 1;
      return i;
    }
    slot = i + 1;
  }
  return kNone;
}

std::uint32_t KeyTable::KeepLast(std::span<MapEntry> entries, std::span<std::uint32_t> hashes) {
  slots_.assign(std::bit_ceil(entries.size() * 2), 0);
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const MapEntry entry = entries[i];
    const std::uint32_t hash = hashes[i];
    std::uint32_t& slot = SlotOf(slots_, entries, hashes, entry.key, hash);
    if (slot != 0) {
      entries[slot - 1].value = entry.value;
      continue;
    }
    entries[kept] = entry;
    hashes[kept] = hash;
    slot = ++kept;
  }
  return kept;
}

std::vector<std::uint32_t> KeyTable::FirstOccurrences(std::span<const MapEntry> entries,
                                                      std::span<const std::uint32_t> hashes) {
  std::vector<std::uint32_t> first(entries.size());
  slots_.assign(std::bit_ceil(entries.size() * 2), 0);
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    std::uint32_t& slot = SlotOf(slots_, entries, hashes, entries[i].key, hashes[i]);
    if (slot == 0) slot = i + 1;
    first[i] = slot - 1;
  }
  return first;
}

void KeyTable::Trim(std::size_t keep) {
  if (slots_.capacity() > keep) std::vector<std::uint32_t>().swap(slots_);
}

Value MemberStacks::TakeList(base::Arena& arena, std::size_t base) {
  const std::size_t n = items.size() - base;
  if (n == 0) return Value::List({});
  Value* out = arena.AllocateArray<Value>(n);
  items.MoveTo(out, base, n);
  return Value::List({out, n});
}

Value MemberStacks::TakeMap(base::Arena& arena, std::size_t base, std::uint32_t n,
                            std::span<const std::uint32_t> slots) {
  if (n == 0) {
    entries.Truncate(base);
    hashes.Truncate(base);
    return Value::EmptyMap();
  }
  MapRep* rep = NewMapRep(arena, n);
  hashes.MoveTo(rep->hashes(), base, n);
  entries.MoveTo(rep->entries(n), base, n);
  return FinishMap(arena, rep, n, slots);
}

void MemberStacks::Clear() {
  constexpr std::size_t kKeep = std::size_t{1} << 14;
  entries.Clear(kKeep);
  hashes.Clear(kKeep);
  items.Clear(kKeep);
}

}  // namespace portcullis::doc
