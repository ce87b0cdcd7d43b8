#include "doc/value.h"

#include <bit>
#include <cmath>

namespace portcullis::doc {
namespace {

constexpr std::uint32_t kNumberSalt = 0x51ED270BU;

std::uint32_t HashNumber(std::uint64_t bits) {
  return static_cast<std::uint32_t>(base::HashMix(bits ^ base::kHashSeed, 0x9E3779B97F4A7C15ULL) >>
                                    11) ^
         kNumberSalt;
}

bool SameKey(const Value& a, const Value& b) {
  if (a.tag() != b.tag()) return false;
  switch (a.tag()) {
    case Tag::kString:
    case Tag::kBytes:
      return a.as_string() == b.as_string();
    case Tag::kDouble:
      return a.as_double() == b.as_double();
    case Tag::kNull:
      return true;
    default:
      return a.as_uint() == b.as_uint();
  }
}

// Entry number of the first entry with `hash` that `same` accepts, or n.
template <typename Same>
std::uint32_t FindEntry(const MapRep* rep, std::uint32_t n, std::uint32_t hash, Same same) {
  const MapEntry* entries = rep->entries(n);
  if (rep->index == nullptr) {
    const std::uint32_t* hashes = rep->hashes();
    for (std::uint32_t i = 0; i < n; ++i) {
      if (hashes[i] == hash && same(entries[i].key)) return i;
    }
    return n;
  }
  const std::uint32_t* hashes = rep->hashes();
  for (std::uint32_t slot = hash & rep->index_mask;; slot = (slot + 1) & rep->index_mask) {
    const std::uint32_t at = rep->index[slot];
    if (at == 0) return n;
    if (hashes[at - 1] == hash && same(entries[at - 1].key)) return at - 1;
  }
}

}  // namespace

std::uint32_t HashKey(const Value& key) {
  switch (key.tag()) {
    case Tag::kString:
    case Tag::kBytes:
      return base::HashBytes(key.as_string());
    case Tag::kInt:
    case Tag::kUint:
    case Tag::kBool:
      return HashNumber(key.as_uint());
    case Tag::kDouble: {
      // Whole doubles hash as the integer that equals them.
      const double d = key.as_double();
      if (d >= -9223372036854775808.0 && d < 9223372036854775808.0 && d == std::floor(d)) {
        return HashNumber(static_cast<std::uint64_t>(static_cast<std::int64_t>(d)));
      }
      if (d >= 0 && d < 18446744073709551616.0 && d == std::floor(d)) {
        return HashNumber(static_cast<std::uint64_t>(d));
      }
      return HashNumber(std::bit_cast<std::uint64_t>(d));
    }
    default:
      return HashNumber(key.as_uint() + static_cast<std::uint64_t>(key.tag()));
  }
}

const Value* Value::FindIndexed(std::string_view key, std::uint32_t hash) const {
  const MapRep* rep = map_rep();
  const std::uint32_t at = FindEntry(rep, n_, hash, [key](const Value& k) {
    return k.tag() == Tag::kString && k.as_string() == key;
  });
  return at == n_ ? nullptr : &rep->entries(n_)[at].value;
}

const Value* Value::FindKey(const Value& key) const {
  if (tag_ != Tag::kMap || n_ == 0) return nullptr;
  const MapRep* rep = map_rep();
  const std::uint32_t at =
      FindEntry(rep, n_, HashKey(key), [&key](const Value& k) { return SameKey(k, key); });
  return at == n_ ? nullptr : &rep->entries(n_)[at].value;
}

std::string_view Value::StringAt(std::string_view key, std::string_view fallback) const {
  const Value* found = Find(key);
  return found != nullptr && found->is_string() ? found->as_string() : fallback;
}

Value Value::EmptyMap() {
  static constexpr MapRep kEmpty{};
  return Map(&kEmpty, 0);
}

Value MakeList(base::Arena& arena, std::span<const Value> items) {
  if (items.empty()) return Value::List({});
  Value* out = arena.AllocateArray<Value>(items.size());
  std::memcpy(static_cast<void*>(out), items.data(), items.size_bytes());
  return Value::List({out, items.size()});
}

MapRep* NewMapRep(base::Arena& arena, std::uint32_t n) {
  const std::size_t hash_bytes = (std::size_t{n} * 4 + 15) & ~std::size_t{15};
  auto* rep =
      static_cast<MapRep*>(arena.Allocate(sizeof(MapRep) + hash_bytes + sizeof(MapEntry) * n, 16));
  *rep = MapRep{};
  return rep;
}

Value FinishMap(base::Arena& arena, MapRep* rep, std::uint32_t n,
                std::span<const std::uint32_t> slots) {
  if (n <= MapRep::kLinearMax) return Value::Map(rep, n);
  const std::uint32_t count = std::bit_ceil(n * 2);
  auto* index = arena.AllocateArray<std::uint32_t>(count);
  if (slots.size() == count) {
    std::memcpy(index, slots.data(), slots.size_bytes());
  } else {
    std::memset(index, 0, sizeof(std::uint32_t) * count);
    const std::uint32_t* hashes = rep->hashes();
    for (std::uint32_t i = 0; i < n; ++i) {
      std::uint32_t slot = hashes[i] & (count - 1);
      while (index[slot] != 0) slot = (slot + 1) & (count - 1);
      index[slot] = i + 1;
    }
  }
  rep->index = index;
  rep->index_mask = count - 1;
  return Value::Map(rep, n);
}

Value MakeMapHashed(base::Arena& arena, std::span<const MapEntry> entries,
                    std::span<const std::uint32_t> hashes) {
  const auto n = static_cast<std::uint32_t>(entries.size());
  if (n == 0) return Value::EmptyMap();
  MapRep* rep = NewMapRep(arena, n);
  std::memcpy(rep->hashes(), hashes.data(), hashes.size_bytes());
  std::memcpy(static_cast<void*>(rep->entries(n)), entries.data(), entries.size_bytes());
  return FinishMap(arena, rep, n);
}

Value MakeMap(base::Arena& arena, std::span<const MapEntry> entries) {
  constexpr std::size_t kInline = 64;
  std::uint32_t local[kInline];
  std::uint32_t* hashes =
      entries.size() <= kInline ? local : arena.AllocateArray<std::uint32_t>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) hashes[i] = HashKey(entries[i].key);
  return MakeMapHashed(arena, entries, {hashes, entries.size()});
}

Value MakeString(base::Arena& arena, std::string_view text) {
  return Value::String(arena.CopyString(text));
}

}  // namespace portcullis::doc
