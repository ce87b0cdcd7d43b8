// Texts inside of certificates: attribute values, alternative names, signature algorithms.

#include <array>

#include "base/gotext.h"
#include "base/netip.h"
#include "base/utf8.h"
#include "cel/kyverno/certificate.h"

namespace portcullis::cel {
namespace {

bool IsPrintable(char c) {
  constexpr std::string_view kOthers = " '()+,-./:=?*&";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos;
}

bool DecodeBmp(std::string_view contents, std::string& out) {
  if (contents.size() % 2 != 0) return false;
  if (contents.ends_with(std::string_view("\0\0", 2))) contents.remove_suffix(2);
  for (std::size_t i = 0; i < contents.size(); i += 2) {
    const auto unit = static_cast<char32_t>(static_cast<std::uint8_t>(contents[i]) << 8 |
                                            static_cast<std::uint8_t>(contents[i + 1]));
    base::AppendUtf8(out, unit);
  }
  return true;
}

// The host of a URI must be a name: labels without blanks, none of them empty.
bool IsDomain(std::string_view host) {
  if (host.ends_with('.')) return false;
  std::size_t label = 0;
  for (const char c : host) {
    if (c == '.') {
      if (label == 0) return false;
      label = 0;
      continue;
    }
    if (c < 33 || c > 126) return false;
    ++label;
  }
  return true;
}

std::string AddUri(std::string_view text, std::vector<base::Url>& out) {
  const std::string prefix = "x509: cannot parse URI " + base::GoQuote(text) + ": ";
  auto url = base::ParseUrl(text);
  if (!url.ok()) return prefix + url.error().message;
  const std::string host = url->Hostname();
  if (!host.empty() && !base::ParseIpAddress(host).ok() && !IsDomain(host)) {
    return prefix + "invalid domain";
  }
  out.push_back(std::move(*url));
  return {};
}

}  // namespace

bool DecodeAsn1String(std::uint8_t tag, std::string_view contents, std::string& out,
                      std::string& error) {
  const auto all = [&](auto accepts) {
    for (const char c : contents) {
      if (!accepts(c)) return false;
    }
    return true;
  };
  bool good = true;
  out.assign(contents);
  switch (tag) {
    case der::kT61String:
      return true;
    case der::kPrintableString:
      good = all(IsPrintable);
      error = "invalid PrintableString";
      break;
    case der::kUtf8String:
      good = base::IsValidUtf8(contents);
      error = "invalid UTF-8 string";
      break;
    case der::kBmpString:
      out.clear();
      good = DecodeBmp(contents, out);
      error = "invalid BMPString";
      break;
    case der::kIa5String:
      good = base::IsAscii(contents);
      error = "invalid IA5String";
      break;
    case der::kNumericString:
      good = all([](char c) { return (c >= '0' && c <= '9') || c == ' '; });
      error = "invalid NumericString";
      break;
    default:
      good = false;
      error = "unsupported string type: " + std::to_string(tag);
  }
  return good;
}

std::string ParseAlternativeNames(std::string_view value, AlternativeNames& out) {
  constexpr std::uint8_t kEmail = der::Context(1, false);
  constexpr std::uint8_t kDns = der::Context(2, false);
  constexpr std::uint8_t kUri = der::Context(6, false);
  constexpr std::uint8_t kIp = der::Context(7, false);
  constexpr std::size_t kIpv4 = 4;
  constexpr std::size_t kIpv6 = 16;
  der::Reader outer(value);
  der::Reader list;
  if (!outer.Read(der::kSequence, list)) return "x509: invalid subject alternative names";
  while (!list.empty()) {
    std::uint8_t tag = 0;
    std::string_view text;
    std::string_view whole;
    if (!list.ReadAny(tag, text, whole)) return "x509: invalid subject alternative name";
    const bool ascii = base::IsAscii(text);
    if (tag == kEmail) {
      if (!ascii) return "x509: SAN rfc822Name is malformed";
      out.emails.emplace_back(text);
    } else if (tag == kDns) {
      if (!ascii) return "x509: SAN dNSName is malformed";
      out.dns.emplace_back(text);
    } else if (tag == kUri) {
      if (!ascii) return "x509: SAN uniformResourceIdentifier is malformed";
      std::string problem = AddUri(text, out.uris);
      if (!problem.empty()) return problem;
    } else if (tag == kIp) {
      if (text.size() != kIpv4 && text.size() != kIpv6) {
        return "x509: cannot parse IP address of length " + std::to_string(text.size());
      }
      out.ips.push_back(IpText(text));
    }
  }
  return {};
}

std::string IpText(std::string_view bytes) {
  constexpr std::size_t kMapped = 12;
  constexpr std::string_view kPrefix("\0\0\0\0\0\0\0\0\0\0\xff\xff", kMapped);
  if (bytes.starts_with(kPrefix)) bytes.remove_prefix(kMapped);
  base::IpAddress address;
  address.v6 = bytes.size() == address.bytes.size();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    address.bytes[i] = static_cast<std::uint8_t>(bytes[i]);
  }
  return address.ToString();
}

int SignatureAlgorithm(std::string_view identifier) {
  struct Row {
    std::array<std::uint64_t, 9> oid;  // ends at the first zero
    int number;
  };
  static constexpr Row kRows[] = {
      {{1, 2, 840, 113549, 1, 1, 4}, 2},
      {{1, 2, 840, 113549, 1, 1, 5}, 3},
      {{1, 3, 14, 3, 2, 29}, 3},
      {{1, 2, 840, 113549, 1, 1, 11}, 4},
      {{1, 2, 840, 113549, 1, 1, 12}, 5},
      {{1, 2, 840, 113549, 1, 1, 13}, 6},
      {{1, 2, 840, 10040, 4, 3}, 7},
      {{2, 16, 840, 1, 101, 3, 4, 3, 2}, 8},
      {{1, 2, 840, 10045, 4, 1}, 9},
      {{1, 2, 840, 10045, 4, 3, 2}, 10},
      {{1, 2, 840, 10045, 4, 3, 3}, 11},
      {{1, 2, 840, 10045, 4, 3, 4}, 12},
      {{1, 3, 101, 112}, 16},
  };
  static const der::Oid kPss = {1, 2, 840, 113549, 1, 1, 10};
  der::Reader reader(identifier);
  der::Oid oid;
  if (!reader.ReadOid(oid)) return 0;
  for (const Row& row : kRows) {
    std::size_t size = 0;
    while (size < row.oid.size() && row.oid[size] != 0) ++size;
    if (oid == der::Oid(row.oid.begin(), row.oid.begin() + static_cast<std::ptrdiff_t>(size))) {
      return row.number;
    }
  }
  if (oid != kPss) return 0;
  // RSASSA-PSS: the digest is inside of the parameters, which Go takes in three spellings only.
  der::Reader parameters;
  der::Reader wrapper;
  der::Reader hash;
  der::Oid digest;
  if (!reader.Read(der::kSequence, parameters) ||
      !parameters.Read(der::Context(0, true), wrapper) || !wrapper.Read(der::kSequence, hash) ||
      !hash.ReadOid(digest)) {
    return 0;
  }
  constexpr int kFirst = 13;  // with SHA-256, then SHA-384, SHA-512
  for (std::uint64_t i = 0; i < 3; ++i) {
    if (digest == der::Oid{2, 16, 840, 1, 101, 3, 4, 2, i + 1}) return kFirst + static_cast<int>(i);
  }
  return 0;
}

}  // namespace portcullis::cel
