#include "cel/kyverno/certificate.h"

#include <gtest/gtest.h>

#include <string>

namespace portcullis::cel {
namespace {

// Authority with an RSA key of 512 bits and every extension that is understood.
constexpr const char* kCertificate =
    "-----BEGIN CERTIFICATE-----\n"
    "MIICzzCCAnmgAwIBAgIBBTANBgkqhkiG9w0BAQsFADAsMQswCQYDVQQGEwJERTEQ\n"
    "MA4GA1UECgwHRXhhbXBsZTELMAkGA1UEAwwCY2EwIBcNMjYxMTMwMDgyOTE5WhgP\n"
    "MjEyNjExMDYwODI5MTlaMCwxCzAJBgNVBAYTAkRFMRAwDgYDVQQKDAdFeGFtcGxl\n"
    "MQswCQYDVQQDDAJjYTBcMA0GCSqGSIb3DQEBAQUAA0sAMEgCQQC8ozs0qozJbtyb\n"
    "nbVTq2afZwk3MhbpYMETl30EkNtYE36smiPOsWqWYpvUGIYsvd7h0Bo9fqV+oO+p\n"
    "L4IripHrAgMBAAGjggGCMIIBfjASBgNVHRMBAf8ECDAGAQH/AgEAMA4GA1UdDwEB\n"
    "/wQEAwIBBjAiBgNVHSUEGzAZBggrBgEFBQcDAQYIKwYBBQUHAwIGAyoDBDBJBgNV\n"
    "HR4BAf8EPzA9oBwwDoIMLmV4YW1wbGUuY29tMAqHCAoAAAD/AAAAoR0wDYELYmFk\n"
    "LmV4YW1wbGUwDIYKLnguZXhhbXBsZTAnBgNVHR8EIDAeMBygGqAYhhZodHRwOi8v\n"
    "Yy5leGFtcGxlL2EuY3JsMFEGCCsGAQUFBwEBBEUwQzAcBggrBgEFBQcwAYYQaHR0\n"
    "cDovL28uZXhhbXBsZTAjBggrBgEFBQcwAoYXaHR0cDovL2kuZXhhbXBsZS9jYS5k\n"
    "ZXIwGAYDVR0gBBEwDzAFBgMqAwUwBgYEVR0gADA0BgNVHREELTArhhdodHRwczov\n"
    "L3UuZXhhbXBsZS9wP3E9MYcQIAENuAAAAAAAAAAAAAAAATAdBgNVHQ4EFgQUHKwi\n"
    "cfXwDUqiMN1A2Rp22LaU5tIwDQYJKoZIhvcNAQELBQADQQBTWVEMLRqkZ1i05H4Q\n"
    "AnJ4i9PY8Fsk7SbgwtshdXq7WMOvZPLfoCPBmXZq5tYscJ6nVN85VuM2qlqPx+zn\n"
    "kUuu\n"
    "-----END CERTIFICATE-----\n";

constexpr const char* kRequest =
    "-----BEGIN CERTIFICATE REQUEST-----\n"
    "MIIBKTCB1AIBADAsMQswCQYDVQQGEwJERTEQMA4GA1UECgwHRXhhbXBsZTELMAkG\n"
    "A1UEAwwCY2EwXDANBgkqhkiG9w0BAQEFAANLADBIAkEAvKM7NKqMyW7cm521U6tm\n"
    "n2cJNzIW6WDBE5d9BJDbWBN+rJojzrFqlmKb1BiGLL3e4dAaPX6lfqDvqS+CK4qR\n"
    "6wIDAQABoEMwQQYJKoZIhvcNAQkOMTQwMjAMBgNVHRMBAf8EAjAAMCIGA1UdEQQb\n"
    "MBmCCXIuZXhhbXBsZYYMc3BpZmZlOi8vYS9iMA0GCSqGSIb3DQEBCwUAA0EAexBq\n"
    "eOg1XskGC1iX6s9oGU90opm8+YRZi75dlK/Mv7c28Fv+jyo5x5We/EFAjKpjkJn5\n"
    "fY9wUiAmbdW3d5Sl0Q==\n"
    "-----END CERTIFICATE REQUEST-----\n";

std::string Der(const char* pem) { return DecodePem(pem)->bytes; }

TEST(Certificate, Extensions) {
  const std::string der = Der(kCertificate);
  const auto parsed = ParseCertificate(der);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_TRUE(parsed->is_ca && parsed->basic_constraints_valid && parsed->max_path_length_zero);
  EXPECT_EQ(parsed->key_usage, 96);  // certificates and revocation lists
  EXPECT_EQ(parsed->extended_key_usages, (std::vector<int>{1, 2}));
  EXPECT_TRUE(parsed->constraints_critical);
  EXPECT_EQ(parsed->permitted.dns, std::vector<std::string>{".example.com"});
  ASSERT_EQ(parsed->permitted.ips.size(), 1U);
  EXPECT_EQ(parsed->permitted.ips[0].ip, "10.0.0.0");
  EXPECT_EQ(parsed->permitted.ips[0].mask, "/wAAAA==");
  EXPECT_EQ(parsed->excluded.emails, std::vector<std::string>{"bad.example"});
  EXPECT_EQ(parsed->excluded.uris, std::vector<std::string>{".x.example"});
  EXPECT_EQ(parsed->crl_points, std::vector<std::string>{"http://c.example/a.crl"});
  EXPECT_EQ(parsed->ocsp_servers, std::vector<std::string>{"http://o.example"});
  EXPECT_EQ(parsed->issuing_urls, std::vector<std::string>{"http://i.example/ca.der"});
  EXPECT_EQ(parsed->policies, (std::vector<der::Oid>{{1, 2, 3, 5}, {2, 5, 29, 32, 0}}));
  EXPECT_EQ(parsed->names.ips, std::vector<std::string>{"2001:db8::1"});
  ASSERT_EQ(parsed->names.uris.size(), 1U);
  EXPECT_EQ(parsed->names.uris[0].host, "u.example");
  EXPECT_EQ(base::FormatRfc3339(parsed->not_after), "2126-11-06T08:29:19Z");
  EXPECT_FALSE(parsed->authority_key_id.has_value());
}

TEST(Certificate, Request) {
  const std::string der = Der(kRequest);
  const auto parsed = ParseCertificateRequest(der);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(parsed->signature_algorithm, 4);
  EXPECT_EQ(parsed->subject.size(), 3U);
  EXPECT_EQ(parsed->names.dns, std::vector<std::string>{"r.example"});
  ASSERT_EQ(parsed->names.uris.size(), 1U);
  EXPECT_EQ(parsed->names.uris[0].scheme, "spiffe");
  ASSERT_EQ(parsed->extensions.size(), 2U);
  EXPECT_TRUE(parsed->extensions[0].critical);
  EXPECT_EQ(parsed->attributes.size(), 1U);
}

// Whatever is wrong has a message; nothing reads outside of the text.
TEST(Certificate, DamagedTexts) {
  for (const char* pem : {kCertificate, kRequest}) {
    const std::string whole = Der(pem);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const std::string part = whole.substr(0, i);
      EXPECT_FALSE(ParseCertificate(part).ok());
      EXPECT_FALSE(ParseCertificateRequest(part).ok());
      for (const char value : {'\x00', '\x05', '\x30', '\x7f', '\x84', '\xff'}) {
        std::string changed = whole;
        changed[i] = value;
        const auto certificate = ParseCertificate(changed);
        EXPECT_TRUE(certificate.ok() || !certificate.error().message.empty());
        const auto request = ParseCertificateRequest(changed);
        EXPECT_TRUE(request.ok() || !request.error().message.empty());
      }
    }
  }
}

TEST(Certificate, Messages) {
  std::string der = Der(kCertificate);
  EXPECT_EQ(ParseCertificate(der + "x").error().message, "x509: trailing data");
  EXPECT_EQ(ParseCertificate("").error().message, "x509: malformed certificate");
  const std::size_t usage = der.find(std::string("\x55\x1d\x0f", 3));
  ASSERT_NE(usage, std::string::npos);
  der[usage + 2] = '\x13';  // a second extension of that kind
  EXPECT_EQ(ParseCertificate(der).error().message,
            "x509: certificate contains duplicate extensions");
}

TEST(Pem, Blocks) {
  EXPECT_FALSE(DecodePem("").has_value());
  EXPECT_FALSE(DecodePem("-----BEGIN A-----\nAA\n-----END A-----").has_value());
  EXPECT_FALSE(DecodePem("x -----BEGIN A-----\nAAAA\n-----END A-----").has_value());
  const auto block =
      DecodePem("junk\n-----BEGIN A B-----\r\nKey: value\n\nAA AA\n-----END A B-----\nmore");
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(block->type, "A B");
  EXPECT_EQ(block->bytes.size(), 3U);
}

TEST(Der, Numbers) {
  EXPECT_EQ(der::DecimalText(""), "0");
  EXPECT_EQ(der::DecimalText(std::string(9, '\xff')), "4722366482869645213695");
  std::int64_t number = 0;
  EXPECT_TRUE(der::Reader(std::string_view("\x02\x02\xff\x7f", 4)).ReadSmallInteger(number));
  EXPECT_EQ(number, -129);
  EXPECT_FALSE(der::Reader(std::string_view("\x02\x02\x00\x7f", 4)).ReadSmallInteger(number));
}

}  // namespace
}  // namespace portcullis::cel
