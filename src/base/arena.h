#ifndef PORTCULLIS_BASE_ARENA_H_
#define PORTCULLIS_BASE_ARENA_H_

// Bump allocator for everything that lives as long as one request or one loaded set
// (spec/engineering.md 3.5). No destructors run: only trivially destructible types may be placed
// in it. Not thread-safe: one arena belongs to one thread at a time.
//
// Blocks start small, so that an arena per expression is cheap, and double up to kBlockSize.
// Reset() makes all memory reusable and keeps the blocks, so that a warm arena allocates nothing.
// The limit is checked by the caller through `exhausted()`: allocation itself always succeeds.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace portcullis::base {

class Arena {
 public:
  static constexpr std::size_t kFirstBlock = std::size_t{1024};
  static constexpr std::size_t kBlockSize = std::size_t{64} * 1024;

  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  // Uninitialised memory; `align` must be a power of two of at most 16.
  void* Allocate(std::size_t size, std::size_t align = 8) {
    const std::size_t at = (cursor_ + align - 1) & ~(align - 1);
    if (at + size <= end_) [[likely]] {
      cursor_ = at + size;
      return reinterpret_cast<void*>(at);
    }
    return AllocateSlow(size, align);
  }

  template <typename T>
  T* AllocateArray(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(Allocate(sizeof(T) * count, alignof(T)));
  }

  template <typename T, typename... Args>
  T* New(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (Allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  // A copy of `text` that lives as long as the arena's contents.
  std::string_view CopyString(std::string_view text) {
    if (text.empty()) return {};
    char* out = static_cast<char*>(Allocate(text.size(), 1));
    std::memcpy(out, text.data(), text.size());
    return {out, text.size()};
  }

  // Forgets everything allocated; keeps standard blocks, frees oversized ones.
  void Reset();

  // Bytes handed out since the last Reset, including alignment and block tails.
  std::size_t bytes_used() const { return full_bytes_ + (cursor_ - begin_); }
  // Bytes held from the system.
  std::size_t bytes_reserved() const { return reserved_; }

  // 0 = no limit. Evaluation polls exhausted() and turns it into a resource-limit error.
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  bool exhausted() const { return limit_ != 0 && bytes_used() > limit_; }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t size;
  };

  void* AllocateSlow(std::size_t size, std::size_t align);

  std::uintptr_t cursor_ = 0;
  std::uintptr_t begin_ = 0;
  std::uintptr_t end_ = 0;
  std::size_t full_bytes_ = 0;
  std::size_t reserved_ = 0;
  std::size_t limit_ = 0;
  std::size_t next_size_ = kFirstBlock;
  std::vector<Block> blocks_;  // standard blocks, in use up to next_block_
  std::vector<Block> large_;   // one allocation each
  std::size_t next_block_ = 0;
};

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_ARENA_H_
