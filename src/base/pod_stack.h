#ifndef PORTCULLIS_BASE_POD_STACK_H_
#define PORTCULLIS_BASE_POD_STACK_H_

// Growing working memory of the readers (spec/engineering.md 3.5, 4.1). Unlike a vector it grows
// in place where the system can remap pages, and gives its top back while that is copied out: the
// peak for a list of a million items is one copy of them, not three. Owns its memory; one thread.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include "base/check.h"

namespace portcullis::base {

template <typename T>
class PodStack {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  PodStack() = default;
  ~PodStack() { std::free(data_); }
  PodStack(const PodStack&) = delete;
  PodStack& operator=(const PodStack&) = delete;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  std::span<T> From(std::size_t base) { return {data_ + base, size_ - base}; }

  void push_back(const T& item) {
    if (size_ == capacity_) Reallocate(std::max(capacity_ * 2, kFirst));
    ::new (static_cast<void*>(data_ + size_)) T(item);
    ++size_;
  }
  void pop_back() { --size_; }
  void Truncate(std::size_t size) { size_ = size; }

  // Moves the first `count` items from `base` on to `to` and drops everything from `base` on.
  void MoveTo(T* to, std::size_t base, std::size_t count) {
    size_ = base + count;
    while (size_ - base > kStep) {
      size_ -= kStep;
      std::memcpy(static_cast<void*>(to + (size_ - base)), data_ + size_, kStep * sizeof(T));
      Reallocate(size_);
    }
    if (size_ != base) {
      std::memcpy(static_cast<void*>(to), data_ + base, (size_ - base) * sizeof(T));
    }
    size_ = base;
  }

  // Forgets the contents, and the memory if it is for more than `keep` items.
  void Clear(std::size_t keep) {
    size_ = 0;
    if (capacity_ <= keep) return;
    std::free(data_);
    data_ = nullptr;
    capacity_ = 0;
  }

 private:
  static constexpr std::size_t kFirst = 64;
  static constexpr std::size_t kStep = (std::size_t{1} << 20) / sizeof(T);

  void Reallocate(std::size_t capacity) {
    void* moved = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    PC_CHECK(moved != nullptr);
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_POD_STACK_H_
