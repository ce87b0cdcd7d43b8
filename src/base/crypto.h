#ifndef PORTCULLIS_BASE_CRYPTO_H_
#define PORTCULLIS_BASE_CRYPTO_H_

// Message digests, as lower-case hexadecimal text, and authentication codes, as bytes. Pure
// functions, thread-safe.

#include <array>
#include <string>
#include <string_view>

namespace portcullis::base {

template <std::size_t kBytes>
struct HexDigest {
  std::array<char, kBytes * 2> text;
  std::string_view view() const { return {text.data(), text.size()}; }
};

HexDigest<16> Md5(std::string_view data);
HexDigest<20> Sha1(std::string_view data);
HexDigest<32> Sha256(std::string_view data);

// RFC 2104.
std::string HmacSha256(std::string_view key, std::string_view data);
std::string HmacSha384(std::string_view key, std::string_view data);
std::string HmacSha512(std::string_view key, std::string_view data);

// Takes as long wherever the texts differ.
bool EqualInConstantTime(std::string_view a, std::string_view b);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_CRYPTO_H_
