#include "base/hash.h"

#include <sys/random.h>

namespace portcullis::base {
namespace {

std::uint64_t MakeSeed() {
  std::uint64_t seed = 0x243F6A8885A308D3ULL;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
    // Early boot without entropy: the address space layout is still not known to a client.
    seed ^= reinterpret_cast<std::uintptr_t>(&seed);
  }
  return seed;
}

}  // namespace

const std::uint64_t kHashSeed = MakeSeed();

std::uint32_t HashLongBytes(const char* data, std::size_t size) {
  std::uint64_t state = kHashSeed ^ size;
  std::size_t at = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  for (; at + 16 < size; at += 16) {
    std::memcpy(&a, data + at, 8);
    std::memcpy(&b, data + at + 8, 8);
    state = HashMix(state ^ a, b ^ 0x9E3779B97F4A7C15ULL);
  }
  std::memcpy(&a, data + size - 16, 8);
  std::memcpy(&b, data + size - 8, 8);
  return static_cast<std::uint32_t>(HashMix(state ^ a, b ^ 0xA0761D6478BD642FULL) >> 7);
}

}  // namespace portcullis::base
