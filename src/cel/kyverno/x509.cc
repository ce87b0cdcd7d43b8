// x509.decode: certificates and requests as the JSON of Go's structures
// (spec/kyverno-cel-policies.md 10.12).

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "base/base64.h"
#include "cel/kyverno/certificate.h"
#include "cel/kyverno/libraries.h"
#include "cel/lib/call_support.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::MapEntry;
using doc::Value;

// Builds values in the arena; every number is a double, as after Go's json.Unmarshal.
class Builder {
 public:
  explicit Builder(base::Arena& arena) : arena_(arena) {}

  Value Text(std::string_view text) { return doc::MakeString(arena_, text); }
  Value Base64(std::string_view bytes) { return Text(base::Base64Encode(bytes)); }
  static Value Number(std::int64_t number) { return Value::Double(static_cast<double>(number)); }
  Value Object(std::initializer_list<std::pair<std::string_view, Value>> members) {
    std::vector<MapEntry> entries;
    entries.reserve(members.size());
    for (const auto& [name, value] : members) entries.push_back({Value::String(name), value});
    return doc::MakeMap(arena_, entries);
  }
  // Null where Go has a nil slice: for nothing.
  template <typename Items, typename Make>
  Value List(const Items& items, Make make) {
    if (items.empty()) return Value::Null();
    std::vector<Value> values;
    for (const auto& item : items) values.push_back(make(item));
    return doc::MakeList(arena_, values);
  }
  Value Texts(const std::vector<std::string>& texts) {
    return List(texts, [&](const std::string& text) { return Text(text); });
  }
  Value Oid(const der::Oid& oid) {
    return List(oid, [](std::uint64_t part) { return Value::Double(static_cast<double>(part)); });
  }

  Value Name(const DistinguishedName& name);
  Value Extensions(const std::vector<CertificateExtension>& extensions);
  Value Key(const PublicKeyInfo& key);
  Value Url(const base::Url& url);
  Value Ranges(const std::vector<NameConstraints::Range>& ranges);
  // The attributes of a request that are sets of sequences of pairs.
  Value Attributes(const std::vector<std::string_view>& attributes);

 private:
  bool Attribute(std::string_view whole, Value& out);
  // What encoding/asn1 makes of a value whose type nobody asked for.
  Value Any(std::uint8_t tag, std::string_view contents, std::string_view whole);

  base::Arena& arena_;
};

Value Builder::Name(const DistinguishedName& name) {
  // By the last number of 2.5.4.N.
  std::array<std::vector<std::string>, 18> lists;
  std::string common_name;
  std::string serial_number;
  constexpr std::uint64_t kCommonName = 3;
  constexpr std::uint64_t kSerialNumber = 5;
  for (const NameAttribute& attribute : name) {
    const der::Oid& type = attribute.type;
    if (type.size() != 4 || type[0] != 2 || type[1] != 5 || type[2] != 4) continue;
    if (type[3] == kCommonName) common_name = attribute.value;
    if (type[3] == kSerialNumber) serial_number = attribute.value;
    if (type[3] < lists.size()) lists[type[3]].push_back(attribute.value);
  }
  const Value names = List(name, [&](const NameAttribute& attribute) {
    return Object({{"Type", Oid(attribute.type)}, {"Value", Text(attribute.value)}});
  });
  return Object({{"Country", Texts(lists[6])},
                 {"Organization", Texts(lists[10])},
                 {"OrganizationalUnit", Texts(lists[11])},
                 {"Locality", Texts(lists[7])},
                 {"Province", Texts(lists[8])},
                 {"StreetAddress", Texts(lists[9])},
                 {"PostalCode", Texts(lists[17])},
                 {"SerialNumber", Text(serial_number)},
                 {"CommonName", Text(common_name)},
                 {"Names", names},
                 {"ExtraNames", Value::Null()}});
}

Value Builder::Extensions(const std::vector<CertificateExtension>& extensions) {
  return List(extensions, [&](const CertificateExtension& extension) {
    return Object({{"Id", Oid(extension.id)},
                   {"Critical", Value::Bool(extension.critical)},
                   {"Value", Base64(extension.value)}});
  });
}

Value Builder::Key(const PublicKeyInfo& key) {
  return Object({{"N", Text(der::DecimalText(key.modulus))}, {"E", Number(key.exponent)}});
}

Value Builder::Url(const base::Url& url) {
  const Value user = url.has_user ? Value::EmptyMap() : Value::Null();
  return Object({{"Scheme", Text(url.scheme)},
                 {"Opaque", Text(url.opaque)},
                 {"User", user},
                 {"Host", Text(url.host)},
                 {"Path", Text(url.path)},
                 {"Fragment", Text(url.fragment)},
                 {"RawQuery", Text(url.raw_query)},
                 {"RawPath", Text(url.raw_path)},
                 {"RawFragment", Text(url.raw_fragment)},
                 {"ForceQuery", Value::Bool(url.force_query)},
                 {"OmitHost", Value::Bool(url.omit_host)}});
}

Value Builder::Ranges(const std::vector<NameConstraints::Range>& ranges) {
  return List(ranges, [&](const NameConstraints::Range& range) {
    return Object({{"IP", Text(range.ip)}, {"Mask", Text(range.mask)}});
  });
}

Value Builder::Any(std::uint8_t tag, std::string_view contents, std::string_view whole) {
  der::Reader reader(whole);
  std::string text;
  std::string error;
  switch (tag) {
    case der::kUtf8String:
    case der::kPrintableString:
    case der::kNumericString:
    case der::kIa5String:
    case der::kT61String:
    case der::kBmpString:
      return DecodeAsn1String(tag, contents, text, error) ? Text(text) : Value::Null();
    case der::kInteger: {
      std::int64_t number = 0;
      return reader.ReadSmallInteger(number) ? Number(number) : Value::Null();
    }
    case der::kOid: {
      der::Oid oid;
      return reader.ReadOid(oid) ? Oid(oid) : Value::Null();
    }
    case der::kOctetString:
      return Base64(contents);
    case der::kBitString: {
      std::string_view bytes;
      int unused = 0;
      if (!reader.ReadBits(bytes, unused)) return Value::Null();
      const auto bits = static_cast<std::int64_t>(bytes.size()) * 8 - unused;
      return Object({{"Bytes", Base64(bytes)}, {"BitLength", Number(bits)}});
    }
    default:
      return Value::Null();
  }
}

bool Builder::Attribute(std::string_view whole, Value& out) {
  der::Reader outer(whole);
  der::Reader fields;
  der::Oid type;
  der::Reader set;
  if (!outer.Read(der::kSequence, fields) || !fields.ReadOid(type) ||
      !fields.Read(der::kSet, set)) {
    return false;
  }
  std::vector<Value> sequences;
  while (!set.empty()) {
    der::Reader sequence;
    if (!set.Read(der::kSequence, sequence)) return false;
    std::vector<Value> pairs;
    while (!sequence.empty()) {
      der::Reader pair;
      der::Oid id;
      std::uint8_t tag = 0;
      std::string_view contents;
      std::string_view element;
      if (!sequence.Read(der::kSequence, pair) || !pair.ReadOid(id) ||
          !pair.ReadAny(tag, contents, element)) {
        return false;
      }
      pairs.push_back(Object({{"Type", Oid(id)}, {"Value", Any(tag, contents, element)}}));
    }
    sequences.push_back(doc::MakeList(arena_, pairs));
  }
  out = Object({{"Type", Oid(type)}, {"Value", doc::MakeList(arena_, sequences)}});
  return true;
}

Value Builder::Attributes(const std::vector<std::string_view>& attributes) {
  std::vector<Value> values;
  for (const std::string_view whole : attributes) {
    Value value;
    if (Attribute(whole, value)) values.push_back(value);
  }
  return List(values, [](const Value& value) { return value; });
}

// The low 64 bits of a number that is not negative.
std::int64_t LowBits(std::string_view big_endian) {
  std::uint64_t bits = 0;
  for (const char c : big_endian) bits = bits << 8 | static_cast<std::uint8_t>(c);
  return static_cast<std::int64_t>(bits);
}

constexpr std::int64_t kRsa = 1;

Value CertificateValue(base::Arena& arena, const Certificate& certificate) {
  Builder build(arena);
  const auto time = [&](const base::Instant& at) { return build.Text(base::FormatRfc3339(at)); };
  const auto number = [](int usage) { return Builder::Number(usage); };
  const AlternativeNames& names = certificate.names;
  const NameConstraints& permitted = certificate.permitted;
  const NameConstraints& excluded = certificate.excluded;
  const Value authority_key = certificate.authority_key_id.has_value()
                                  ? build.Base64(*certificate.authority_key_id)
                                  : Value::Null();
  return build.Object({
      {"Raw", build.Base64(certificate.raw)},
      {"RawTBSCertificate", build.Base64(certificate.tbs)},
      {"RawSubjectPublicKeyInfo", build.Base64(certificate.key.whole)},
      {"RawSubject", build.Base64(certificate.raw_subject)},
      {"RawIssuer", build.Base64(certificate.raw_issuer)},
      {"Signature", build.Base64(certificate.signature)},
      {"PublicKeyAlgorithm", Builder::Number(kRsa)},
      {"PublicKey", build.Key(certificate.key)},
      {"SerialNumber", Builder::Number(LowBits(certificate.serial))},
      {"Issuer", build.Name(certificate.issuer)},
      {"NotBefore", time(certificate.not_before)},
      {"NotAfter", time(certificate.not_after)},
      {"KeyUsage", Builder::Number(certificate.key_usage)},
      {"Extensions", build.Extensions(certificate.extensions)},
      {"ExtraExtensions", Value::Null()},
      {"ExtKeyUsage", build.List(certificate.extended_key_usages, number)},
      {"BasicConstraintsValid", Value::Bool(certificate.basic_constraints_valid)},
      {"IsCA", Value::Bool(certificate.is_ca)},
      {"MaxPathLen", Builder::Number(certificate.max_path_length)},
      {"MaxPathLenZero", Value::Bool(certificate.max_path_length_zero)},
      {"AuthorityKeyId", authority_key},
      {"OCSPServer", build.Texts(certificate.ocsp_servers)},
      {"IssuingCertificateURL", build.Texts(certificate.issuing_urls)},
      {"DNSNames", build.Texts(names.dns)},
      {"EmailAddresses", build.Texts(names.emails)},
      {"IPAddresses", build.Texts(names.ips)},
      {"PermittedDNSDomainsCritical", Value::Bool(certificate.constraints_critical)},
      {"PermittedDNSDomains", build.Texts(permitted.dns)},
      {"ExcludedDNSDomains", build.Texts(excluded.dns)},
      {"PermittedIPRanges", build.Ranges(permitted.ips)},
      {"ExcludedIPRanges", build.Ranges(excluded.ips)},
      {"PermittedEmailAddresses", build.Texts(permitted.emails)},
      {"ExcludedEmailAddresses", build.Texts(excluded.emails)},
      {"PermittedURIDomains", build.Texts(permitted.uris)},
      {"ExcludedURIDomains", build.Texts(excluded.uris)},
      {"CRLDistributionPoints", build.Texts(certificate.crl_points)},
      {"PolicyIdentifiers",
       build.List(certificate.policies, [&](const der::Oid& oid) { return build.Oid(oid); })},
  });
}

Value RequestValue(base::Arena& arena, const CertificateRequest& request) {
  Builder build(arena);
  return build.Object({
      {"Raw", build.Base64(request.raw)},
      {"RawTBSCertificateRequest", build.Base64(request.tbs)},
      {"RawSubjectPublicKeyInfo", build.Base64(request.key.whole)},
      {"RawSubject", build.Base64(request.raw_subject)},
      {"Version", Builder::Number(request.version)},
      {"Signature", build.Base64(request.signature)},
      {"SignatureAlgorithm", Builder::Number(request.signature_algorithm)},
      {"PublicKeyAlgorithm", Builder::Number(kRsa)},
      {"PublicKey", build.Key(request.key)},
      {"Subject", build.Name(request.subject)},
      {"Attributes", build.Attributes(request.attributes)},
      {"Extensions", build.Extensions(request.extensions)},
      {"ExtraExtensions", Value::Null()},
      {"DNSNames", build.Texts(request.names.dns)},
      {"EmailAddresses", build.Texts(request.names.emails)},
      {"IPAddresses", build.Texts(request.names.ips)},
      {"URIs",
       build.List(request.names.uris, [&](const base::Url& url) { return build.Url(url); })},
  });
}

// Nothing if the key is one that can be shown.
std::string_view KeyProblem(const PublicKeyInfo& key) {
  constexpr std::size_t kMaxModulus = 8192;
  constexpr std::int64_t kMaxExponent = 0x7fffffff;
  if (!key.is_rsa) return "certificate should use rsa algorithm";
  if (key.modulus.size() > kMaxModulus || key.exponent > kMaxExponent) {
    return "failed to parse subject public key info";
  }
  return {};
}

Value Decode(CallContext& context, Args args) noexcept {
  const std::optional<PemBlock> block = DecodePem(args[0].as_string());
  if (!block.has_value()) return context.Error("failed to decode PEM block");
  if (block->type == "CERTIFICATE") {
    const auto certificate = ParseCertificate(block->bytes);
    if (!certificate.ok()) return context.Error(certificate.error().message);
    const std::string_view problem = KeyProblem(certificate->key);
    return problem.empty() ? CertificateValue(context.arena, *certificate) : context.Error(problem);
  }
  if (block->type == "CERTIFICATE REQUEST") {
    const auto request = ParseCertificateRequest(block->bytes);
    if (!request.ok()) return context.Error(request.error().message);
    const std::string_view problem = KeyProblem(request->key);
    return problem.empty() ? RequestValue(context.arena, *request) : context.Error(problem);
  }
  return context.Error("PEM block neither contains a CERTIFICATE or CERTIFICATE REQUEST");
}

constexpr Overload kOverloads[] = {
    {"x509_decode_string", "x509.decode", "(string) -> dyn", Decode},
};

constexpr Library kLibrary{"kyverno.x509", kOverloads};

}  // namespace

const Library& KyvernoX509Library() { return kLibrary; }

}  // namespace portcullis::cel
