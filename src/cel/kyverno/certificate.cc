#include "cel/kyverno/certificate.h"

#include "base/time.h"

namespace portcullis::cel {
namespace {

using der::Reader;

base::Error Invalid(std::string message) {
  return {base::ErrorCode::kInvalid, "x509: " + std::move(message)};
}

// Two digits at `at`, or -1.
int TwoDigits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9' ? text[i] - '0' : -100;
  };
  const int value = digit(at) * 10 + digit(at + 1);
  return value < 0 ? -1 : value;
}

// `[YY]YYMMDDHHMM[SS]Z`; seconds may be missing from a UTCTime.
bool ParseTime(std::string_view text, bool generalized, base::Instant& out) {
  constexpr int kCenturyTurn = 50;
  if (text.empty() || text.back() != 'Z') return false;
  std::size_t at = 0;
  const auto next = [&] {
    const int value = TwoDigits(text, at);
    at += 2;
    return value;
  };
  int year = next();
  if (year < 0) return false;
  if (generalized) {
    const int rest = next();
    if (rest < 0) return false;
    year = year * 100 + rest;
  } else {
    year += year >= kCenturyTurn ? 1900 : 2000;
  }
  const int month = next();
  const int day = next();
  const int hour = next();
  const int minute = next();
  const int second = !generalized && at + 1 == text.size() ? 0 : next();
  if (at + 1 != text.size() || month < 1 || month > 12 || day < 1 ||
      day > base::DaysInMonth(year, month) || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 59) {
    return false;
  }
  out.seconds = ((base::DaysFromCivil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
  return true;
}

const char* ReadTime(Reader& from, base::Instant& out) {
  std::string_view text;
  if (from.NextIs(der::kUtcTime)) {
    return from.Read(der::kUtcTime, text) && ParseTime(text, false, out) ? nullptr
                                                                         : "malformed UTCTime";
  }
  if (from.NextIs(der::kGeneralizedTime)) {
    return from.Read(der::kGeneralizedTime, text) && ParseTime(text, true, out)
               ? nullptr
               : "malformed GeneralizedTime";
  }
  return "unsupported time format";
}

const char* CheckAlgorithm(std::string_view identifier) {
  Reader reader(identifier);
  der::Oid oid;
  if (!reader.ReadOid(oid)) return "malformed OID";
  std::uint8_t tag = 0;
  std::string_view contents;
  std::string_view whole;
  if (!reader.empty() && !reader.ReadAny(tag, contents, whole)) return "malformed parameters";
  return nullptr;
}

const char* ReadExtensions(Reader list, std::vector<CertificateExtension>& out) {
  while (!list.empty()) {
    Reader entry;
    if (!list.Read(der::kSequence, entry)) return "malformed extension";
    CertificateExtension extension;
    if (!entry.ReadOid(extension.id)) return "malformed extension OID field";
    if (entry.NextIs(der::kBoolean) && !entry.ReadBool(extension.critical)) {
      return "malformed extension critical field";
    }
    if (!entry.Read(der::kOctetString, extension.value)) return "malformed extension value field";
    for (const CertificateExtension& other : out) {
      if (other.id == extension.id) return "certificate contains duplicate extensions";
    }
    out.push_back(std::move(extension));
  }
  return nullptr;
}

// The fields of the TBSCertificate behind its subject's public key.
std::string ParseTail(Reader& tbs, std::int64_t version, Certificate& out) {
  std::string_view skipped;
  if (tbs.NextIs(der::Context(1, false)) && !tbs.Read(der::Context(1, false), skipped)) {
    return "x509: malformed issuerUniqueID";
  }
  if (tbs.NextIs(der::Context(2, false)) && !tbs.Read(der::Context(2, false), skipped)) {
    return "x509: malformed subjectUniqueID";
  }
  constexpr std::int64_t kWithExtensions = 3;
  const std::uint8_t tag = der::Context(3, true);
  if (version != kWithExtensions || !tbs.NextIs(tag)) return {};
  Reader wrapper;
  Reader list;
  if (!tbs.Read(tag, wrapper) || !wrapper.Read(der::kSequence, list)) {
    return "x509: malformed extensions";
  }
  if (const char* problem = ReadExtensions(list, out.extensions)) {
    return std::string("x509: ") + problem;
  }
  return ProcessExtensions(out);
}

}  // namespace

std::string ParseDistinguishedName(std::string_view whole, DistinguishedName& out) {
  const std::string broken = "x509: invalid RDNSequence";
  Reader outer(whole);
  Reader sequence;
  if (!outer.Read(der::kSequence, sequence)) return broken;
  while (!sequence.empty()) {
    Reader set;
    if (!sequence.Read(der::kSet, set)) return broken;
    while (!set.empty()) {
      Reader pair;
      if (!set.Read(der::kSequence, pair)) return broken + ": invalid attribute";
      NameAttribute attribute;
      if (!pair.ReadOid(attribute.type)) return broken + ": invalid attribute type";
      std::uint8_t tag = 0;
      std::string_view contents;
      std::string_view element;
      if (!pair.ReadAny(tag, contents, element)) return broken + ": invalid attribute value";
      std::string error;
      if (!DecodeAsn1String(tag, contents, attribute.value, error)) {
        return broken + ": invalid attribute value: " + error;
      }
      out.push_back(std::move(attribute));
    }
  }
  return {};
}

std::string ParsePublicKeyInfo(std::string_view whole, PublicKeyInfo& out) {
  static const der::Oid kRsa = {1, 2, 840, 113549, 1, 1, 1};
  out.whole = whole;
  Reader outer(whole);
  Reader info;
  std::string_view identifier;
  if (!outer.Read(der::kSequence, info)) return "x509: malformed spki";
  if (!info.Read(der::kSequence, identifier)) {
    return "x509: malformed public key algorithm identifier";
  }
  if (const char* problem = CheckAlgorithm(identifier)) return std::string("x509: ") + problem;
  std::string_view bits;
  int unused = 0;
  if (!info.ReadBits(bits, unused)) return "x509: malformed subjectPublicKey";
  Reader algorithm(identifier);
  der::Oid oid;
  algorithm.ReadOid(oid);
  out.is_rsa = oid == kRsa;
  if (!out.is_rsa) return {};
  if (algorithm.rest() != std::string_view("\x05\x00", 2)) {
    return "x509: RSA key missing NULL parameters";
  }
  Reader key(bits);
  Reader numbers;
  if (!key.Read(der::kSequence, numbers)) return "x509: invalid RSA public key";
  if (!numbers.ReadInteger(out.modulus)) return "x509: invalid RSA modulus";
  if (!numbers.ReadSmallInteger(out.exponent)) return "x509: invalid RSA public exponent";
  const auto first = static_cast<std::uint8_t>(out.modulus[0]);
  if ((first & 0x80) != 0 || (first == 0 && out.modulus.size() == 1)) {
    return "x509: RSA modulus is not a positive number";
  }
  if (out.exponent <= 0) return "x509: RSA public exponent is not a positive number";
  if (first == 0) out.modulus.remove_prefix(1);
  return {};
}

base::Result<Certificate> ParseCertificate(std::string_view text) {
  constexpr std::int64_t kMaxVersion = 3;
  Certificate out;
  Reader file(text);
  if (!file.ReadWhole(der::kSequence, out.raw)) return Invalid("malformed certificate");
  Reader raw(out.raw);
  Reader input;
  raw.Read(der::kSequence, input);
  Reader tbs;
  Reader ahead = input;
  if (!input.ReadWhole(der::kSequence, out.tbs) || !ahead.Read(der::kSequence, tbs)) {
    return Invalid("malformed tbs certificate");
  }
  std::int64_t version = 0;
  if (const std::uint8_t tag = der::Context(0, true); tbs.NextIs(tag)) {
    Reader wrapper;
    if (!tbs.Read(tag, wrapper) || !wrapper.ReadSmallInteger(version) || version < 0) {
      return Invalid("malformed version");
    }
  }
  if (++version > kMaxVersion) return Invalid("invalid version");
  if (!tbs.ReadInteger(out.serial)) return Invalid("malformed serial number");
  if ((static_cast<std::uint8_t>(out.serial[0]) & 0x80) != 0) {
    return Invalid("negative serial number");
  }
  std::string_view inner;
  std::string_view outer;
  if (!tbs.Read(der::kSequence, inner)) {
    return Invalid("malformed signature algorithm identifier");
  }
  if (!input.Read(der::kSequence, outer)) return Invalid("malformed algorithm identifier");
  if (inner != outer) {
    return Invalid("inner and outer signature algorithm identifiers don't match");
  }
  if (const char* problem = CheckAlgorithm(inner)) return Invalid(problem);
  if (!tbs.ReadWhole(der::kSequence, out.raw_issuer)) return Invalid("malformed issuer");
  std::string problem = ParseDistinguishedName(out.raw_issuer, out.issuer);
  if (!problem.empty()) return base::Error(base::ErrorCode::kInvalid, problem);
  Reader validity;
  if (!tbs.Read(der::kSequence, validity)) return Invalid("malformed validity");
  for (base::Instant* instant : {&out.not_before, &out.not_after}) {
    if (const char* wrong = ReadTime(validity, *instant)) return Invalid(wrong);
  }
  if (!tbs.ReadWhole(der::kSequence, out.raw_subject)) return Invalid("malformed issuer");
  DistinguishedName subject;
  problem = ParseDistinguishedName(out.raw_subject, subject);
  if (!problem.empty()) return base::Error(base::ErrorCode::kInvalid, problem);
  std::string_view key;
  if (!tbs.ReadWhole(der::kSequence, key)) return Invalid("malformed spki");
  problem = ParsePublicKeyInfo(key, out.key);
  if (problem.empty() && version > 1) problem = ParseTail(tbs, version, out);
  if (!problem.empty()) return base::Error(base::ErrorCode::kInvalid, problem);
  int unused = 0;
  if (!input.ReadBits(out.signature, unused)) return Invalid("malformed signature");
  if (!file.empty()) return Invalid("trailing data");
  return out;
}

}  // namespace portcullis::cel
