#ifndef PORTCULLIS_DOC_VALUE_H_
#define PORTCULLIS_DOC_VALUE_H_

// The one document model: resources, policies, CEL values, patches (spec/engineering.md 5.3).
//
// A Value is a trivially copyable 16-byte handle. What it points at (string bytes, list items, map
// entries, host objects) lives in an arena or in the input buffer and is immutable once published;
// a Value never owns. JSON and YAML use kNull..kMap without kUint and kBytes and with string keys;
// the other tags exist only inside CEL evaluation.
//
// Thread-safety: const access to published values is safe from any thread.

#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/check.h"
#include "base/hash.h"

namespace portcullis::doc {

enum class Tag : std::uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,     // UTF-8; n = bytes
  kBytes,      // n = bytes
  kList,       // n = items
  kMap,        // n = entries
  kDuration,   // nanoseconds
  kTimestamp,  // seconds since 1970, n = nanoseconds, aux = zone offset in minutes
  kType,       // payload: const cel::Type*
  kOptional,   // payload: const Value*, null = none
  kHost,       // payload: const HostRep*, an opaque value of a library (quantity, IP, ...)
  kError,      // payload: const ErrorRep*: a CEL error is a value
};

class Value;
struct MapEntry;

// Describes a kind of host object; libraries extend it (cel/eval/host_type.h).
struct HostType {
  std::string_view name;  // run-time type name, e.g. "kubernetes.Quantity"
};

// First member of every host object.
struct HostRep {
  const HostType* type;
};

struct ErrorRep {
  std::string_view message;
  std::uint32_t node = 0;  // plan node that raised it, 0 = unknown
  std::uint32_t kind = 0;  // 0 = ordinary; others are defined by the CEL evaluator (cost limit ...)
};

// Map storage: this header, then `hashes[n]`, padding to 16, then `entries[n]`. Insertion order is
// kept. Maps of more than kLinearMax entries also have an open-addressing index.
struct MapRep {
  static constexpr std::uint32_t kLinearMax = 16;
  const std::uint32_t* index = nullptr;  // entry number + 1, 0 = free; null for small maps
  std::uint32_t index_mask = 0;
  std::uint32_t flags = 0;

  const std::uint32_t* hashes() const { return reinterpret_cast<const std::uint32_t*>(this + 1); }
  std::uint32_t* hashes() { return reinterpret_cast<std::uint32_t*>(this + 1); }
  const MapEntry* entries(std::uint32_t n) const;
  MapEntry* entries(std::uint32_t n);
};

class Value {
 public:
  // Flags
  static constexpr std::uint8_t kAscii = 1;     // string: known to be pure ASCII
  static constexpr std::uint8_t kConcat = 2;    // list: result of `+` (cel-go equality quirk)
  static constexpr std::uint8_t kLiteral = 2;   // map: made by a CEL literal
  static constexpr std::uint8_t kNonAscii = 4;  // string: known to hold a non-ASCII byte
  static constexpr std::uint8_t kQuoted = 8;    // string scalar that was quoted in YAML

  constexpr Value() = default;

  static Value Null() { return {}; }
  static Value Bool(bool b) { return Make(Tag::kBool, 0, b ? 1U : 0U); }
  static Value Int(std::int64_t i) { return Make(Tag::kInt, 0, static_cast<std::uint64_t>(i)); }
  static Value Uint(std::uint64_t u) { return Make(Tag::kUint, 0, u); }
  static Value Double(double d) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &d, sizeof bits);
    return Make(Tag::kDouble, 0, bits);
  }
  // The bytes must outlive the value.
  static Value String(std::string_view text, std::uint8_t flags = 0) {
    Value v = Make(Tag::kString, static_cast<std::uint32_t>(text.size()), Address(text.data()));
    v.flags_ = flags;
    return v;
  }
  static Value Bytes(std::string_view bytes) {
    return Make(Tag::kBytes, static_cast<std::uint32_t>(bytes.size()), Address(bytes.data()));
  }
  static Value List(std::span<const Value> items) {
    return Make(Tag::kList, static_cast<std::uint32_t>(items.size()), Address(items.data()));
  }
  static Value Map(const MapRep* rep, std::uint32_t n) { return Make(Tag::kMap, n, Address(rep)); }
  static Value EmptyMap();
  static Value Duration(std::int64_t nanoseconds) {
    return Make(Tag::kDuration, 0, static_cast<std::uint64_t>(nanoseconds));
  }
  static Value Timestamp(std::int64_t seconds, std::uint32_t nanos,
                         std::int16_t offset_minutes = 0) {
    Value v = Make(Tag::kTimestamp, nanos, static_cast<std::uint64_t>(seconds));
    v.aux_ = static_cast<std::uint16_t>(offset_minutes);
    return v;
  }
  static Value Type(const void* type) { return Make(Tag::kType, 0, Address(type)); }
  static Value OptionalNone() { return Make(Tag::kOptional, 0, 0); }
  static Value OptionalOf(const Value* held) { return Make(Tag::kOptional, 1, Address(held)); }
  static Value Host(const HostRep* rep) { return Make(Tag::kHost, 0, Address(rep)); }
  static Value Error(const ErrorRep* rep) { return Make(Tag::kError, 0, Address(rep)); }

  Tag tag() const { return tag_; }
  std::uint8_t flags() const { return flags_; }
  Value WithFlags(std::uint8_t flags) const {
    Value v = *this;
    v.flags_ = static_cast<std::uint8_t>(v.flags_ | flags);
    return v;
  }

  bool is_null() const { return tag_ == Tag::kNull; }
  bool is_bool() const { return tag_ == Tag::kBool; }
  bool is_int() const { return tag_ == Tag::kInt; }
  bool is_string() const { return tag_ == Tag::kString; }
  bool is_list() const { return tag_ == Tag::kList; }
  bool is_map() const { return tag_ == Tag::kMap; }
  bool is_error() const { return tag_ == Tag::kError; }
  bool is_number() const { return tag_ == Tag::kInt || tag_ == Tag::kUint || tag_ == Tag::kDouble; }

  // Accessors require the matching tag.
  bool as_bool() const { return bits_ != 0; }
  std::int64_t as_int() const { return static_cast<std::int64_t>(bits_); }
  std::uint64_t as_uint() const { return bits_; }
  double as_double() const {
    double d = 0;
    std::memcpy(&d, &bits_, sizeof d);
    return d;
  }
  std::string_view as_string() const { return {Pointer<char>(), n_}; }  // kString and kBytes
  std::span<const Value> as_list() const { return {Pointer<Value>(), n_}; }
  std::span<const MapEntry> as_map() const;
  const MapRep* map_rep() const { return Pointer<MapRep>(); }
  std::int64_t duration_ns() const { return as_int(); }
  std::int64_t timestamp_seconds() const { return as_int(); }
  std::uint32_t timestamp_nanos() const { return n_; }
  std::int16_t timestamp_offset_minutes() const { return static_cast<std::int16_t>(aux_); }
  const void* type_ptr() const { return Pointer<void>(); }
  bool has_value() const { return bits_ != 0; }            // kOptional
  const Value& held() const { return *Pointer<Value>(); }  // kOptional with a value
  const HostRep* host() const { return Pointer<HostRep>(); }
  const ErrorRep* error() const { return Pointer<ErrorRep>(); }

  std::uint32_t size() const { return n_; }  // bytes of a string, items of a list, entries of a map

  // Map lookups; null if absent or if this is no map. Find(key) hashes, FindHashed reuses a hash.
  const Value* Find(std::string_view key) const { return FindHashed(key, base::HashBytes(key)); }
  inline const Value* FindHashed(std::string_view key, std::uint32_t hash) const;
  // Exact-type lookup of any key kind (int and uint keys are different keys).
  const Value* FindKey(const Value& key) const;

  // Convenience for reading documents: a view of a string member, or `fallback`.
  std::string_view StringAt(std::string_view key, std::string_view fallback = {}) const;

 private:
  const Value* FindIndexed(std::string_view key, std::uint32_t hash) const;

  template <typename T>
  const T* Pointer() const {
    return reinterpret_cast<const T*>(bits_);
  }
  static std::uint64_t Address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }
  static Value Make(Tag tag, std::uint32_t n, std::uint64_t bits) {
    Value v;
    v.tag_ = tag;
    v.n_ = n;
    v.bits_ = bits;
    return v;
  }

  Tag tag_ = Tag::kNull;
  std::uint8_t flags_ = 0;
  std::uint16_t aux_ = 0;
  std::uint32_t n_ = 0;
  std::uint64_t bits_ = 0;
};

static_assert(sizeof(Value) == 16);

struct MapEntry {
  Value key;
  Value value;
};

inline const MapEntry* MapRep::entries(std::uint32_t n) const {
  return reinterpret_cast<const MapEntry*>(
      reinterpret_cast<const char*>(this + 1) +
      ((static_cast<std::size_t>(n) * 4 + 15) & ~std::size_t{15}));
}
inline MapEntry* MapRep::entries(std::uint32_t n) {
  return reinterpret_cast<MapEntry*>(reinterpret_cast<char*>(this + 1) +
                                     ((static_cast<std::size_t>(n) * 4 + 15) & ~std::size_t{15}));
}
inline std::span<const MapEntry> Value::as_map() const { return {map_rep()->entries(n_), n_}; }

inline const Value* Value::FindHashed(std::string_view key, std::uint32_t hash) const {
  if (tag_ != Tag::kMap) return nullptr;
  const MapRep* rep = map_rep();
  if (rep->index != nullptr) return FindIndexed(key, hash);
  const std::uint32_t* hashes = rep->hashes();
  const auto match = [&](std::uint32_t i) {
    const Value& candidate = rep->entries(n_)[i].key;
    return candidate.tag() == Tag::kString && candidate.size() == key.size() &&
           base::SameBytes(candidate.as_string().data(), key.data(), key.size());
  };
#ifdef __SSE2__
  // Four hashes at a time; the array is padded to 16 bytes.
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(hash));
  for (std::uint32_t at = 0; at < n_; at += 4) {
    const __m128i four = _mm_load_si128(reinterpret_cast<const __m128i*>(hashes + at));
    auto hits = static_cast<std::uint32_t>(
        _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, wanted))));
    for (; hits != 0; hits &= hits - 1) {
      const std::uint32_t i = at + static_cast<std::uint32_t>(__builtin_ctz(hits));
      if (i < n_ && match(i)) return &rep->entries(n_)[i].value;
    }
  }
#else
  for (std::uint32_t i = 0; i < n_; ++i) {
    if (hashes[i] == hash && match(i)) return &rep->entries(n_)[i].value;
  }
#endif
  return nullptr;
}

// The hash under which a key is stored. Numbers hash by value, so that 1, 1u and 1.0 share a hash.
std::uint32_t HashKey(const Value& key);

// ---- building -------------------------------------------------------------------------------

// A list of copies of `items`, in `arena`.
Value MakeList(base::Arena& arena, std::span<const Value> items);

// A map of `entries` in this order, in `arena`. Keys must be distinct (the caller resolves
// duplicates; see MapBuilder). O(n).
Value MakeMap(base::Arena& arena, std::span<const MapEntry> entries);
// As above, where the caller already has the keys' hashes (HashKey / HashBytes).
Value MakeMapHashed(base::Arena& arena, std::span<const MapEntry> entries,
                    std::span<const std::uint32_t> hashes);

// The same in two steps, for readers that move entries to their place: uninitialised storage for
// `n` entries and their hashes, and the map once both are filled in. `slots`, if not empty, is the
// open-addressing table of the entries that a KeyTable made on the way.
MapRep* NewMapRep(base::Arena& arena, std::uint32_t n);
Value FinishMap(base::Arena& arena, MapRep* rep, std::uint32_t n,
                std::span<const std::uint32_t> slots = {});

// A string value with a copy of `text` in `arena`.
Value MakeString(base::Arena& arena, std::string_view text);

}  // namespace portcullis::doc

#endif  // PORTCULLIS_DOC_VALUE_H_
