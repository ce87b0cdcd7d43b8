#ifndef PORTCULLIS_CEL_KYVERNO_CERTIFICATE_H_
#define PORTCULLIS_CEL_KYVERNO_CERTIFICATE_H_

// X.509 certificates and requests for them as Go's crypto/x509 reads them, with its error texts
// (spec/kyverno-cel-policies.md 10.12). Views point into the DER text, which must outlive them.
// Pure functions, thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "base/url.h"
#include "cel/kyverno/der.h"

namespace portcullis::cel {

// One `-----BEGIN TYPE-----` block.
struct PemBlock {
  std::string type;
  std::string bytes;
};
// The first block of `text`, as Go's encoding/pem finds it.
std::optional<PemBlock> DecodePem(std::string_view text);

struct NameAttribute {
  der::Oid type;
  std::string value;
};
using DistinguishedName = std::vector<NameAttribute>;

struct CertificateExtension {
  der::Oid id;
  bool critical = false;
  std::string_view value;
};

// Subject alternative names.
struct AlternativeNames {
  std::vector<std::string> dns;
  std::vector<std::string> emails;
  std::vector<std::string> ips;  // as text
  std::vector<base::Url> uris;
};

struct NameConstraints {
  struct Range {
    std::string ip;  // as text
    std::string mask;
  };
  std::vector<std::string> dns;
  std::vector<Range> ips;
  std::vector<std::string> emails;
  std::vector<std::string> uris;
};

struct PublicKeyInfo {
  std::string_view whole;
  bool is_rsa = false;
  std::string_view modulus;  // big-endian, without leading zeros
  std::int64_t exponent = 0;
};

struct Certificate {
  std::string_view raw;
  std::string_view tbs;
  std::string_view raw_subject;
  std::string_view raw_issuer;
  std::string_view signature;
  PublicKeyInfo key;
  std::string_view serial;  // two's complement, big-endian
  DistinguishedName issuer;
  base::Instant not_before;
  base::Instant not_after;
  std::vector<CertificateExtension> extensions;
  std::int64_t key_usage = 0;
  std::vector<int> extended_key_usages;  // Go's numbers of those that it knows
  bool basic_constraints_valid = false;
  bool is_ca = false;
  std::int64_t max_path_length = 0;
  bool max_path_length_zero = false;
  std::optional<std::string_view> authority_key_id;
  std::vector<std::string> ocsp_servers;
  std::vector<std::string> issuing_urls;
  AlternativeNames names;
  bool constraints_critical = false;
  NameConstraints permitted;
  NameConstraints excluded;
  std::vector<std::string> crl_points;
  std::vector<der::Oid> policies;
};
base::Result<Certificate> ParseCertificate(std::string_view text);

struct CertificateRequest {
  std::string_view raw;
  std::string_view tbs;
  std::string_view raw_subject;
  std::string_view signature;
  PublicKeyInfo key;
  std::int64_t version = 0;
  int signature_algorithm = 0;  // Go's number
  DistinguishedName subject;
  std::vector<std::string_view> attributes;  // each with its header
  std::vector<CertificateExtension> extensions;
  AlternativeNames names;
};
base::Result<CertificateRequest> ParseCertificateRequest(std::string_view text);

// ---- shared by the two parsers --------------------------------------------------------------

// These return Go's text for what is wrong, or an empty string.
std::string ParseDistinguishedName(std::string_view whole, DistinguishedName& out);
std::string ParsePublicKeyInfo(std::string_view whole, PublicKeyInfo& out);
std::string ParseAlternativeNames(std::string_view value, AlternativeNames& out);
// The extensions that Go knows, of which `certificate.extensions` holds the bytes.
std::string ProcessExtensions(Certificate& certificate);

// The text of an attribute value of this tag; false and a message when it is malformed.
bool DecodeAsn1String(std::uint8_t tag, std::string_view contents, std::string& out,
                      std::string& error);
// An address of 4 or 16 bytes as Go prints it.
std::string IpText(std::string_view bytes);
// The signature algorithm of an AlgorithmIdentifier's contents, as Go numbers them; 0 = unknown.
int SignatureAlgorithm(std::string_view identifier);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_CERTIFICATE_H_
