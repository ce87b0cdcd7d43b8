#ifndef PORTCULLIS_CEL_KYVERNO_NOW_H_
#define PORTCULLIS_CEL_KYVERNO_NOW_H_

// The moment of an evaluation.

#include <chrono>
#include <cstdint>

#include "cel/eval/host.h"
#include "provider/clock.h"

namespace portcullis::cel {

// Nanoseconds since 1970: the clock of the request, so that it sees one moment; without one, the
// time of day.
inline std::int64_t NowOf(EvalHost* host) {
  const provider::Clock* clock = host != nullptr ? host->clock() : nullptr;
  if (clock != nullptr) return clock->NowNanoseconds();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_NOW_H_
