#ifndef PORTCULLIS_CEL_KYVERNO_DER_H_
#define PORTCULLIS_CEL_KYVERNO_DER_H_

// A reader of DER as Go's cryptobyte is one: minimal lengths, low tag numbers, nothing indefinite.
// Views point into the text that is read. Not thread-safe; internal to cel/kyverno.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace portcullis::cel::der {

inline constexpr std::uint8_t kBoolean = 0x01;
inline constexpr std::uint8_t kInteger = 0x02;
inline constexpr std::uint8_t kBitString = 0x03;
inline constexpr std::uint8_t kOctetString = 0x04;
inline constexpr std::uint8_t kNull = 0x05;
inline constexpr std::uint8_t kOid = 0x06;
inline constexpr std::uint8_t kUtf8String = 0x0c;
inline constexpr std::uint8_t kNumericString = 0x12;
inline constexpr std::uint8_t kPrintableString = 0x13;
inline constexpr std::uint8_t kT61String = 0x14;
inline constexpr std::uint8_t kIa5String = 0x16;
inline constexpr std::uint8_t kUtcTime = 0x17;
inline constexpr std::uint8_t kGeneralizedTime = 0x18;
inline constexpr std::uint8_t kBmpString = 0x1e;
inline constexpr std::uint8_t kSequence = 0x30;
inline constexpr std::uint8_t kSet = 0x31;
// A context-specific tag, primitive or constructed.
constexpr std::uint8_t Context(int number, bool constructed) {
  return static_cast<std::uint8_t>(0x80 | (constructed ? 0x20 : 0) | number);
}

using Oid = std::vector<std::uint64_t>;

// Every Read function returns false and leaves the reader where it was when the next element is
// something else or malformed.
class Reader {
 public:
  Reader() = default;
  explicit Reader(std::string_view text) : rest_(text) {}

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  bool NextIs(std::uint8_t tag) const;

  // Any element: its tag, its contents, and the whole of it with its header.
  bool ReadAny(std::uint8_t& tag, std::string_view& contents, std::string_view& whole);
  // The contents of an element with this tag / the whole of it.
  bool Read(std::uint8_t tag, std::string_view& contents);
  bool Read(std::uint8_t tag, Reader& contents);
  bool ReadWhole(std::uint8_t tag, std::string_view& whole);

  // An integer in minimal two's complement, big-endian.
  bool ReadInteger(std::string_view& bytes);
  bool ReadSmallInteger(std::int64_t& value);
  bool ReadBool(bool& value);
  bool ReadOid(Oid& oid);
  // A bit string; `unused` are the bits of the last byte that do not count.
  bool ReadBits(std::string_view& bytes, int& unused);

 private:
  std::string_view rest_;
};

// The digits of a big-endian unsigned number in base 10.
std::string DecimalText(std::string_view big_endian);

}  // namespace portcullis::cel::der

#endif  // PORTCULLIS_CEL_KYVERNO_DER_H_
