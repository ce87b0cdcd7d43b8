#ifndef PORTCULLIS_CEL_EVAL_VALUE_WEIGHT_H_
#define PORTCULLIS_CEL_EVAL_VALUE_WEIGHT_H_

// Bounds for values that an expression builds from few parts (docs/architecture.md). A value may
// hold one part many times, so that a short expression makes one that has more members than memory
// could hold apart. Whoever walks such a value as a tree asks here first. Pure; thread-safe.

#include <cstddef>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cel {

// Of one value: the bytes of a list or text, or the members that a walk visits.
inline constexpr std::size_t kMaxValueWeight = std::size_t{64} << 20;
// Of everything that one request makes.
inline constexpr std::size_t kMaxArenaBytes = std::size_t{1} << 30;

inline constexpr const char* kValueTooLarge = "operation cancelled: value too large";

// Whether a walk of `value` visits more members and bytes of text than kMaxValueWeight. Takes no
// more steps than that.
bool IsTooLarge(const doc::Value& value);

// Whether another `bytes` may be allocated for one value.
inline bool HasRoom(const base::Arena& arena, std::size_t bytes) {
  return bytes <= kMaxValueWeight && arena.bytes_used() <= kMaxArenaBytes;
}

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_VALUE_WEIGHT_H_
