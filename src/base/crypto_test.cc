#include "base/crypto.h"

#include <gtest/gtest.h>

#include <string>

namespace portcullis::base {
namespace {

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4U];
    out += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return out;
}

// RFC 4231, test case 2.
TEST(Hmac, Rfc4231) {
  constexpr std::string_view kKey = "Jefe";
  constexpr std::string_view kData = "what do ya want for nothing?";
  EXPECT_EQ(Hex(HmacSha256(kKey, kData)),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      Hex(HmacSha384(kKey, kData)),
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239e"
      "cfab21649");
  EXPECT_EQ(
      Hex(HmacSha512(kKey, kData)),
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f6"
      "5f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737");
}

// RFC 4231, test case 6: a key longer than the block.
TEST(Hmac, LongKey) {
  EXPECT_EQ(Hex(HmacSha256(std::string(131, '\xaa'),
                           "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(EqualInConstantTime, ComparesAll) {
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualInConstantTime("abc", "ab"));
}

}  // namespace
}  // namespace portcullis::base
