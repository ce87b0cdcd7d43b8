#ifndef PORTCULLIS_INPUT_TEXT_WINDOW_H_
#define PORTCULLIS_INPUT_TEXT_WINDOW_H_

// A sliding view of a file: holds only what has been read and not yet consumed, so that a stream
// of any length takes the memory of its largest document. Byte order marks are removed and UTF-16
// is decoded. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "input/files.h"

namespace portcullis::input {

class TextWindow {
 public:
  TextWindow() = default;
  ~TextWindow() { Close(); }
  TextWindow(const TextWindow&) = delete;
  TextWindow& operator=(const TextWindow&) = delete;

  // Starts at the beginning of `file`.
  base::Result<void> Open(const InputFile& file);
  void Close();

  // The unconsumed text that is in memory. Invalidated by ReadMore and Consume.
  std::string_view text() const { return std::string_view(buffer_).substr(begin_); }
  // The whole lines of it; all of it at the end of the file.
  std::string_view lines() const;
  bool at_end() const { return eof_; }
  std::uint32_t line() const { return line_; }  // number of the first unconsumed line
  // Code points of that line that were consumed.
  std::uint32_t column() const { return column_; }

  // Reads more; doubles what is in memory, so that looking again from the start stays linear.
  base::Result<void> ReadMore();
  void Consume(std::size_t bytes);

 private:
  base::Result<void> Fill(std::size_t bytes);

  std::string path_;
  int fd_ = -1;
  bool owns_fd_ = false;
  bool eof_ = true;
  std::uint64_t offset_ = 0;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 0;
};

}  // namespace portcullis::input

#endif  // PORTCULLIS_INPUT_TEXT_WINDOW_H_
