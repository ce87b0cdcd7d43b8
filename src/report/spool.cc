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

void Spool::Drain(std::FILE* out) {
  if (file_ != nullptr) {
    std::rewind(file_);
    char buffer[65536];
    std::size_t got = 0;
    while ((got = std::fread(buffer, 1, sizeof buffer, file_)) != 0) {
      std::fwrite(buffer, 1, got, out);
    }
    std::fclose(file_);
    file_ = nullptr;
  }
  std::fwrite(memory_.data(), 1, memory_.size(), out);
  memory_.clear();
}

}  // namespace portcullis::report
