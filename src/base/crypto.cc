// The block functions are called directly: OpenSSL's newer interface would load its provider with
// every algorithm into the executable and look each digest up by name.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/crypto.h"

#include <openssl/md5.h>
#include <openssl/sha.h>

namespace portcullis::base {
namespace {

template <std::size_t kBytes>
HexDigest<kBytes> Hex(const std::array<unsigned char, kBytes>& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  HexDigest<kBytes> hex;
  for (std::size_t i = 0; i < kBytes; ++i) {
    hex.text[2 * i] = kDigits[digest[i] >> 4];
    hex.text[2 * i + 1] = kDigits[digest[i] & 15];
  }
  return hex;
}

}  // namespace

HexDigest<16> Md5(std::string_view data) {
  std::array<unsigned char, MD5_DIGEST_LENGTH> digest;
  MD5_CTX context;
  MD5_Init(&context);
  MD5_Update(&context, data.data(), data.size());
  MD5_Final(digest.data(), &context);
  return Hex(digest);
}

HexDigest<20> Sha1(std::string_view data) {
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Update(&context, data.data(), data.size());
  SHA1_Final(digest.data(), &context);
  return Hex(digest);
}

HexDigest<32> Sha256(std::string_view data) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, data.data(), data.size());
  SHA256_Final(digest.data(), &context);
  return Hex(digest);
}

}  // namespace portcullis::base
