#ifndef PORTCULLIS_REPORT_SPOOL_H_
#define PORTCULLIS_REPORT_SPOOL_H_

// Text that is written later: in memory while small, in an unnamed temporary file beyond that.

#include <cstdio>
#include <string>
#include <string_view>

namespace portcullis::report {

class Spool {
 public:
  Spool() = default;
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  void Append(std::string_view text);
  bool empty() const { return memory_.empty() && file_ == nullptr; }
  // Copies everything to `out` and empties the spool.
  void Drain(std::FILE* out);
  // The same, to the end of another spool.
  void DrainInto(Spool& out);

 private:
  template <typename F>
  void Empty(F&& take);

  static constexpr std::size_t kMemoryLimit = std::size_t{4} << 20U;
  std::string memory_;
  std::FILE* file_ = nullptr;
};

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_SPOOL_H_
