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

namespace {

using Digest = std::string (*)(std::string_view);

std::string Sha256Bytes(std::string_view data) {
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, data.data(), data.size());
  SHA256_Final(reinterpret_cast<unsigned char*>(out.data()), &context);
  return out;
}
std::string Sha384Bytes(std::string_view data) {
  std::string out(SHA384_DIGEST_LENGTH, '\0');
  SHA512_CTX context;
  SHA384_Init(&context);
  SHA384_Update(&context, data.data(), data.size());
  SHA384_Final(reinterpret_cast<unsigned char*>(out.data()), &context);
  return out;
}
std::string Sha512Bytes(std::string_view data) {
  std::string out(SHA512_DIGEST_LENGTH, '\0');
  SHA512_CTX context;
  SHA512_Init(&context);
  SHA512_Update(&context, data.data(), data.size());
  SHA512_Final(reinterpret_cast<unsigned char*>(out.data()), &context);
  return out;
}

std::string Hmac(Digest digest, std::size_t block, std::string_view key, std::string_view data) {
  constexpr char kInner = 0x36;
  constexpr char kOuter = 0x5c;
  std::string padded = key.size() > block ? digest(key) : std::string(key);
  padded.resize(block, '\0');
  std::string inner = padded;
  std::string outer = padded;
  for (char& c : inner) c = static_cast<char>(c ^ kInner);
  for (char& c : outer) c = static_cast<char>(c ^ kOuter);
  return digest(outer + digest(inner.append(data)));
}

}  // namespace

std::string HmacSha256(std::string_view key, std::string_view data) {
  return Hmac(Sha256Bytes, SHA256_CBLOCK, key, data);
}
std::string HmacSha384(std::string_view key, std::string_view data) {
  return Hmac(Sha384Bytes, SHA512_CBLOCK, key, data);
}
std::string HmacSha512(std::string_view key, std::string_view data) {
  return Hmac(Sha512Bytes, SHA512_CBLOCK, key, data);
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ b[i]));
  }
  return difference == 0;
}

}  // namespace portcullis::base
