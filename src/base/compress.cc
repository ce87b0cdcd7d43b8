#include "base/compress.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace portcullis::base {
namespace {

constexpr unsigned char kFlagHeaderCrc = 2;
constexpr unsigned char kFlagExtra = 4;
constexpr unsigned char kFlagName = 8;
constexpr unsigned char kFlagComment = 16;
constexpr std::size_t kFixedHeader = 10;
constexpr std::size_t kTrailer = 8;

// zlib takes the pointer to what it only reads without const.
Bytef* Bytes(std::string_view text) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
}

uInt Portion(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

std::uint32_t Checksum(std::string_view data) {
  uLong crc = crc32(0, nullptr, 0);
  while (!data.empty()) {
    const uInt part = Portion(data.size());
    crc = crc32(crc, Bytes(data), part);
    data.remove_prefix(part);
  }
  return static_cast<std::uint32_t>(crc);
}

std::uint32_t Little(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

void AppendLittle(std::string& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

Error Failure(const char* message) { return {ErrorCode::kInvalid, message}; }

class Reader {
 public:
  Reader(std::string_view data, std::size_t max_size) : rest_(data), max_size_(max_size) {}

  Result<std::string> Read() {
    if (rest_.empty()) return Failure("EOF");
    while (!rest_.empty()) {
      if (const char* problem = ReadHeader()) return Failure(problem);
      const std::size_t start = out_.size();
      Error error;
      if (!Inflate(error)) return error;
      if (rest_.size() < kTrailer) return Failure("unexpected EOF");
      const std::string_view member = std::string_view(out_).substr(start);
      if (Little(rest_.substr(0, 4)) != Checksum(member) ||
          Little(rest_.substr(4, 4)) != static_cast<std::uint32_t>(member.size())) {
        return Failure("gzip: invalid checksum");
      }
      rest_.remove_prefix(kTrailer);
    }
    return std::move(out_);
  }

 private:
  // Text up to and without the next NUL, which is skipped; false when there is none.
  bool SkipText() {
    constexpr std::size_t kMaxText = 511;
    const std::size_t end = rest_.find('\0');
    if (end == std::string_view::npos || end > kMaxText) return false;
    rest_.remove_prefix(end + 1);
    return true;
  }

  const char* ReadHeader() {
    constexpr const char* kShort = "unexpected EOF";
    constexpr const char* kInvalid = "gzip: invalid header";
    const std::string_view whole = rest_;
    if (rest_.size() < kFixedHeader) return kShort;
    if (rest_.substr(0, 3) != "\x1f\x8b\x08") return kInvalid;
    const auto flags = static_cast<unsigned char>(rest_[3]);
    rest_.remove_prefix(kFixedHeader);
    if ((flags & kFlagExtra) != 0) {
      if (rest_.size() < 2) return kShort;
      const std::size_t size = Little(rest_.substr(0, 2));
      rest_.remove_prefix(2);
      if (rest_.size() < size) return kShort;
      rest_.remove_prefix(size);
    }
    for (const unsigned char flag : {kFlagName, kFlagComment}) {
      if ((flags & flag) == 0) continue;
      if (!SkipText()) return rest_.find('\0') == std::string_view::npos ? kShort : kInvalid;
    }
    if ((flags & kFlagHeaderCrc) == 0) return nullptr;
    if (rest_.size() < 2) return kShort;
    const std::string_view header = whole.substr(0, whole.size() - rest_.size());
    if (Little(rest_.substr(0, 2)) != (Checksum(header) & 0xffff)) return kInvalid;
    rest_.remove_prefix(2);
    return nullptr;
  }

  bool Inflate(Error& error) {
    z_stream stream = {};
    constexpr int kRaw = -MAX_WBITS;
    if (inflateInit2(&stream, kRaw) != Z_OK) {
      error = Failure("flate: no memory");
      return false;
    }
    std::array<char, 16384> buffer;
    const std::size_t size = rest_.size();
    const std::string_view input = rest_;
    int status = Z_OK;
    while (status == Z_OK) {
      const std::size_t used = input.size() - rest_.size();
      stream.next_in = Bytes(input.substr(used));
      stream.avail_in = Portion(rest_.size());
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      const uInt offered = stream.avail_in;
      status = inflate(&stream, Z_NO_FLUSH);
      rest_.remove_prefix(offered - stream.avail_in);
      out_.append(buffer.data(), buffer.size() - stream.avail_out);
      if (out_.size() > max_size_) break;
    }
    inflateEnd(&stream);
    if (out_.size() > max_size_) {
      error = Failure("gzip: result is too large");
    } else if (status == Z_STREAM_END) {
      return true;
    } else if (status == Z_BUF_ERROR) {
      error = Failure("unexpected EOF");
    } else {
      error = Error(ErrorCode::kInvalid,
                    "flate: corrupt input before offset " + std::to_string(size - rest_.size()));
    }
    return false;
  }

  std::string_view rest_;
  std::size_t max_size_;
  std::string out_;
};

}  // namespace

std::string GzipCompress(std::string_view data) {
  using namespace std::string_view_literals;
  // No flags, no time, an unknown system, as Go writes it.
  std::string out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"sv);
  z_stream stream = {};
  constexpr int kRaw = -MAX_WBITS;
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  const std::size_t header = out.size();
  out.resize(header + deflateBound(&stream, data.size()));
  std::string_view rest = data;
  std::size_t written = header;
  int status = Z_OK;
  while (status == Z_OK) {
    const uInt offered = Portion(rest.size());
    const uInt room = Portion(out.size() - written);
    stream.next_in = Bytes(rest);
    stream.avail_in = offered;
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = room;
    status = deflate(&stream, offered == rest.size() ? Z_FINISH : Z_NO_FLUSH);
    rest.remove_prefix(offered - stream.avail_in);
    written += room - stream.avail_out;
  }
  deflateEnd(&stream);
  out.resize(written);
  AppendLittle(out, Checksum(data));
  AppendLittle(out, static_cast<std::uint32_t>(data.size()));
  return out;
}

Result<std::string> GzipDecompress(std::string_view data, std::size_t max_size) {
  return Reader(data, max_size).Read();
}

}  // namespace portcullis::base
