#ifndef PORTCULLIS_BASE_CHECK_H_
#define PORTCULLIS_BASE_CHECK_H_

// Assertions for programmer errors. They abort; input of any kind must never reach them.

#include <cstdio>
#include <cstdlib>

namespace portcullis::base {

[[noreturn]] inline void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace portcullis::base

#define PC_CHECK(cond) \
  ((cond) ? static_cast<void>(0) : ::portcullis::base::CheckFailed(#cond, __FILE__, __LINE__))

#ifdef NDEBUG
#define PC_DCHECK(cond) static_cast<void>(0)
#else
#define PC_DCHECK(cond) PC_CHECK(cond)
#endif

#define PC_UNREACHABLE() ::portcullis::base::CheckFailed("unreachable", __FILE__, __LINE__)

#endif  // PORTCULLIS_BASE_CHECK_H_
