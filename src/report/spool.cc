#include "report/spool.h"

namespace portcullis::report {

Spool::~Spool() {
  if (file_ != nullptr) std::fclose(file_);
}

void Spool::Append(std::string_view text) {
  memory_ += text;
  if (memory_.size() < kMemoryLimit) return;
  if (file_ == nullptr) file_ = std::tmpfile();
  if (file_ == nullptr) return;  // no room for temporary files: stays in memory
  std::fwrite(memory_.data(), 1, memory_.size(), file_);
  memory_.clear();
}

// Hands the whole content over, piece by piece.
template <typename F>
void Spool::Empty(F&& take) {
  if (file_ != nullptr) {
    std::rewind(file_);
    char buffer[65536];
    std::size_t got = 0;
    while ((got = std::fread(buffer, 1, sizeof buffer, file_)) != 0) {
      take(std::string_view(buffer, got));
    }
    std::fclose(file_);
    file_ = nullptr;
  }
  take(memory_);
  memory_.clear();
}

void Spool::Drain(std::FILE* out) {
  Empty([out](std::string_view text) { std::fwrite(text.data(), 1, text.size(), out); });
}

void Spool::DrainInto(Spool& out) {
  Empty([&out](std::string_view text) { out.Append(text); });
}

}  // namespace portcullis::report
