#ifndef PORTCULLIS_BASE_HASH_H_
#define PORTCULLIS_BASE_HASH_H_

// Hash of short byte strings, seeded once per process so that hostile keys cannot be chosen to
// collide. Equal bytes hash equal within one process only: never store a hash.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/int128.h"

namespace portcullis::base {

extern const std::uint64_t kHashSeed;

inline std::uint64_t HashMix(std::uint64_t a, std::uint64_t b) {
  const Uint128 product = static_cast<Uint128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint32_t HashLongBytes(const char* data, std::size_t size);

inline std::uint32_t HashBytes(std::string_view text) {
  const std::size_t n = text.size();
  const char* p = text.data();
  if (n > 16) return HashLongBytes(p, n);
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  if (n >= 8) {
    std::memcpy(&a, p, 8);
    std::memcpy(&b, p + n - 8, 8);
  } else if (n >= 4) {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::memcpy(&x, p, 4);
    std::memcpy(&y, p + n - 4, 4);
    a = x;
    b = y;
  } else if (n > 0) {
    a = static_cast<unsigned char>(p[0]);
    b = (static_cast<std::uint64_t>(static_cast<unsigned char>(p[n / 2])) << 8) |
        static_cast<unsigned char>(p[n - 1]);
  }
  return static_cast<std::uint32_t>(HashMix(a ^ kHashSeed ^ n, b ^ 0x9E3779B97F4A7C15ULL) >> 7);
}

// Are the `n` bytes equal? For keys whose hashes already agree: no call for short ones.
inline bool SameBytes(const char* a, const char* b, std::size_t n) {
  if (n > 32) return std::memcmp(a, b, n) == 0;
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  if (n >= 8) {
    std::uint64_t differs = 0;
    std::size_t at = 0;
    for (; at + 8 < n; at += 8) {
      std::memcpy(&x, a + at, 8);
      std::memcpy(&y, b + at, 8);
      differs |= x ^ y;
    }
    std::memcpy(&x, a + n - 8, 8);
    std::memcpy(&y, b + n - 8, 8);
    return (differs | (x ^ y)) == 0;
  }
  if (n >= 4) {
    std::uint32_t lo[2];
    std::uint32_t hi[2];
    std::memcpy(&lo[0], a, 4);
    std::memcpy(&lo[1], b, 4);
    std::memcpy(&hi[0], a + n - 4, 4);
    std::memcpy(&hi[1], b + n - 4, 4);
    return lo[0] == lo[1] && hi[0] == hi[1];
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_HASH_H_
