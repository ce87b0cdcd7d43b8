#include "input/text_window.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/utf8.h"
#include "yaml/encoding.h"

namespace portcullis::input {
namespace {

constexpr std::size_t kFirstRead = std::size_t{256} * 1024;

}  // namespace

base::Result<void> TextWindow::Open(const InputFile& file) {
  Close();
  path_ = file.path;
  if (file.spool != nullptr) {
    fd_ = file.spool->fd();
    owns_fd_ = false;
  } else {
    fd_ = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
    owns_fd_ = true;
    if (fd_ < 0) {
      base::Error error(base::ErrorCode::kIo, "open " + file.path + ": " + std::strerror(errno));
      error.span.file = file.path;
      return error;
    }
  }
  eof_ = false;
  PC_TRY(Fill(kFirstRead));
  if (buffer_.starts_with("\xFF\xFE") || buffer_.starts_with("\xFE\xFF")) {
    // UTF-16 is rare and small: it is decoded as a whole.
    while (!eof_) PC_TRY(ReadMore());
    std::string decoded;
    yaml::ToUtf8(buffer_, &decoded);
    buffer_ = std::move(decoded);
  } else if (buffer_.starts_with("\xEF\xBB\xBF")) {
    begin_ = 3;
  }
  return {};
}

void TextWindow::Close() {
  if (owns_fd_ && fd_ >= 0) ::close(fd_);
  fd_ = -1;
  owns_fd_ = false;
  eof_ = true;
  offset_ = 0;
  buffer_.clear();
  if (buffer_.capacity() > 4 * kFirstRead) std::string().swap(buffer_);
  begin_ = 0;
  line_ = 1;
  column_ = 0;
}

std::string_view TextWindow::lines() const {
  const std::string_view all = text();
  if (eof_) return all;
  const std::size_t last = all.rfind('\n');
  return last == std::string_view::npos ? std::string_view() : all.substr(0, last + 1);
}

base::Result<void> TextWindow::ReadMore() {
  if (begin_ != 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  return Fill(std::max(kFirstRead, buffer_.size()));
}

base::Result<void> TextWindow::Fill(std::size_t bytes) {
  const std::size_t end = buffer_.size() + bytes;
  buffer_.reserve(end);
  while (buffer_.size() < end && !eof_) {
    // In pieces: memory that the rest of the file does not need is never touched.
    const std::size_t before = buffer_.size();
    const std::size_t piece = std::min(kFirstRead, end - before);
    buffer_.resize(before + piece);
    // pread leaves the position of a spool that several passes share alone.
    const ssize_t n = ::pread(fd_, buffer_.data() + before, piece, static_cast<off_t>(offset_));
    const bool interrupted = n < 0 && errno == EINTR;
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (interrupted) continue;
    if (n < 0) {
      base::Error error(base::ErrorCode::kIo, "read " + path_ + ": " + std::strerror(errno));
      error.span.file = path_;
      eof_ = true;
      return error;
    }
    eof_ = n == 0;
    offset_ += static_cast<std::uint64_t>(n);
  }
  return {};
}

void TextWindow::Consume(std::size_t bytes) {
  const std::string_view consumed = text().substr(0, bytes);
  const auto line_feeds = std::count(consumed.begin(), consumed.end(), '\n');
  line_ += static_cast<std::uint32_t>(line_feeds);
  if (line_feeds != 0) column_ = 0;
  const std::size_t line_start = line_feeds == 0 ? 0 : consumed.rfind('\n') + 1;
  column_ += static_cast<std::uint32_t>(base::CountCodePoints(consumed.substr(line_start)));
  begin_ += consumed.size();
}

}  // namespace portcullis::input
