#ifndef PORTCULLIS_PROVIDER_CLOCK_H_
#define PORTCULLIS_PROVIDER_CLOCK_H_

// The time, as far as evaluation may know it. Fixed in tests; never read directly by an evaluator.

#include <cstdint>

namespace portcullis::provider {

class Clock {
 public:
  virtual ~Clock() = default;
  // Nanoseconds since 1970-01-01T00:00:00Z.
  virtual std::int64_t NowNanoseconds() const = 0;
};

// The same moment for a whole run.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(std::int64_t nanoseconds) : nanoseconds_(nanoseconds) {}
  std::int64_t NowNanoseconds() const override { return nanoseconds_; }

 private:
  std::int64_t nanoseconds_;
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_CLOCK_H_
