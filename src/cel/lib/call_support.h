#ifndef PORTCULLIS_CEL_LIB_CALL_SUPPORT_H_
#define PORTCULLIS_CEL_LIB_CALL_SUPPORT_H_

// What function implementations share: growing lists in the arena, slices of strings, a stable
// sort that needs no heap, and the limit on the size of one result. Internal to cel/lib.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cel/check/library.h"
#include "doc/value.h"

namespace portcullis::cel {

using Args = std::span<const doc::Value>;

// No single string or list that a function makes may be larger: a function is charged only after
// it has run, so that the cost limit alone would come too late.
inline constexpr std::size_t kMaxResultBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxResultItems = kMaxResultBytes / sizeof(doc::Value);

inline doc::Value TooLarge(CallContext& context, std::string_view function) {
  return context.Error(std::string(function).append(": result is too large"));
}

// A list that grows in the arena; old copies stay until the arena is reset.
class ListBuilder {
 public:
  explicit ListBuilder(base::Arena& arena, std::size_t capacity = 0) : arena_(arena) {
    if (capacity != 0) Reserve(capacity);
  }
  void Add(const doc::Value& value) {
    if (size_ == capacity_) Reserve(capacity_ == 0 ? 8 : capacity_ * 2);
    items_[size_++] = value;
  }
  std::size_t size() const { return size_; }
  doc::Value Finish() const { return doc::Value::List({items_, size_}); }

 private:
  void Reserve(std::size_t capacity) {
    auto* grown = arena_.AllocateArray<doc::Value>(capacity);
    if (size_ != 0) std::memcpy(static_cast<void*>(grown), items_, size_ * sizeof(doc::Value));
    items_ = grown;
    capacity_ = capacity;
  }

  base::Arena& arena_;
  doc::Value* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Part of the string `whole`: shares its bytes and, where it is pure ASCII, the knowledge of that.
inline doc::Value Slice(const doc::Value& whole, std::string_view part) {
  return doc::Value::String(part, static_cast<std::uint8_t>(whole.flags() & doc::Value::kAscii));
}

// Stable merge sort of `items[0..n)` with scratch space from the arena. Safe with a `less` that is
// no strict weak order (NaN): the result is then some permutation.
template <typename T, typename Less>
void StableSort(base::Arena& arena, T* items, std::size_t n, Less less) {
  constexpr std::size_t kRun = 12;
  for (std::size_t begin = 0; begin < n; begin += kRun) {
    const std::size_t end = std::min(begin + kRun, n);
    for (std::size_t i = begin + 1; i < end; ++i) {
      const T moving = items[i];
      std::size_t j = i;
      for (; j > begin && less(moving, items[j - 1]); --j) items[j] = items[j - 1];
      items[j] = moving;
    }
  }
  if (n <= kRun) return;
  T* from = items;
  T* to = arena.AllocateArray<T>(n);
  for (std::size_t width = kRun; width < n; width *= 2) {
    for (std::size_t begin = 0; begin < n; begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, n);
      const std::size_t end = std::min(begin + 2 * width, n);
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t out = begin; out < end; ++out) {
        const bool take_right = left == middle || (right < end && less(from[right], from[left]));
        to[out] = from[take_right ? right++ : left++];
      }
    }
    std::swap(from, to);
  }
  if (from != items) std::copy(from, from + n, items);
}

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_LIB_CALL_SUPPORT_H_
