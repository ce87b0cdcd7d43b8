// The extensions of certificates that Go's crypto/x509 understands.

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/utf8.h"
#include "cel/kyverno/certificate.h"

namespace portcullis::cel {
namespace {

using der::Reader;

std::string KeyUsage(const CertificateExtension& extension, Certificate& out) {
  constexpr int kBits = 9;
  Reader reader(extension.value);
  std::string_view bytes;
  int unused = 0;
  if (!reader.ReadBits(bytes, unused)) return "x509: invalid key usage";
  const int count = static_cast<int>(bytes.size()) * 8 - unused;
  for (int i = 0; i < std::min(kBits, count); ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i / 8)]);
    if ((byte >> (7 - i % 8) & 1) != 0) out.key_usage |= std::int64_t{1} << i;
  }
  return {};
}

std::string BasicConstraints(const CertificateExtension& extension, Certificate& out) {
  const std::string broken = "x509: invalid basic constraints";
  Reader outer(extension.value);
  Reader fields;
  if (!outer.Read(der::kSequence, fields)) return broken;
  if (fields.NextIs(der::kBoolean) && !fields.ReadBool(out.is_ca)) return broken;
  out.max_path_length = -1;
  if (fields.NextIs(der::kInteger)) {
    if (!fields.ReadSmallInteger(out.max_path_length) || out.max_path_length < 0) return broken;
  }
  out.max_path_length_zero = out.max_path_length == 0;
  out.basic_constraints_valid = true;
  return {};
}

std::string AuthorityKey(const CertificateExtension& extension, Certificate& out) {
  const std::string broken = "x509: invalid authority key identifier";
  if (extension.critical) return "x509: authority key identifier incorrectly marked critical";
  Reader outer(extension.value);
  Reader fields;
  if (!outer.Read(der::kSequence, fields)) return broken;
  const std::uint8_t tag = der::Context(0, false);
  if (!fields.NextIs(tag)) return {};
  std::string_view id;
  if (!fields.Read(tag, id)) return broken;
  out.authority_key_id = id;
  return {};
}

// Go's numbers of the usages: the position in this list, `any` first.
int ExtendedUsage(const der::Oid& oid) {
  static const std::array<der::Oid, 14> kUsages = {
      der::Oid{2, 5, 29, 37, 0},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 1},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 2},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 3},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 4},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 5},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 6},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 7},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 8},
      der::Oid{1, 3, 6, 1, 5, 5, 7, 3, 9},
      der::Oid{1, 3, 6, 1, 4, 1, 311, 10, 3, 3},
      der::Oid{2, 16, 840, 1, 113730, 4, 1},
      der::Oid{1, 3, 6, 1, 4, 1, 311, 2, 1, 22},
      der::Oid{1, 3, 6, 1, 4, 1, 311, 61, 1, 1},
  };
  const auto found = std::find(kUsages.begin(), kUsages.end(), oid);
  return found == kUsages.end() ? -1 : static_cast<int>(found - kUsages.begin());
}

std::string ExtendedUsages(const CertificateExtension& extension, Certificate& out) {
  Reader outer(extension.value);
  Reader list;
  if (!outer.Read(der::kSequence, list)) return "x509: invalid extended key usages";
  while (!list.empty()) {
    der::Oid oid;
    if (!list.ReadOid(oid)) return "x509: invalid extended key usages";
    const int usage = ExtendedUsage(oid);
    if (usage >= 0) out.extended_key_usages.push_back(usage);
  }
  return {};
}

std::string DistributionPoints(const CertificateExtension& extension, Certificate& out) {
  const std::string broken = "x509: invalid CRL distribution point";
  const std::uint8_t wrapped = der::Context(0, true);
  Reader outer(extension.value);
  Reader list;
  if (!outer.Read(der::kSequence, list)) return broken + "s";
  while (!list.empty()) {
    Reader point;
    if (!list.Read(der::kSequence, point)) return broken;
    if (!point.NextIs(wrapped)) continue;
    Reader name;
    if (!point.Read(wrapped, name)) return broken;
    if (!name.NextIs(wrapped)) continue;
    Reader full;
    if (!name.Read(wrapped, full)) return broken;
    const std::uint8_t uri = der::Context(6, false);
    while (!full.empty() && full.NextIs(uri)) {
      std::string_view text;
      if (!full.Read(uri, text)) return broken;
      out.crl_points.emplace_back(text);
    }
  }
  return {};
}

std::string Policies(const CertificateExtension& extension, Certificate& out) {
  const std::string broken = "x509: invalid certificate policies";
  Reader outer(extension.value);
  Reader list;
  if (!outer.Read(der::kSequence, list)) return broken;
  while (!list.empty()) {
    Reader policy;
    der::Oid oid;
    if (!list.Read(der::kSequence, policy) || !policy.ReadOid(oid)) return broken;
    out.policies.push_back(std::move(oid));
  }
  return {};
}

std::string AuthorityAccess(const CertificateExtension& extension, Certificate& out) {
  const std::string broken = "x509: invalid authority info access";
  static const der::Oid kOcsp = {1, 3, 6, 1, 5, 5, 7, 48, 1};
  static const der::Oid kIssuers = {1, 3, 6, 1, 5, 5, 7, 48, 2};
  if (extension.critical) return "x509: authority info access incorrectly marked critical";
  Reader outer(extension.value);
  Reader list;
  if (!outer.Read(der::kSequence, list)) return broken;
  while (!list.empty()) {
    Reader entry;
    der::Oid method;
    if (!list.Read(der::kSequence, entry) || !entry.ReadOid(method)) return broken;
    std::string_view uri;
    if (!entry.NextIs(der::Context(6, false))) continue;
    if (!entry.Read(der::Context(6, false), uri)) return broken;
    if (method == kOcsp) out.ocsp_servers.emplace_back(uri);
    if (method == kIssuers) out.issuing_urls.emplace_back(uri);
  }
  return {};
}

std::string ConstraintList(Reader list, NameConstraints& out) {
  const std::string broken = "x509: invalid NameConstraints extension";
  while (!list.empty()) {
    Reader subtree;
    std::uint8_t tag = 0;
    std::string_view text;
    std::string_view whole;
    if (!list.Read(der::kSequence, subtree) || !subtree.ReadAny(tag, text, whole)) return broken;
    if (tag == der::Context(7, false)) {
      constexpr std::size_t kIpv4 = 8;
      constexpr std::size_t kIpv6 = 32;
      if (text.size() != kIpv4 && text.size() != kIpv6) {
        return "x509: IP constraint contained value of length " + std::to_string(text.size());
      }
      const std::size_t half = text.size() / 2;
      out.ips.push_back({IpText(text.substr(0, half)), base::Base64Encode(text.substr(half))});
      continue;
    }
    if (!base::IsAscii(text)) return broken;
    if (tag == der::Context(2, false)) out.dns.emplace_back(text);
    if (tag == der::Context(1, false)) out.emails.emplace_back(text);
    if (tag == der::Context(6, false)) out.uris.emplace_back(text);
  }
  return {};
}

std::string Constraints(const CertificateExtension& extension, Certificate& out) {
  const std::string broken = "x509: invalid NameConstraints extension";
  Reader outer(extension.value);
  Reader fields;
  if (!outer.Read(der::kSequence, fields)) return broken;
  if (fields.empty()) return "x509: empty name constraints extension";
  for (NameConstraints* constraints : {&out.permitted, &out.excluded}) {
    const std::uint8_t tag = der::Context(constraints == &out.permitted ? 0 : 1, true);
    if (!fields.NextIs(tag)) continue;
    Reader list;
    if (!fields.Read(tag, list)) return broken;
    std::string problem = ConstraintList(list, *constraints);
    if (!problem.empty()) return problem;
  }
  out.constraints_critical = extension.critical;
  return {};
}

}  // namespace

std::string ProcessExtensions(Certificate& certificate) {
  static const der::Oid kAccess = {1, 3, 6, 1, 5, 5, 7, 1, 1};
  for (const CertificateExtension& extension : certificate.extensions) {
    const der::Oid& id = extension.id;
    std::string problem;
    if (id == kAccess) problem = AuthorityAccess(extension, certificate);
    if (id.size() == 4 && id[0] == 2 && id[1] == 5 && id[2] == 29) {
      switch (id[3]) {
        case 15:
          problem = KeyUsage(extension, certificate);
          break;
        case 17:
          problem = ParseAlternativeNames(extension.value, certificate.names);
          break;
        case 19:
          problem = BasicConstraints(extension, certificate);
          break;
        case 30:
          problem = Constraints(extension, certificate);
          break;
        case 31:
          problem = DistributionPoints(extension, certificate);
          break;
        case 32:
          problem = Policies(extension, certificate);
          break;
        case 35:
          problem = AuthorityKey(extension, certificate);
          break;
        case 37:
          problem = ExtendedUsages(extension, certificate);
          break;
        default:
          break;
      }
    }
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace portcullis::cel
