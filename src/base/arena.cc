#include "base/arena.h"

namespace portcullis::base {

void* Arena::AllocateSlow(std::size_t size, std::size_t align) {
  if (size + align > kBlockSize / 4) {
    large_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size + align]), size + align});
    reserved_ += size + align;
    full_bytes_ += size + align;
    const auto start = reinterpret_cast<std::uintptr_t>(large_.back().data.get());
    return reinterpret_cast<void*>((start + align - 1) & ~(align - 1));
  }
  full_bytes_ += cursor_ - begin_;
  // Blocks kept by Reset() may be too small for this allocation: those are passed over.
  while (next_block_ < blocks_.size() && blocks_[next_block_].size < size + align) ++next_block_;
  if (next_block_ == blocks_.size()) {
    while (next_size_ < size + align) next_size_ *= 2;
    blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[next_size_]), next_size_});
    reserved_ += next_size_;
    if (next_size_ < kBlockSize) next_size_ *= 2;
  }
  Block& block = blocks_[next_block_++];
  begin_ = reinterpret_cast<std::uintptr_t>(block.data.get());
  cursor_ = begin_;
  end_ = begin_ + block.size;
  return Allocate(size, align);
}

void Arena::Reset() {
  for (const Block& block : large_) reserved_ -= block.size;
  large_.clear();
  next_block_ = 0;
  cursor_ = begin_ = end_ = 0;
  full_bytes_ = 0;
}

}  // namespace portcullis::base
