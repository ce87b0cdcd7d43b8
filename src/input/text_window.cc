#include "input/text_window.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

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
  const std::size_t before = buffer_.size();
  buffer_.resize(before + bytes);
  std::size_t got = 0;
  while (got < bytes) {
    // pread leaves the position of a spool that several passes share alone.
    const ssize_t n =
        ::pread(fd_, buffer_.data() + before + got, bytes - got, static_cast<off_t>(offset_));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      base::Error error(base::ErrorCode::kIo, "read " + path_ + ": " + std::strerror(errno));
      error.span.file = path_;
      buffer_.resize(before + got);
      eof_ = true;
      return error;
    }
    if (n == 0) {
      eof_ = true;
      break;
    }
    got += static_cast<std::size_t>(n);
    offset_ += static_cast<std::uint64_t>(n);
  }
  buffer_.resize(before + got);
  return {};
}

void TextWindow::Consume(std::size_t bytes) {
  const std::string_view consumed = text().substr(0, bytes);
  line_ += static_cast<std::uint32_t>(std::count(consumed.begin(), consumed.end(), '\n'));
  begin_ += consumed.size();
}

}  // namespace portcullis::input
