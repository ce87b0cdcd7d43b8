// PKCS #10 requests, which Go reads with encoding/asn1.

#include "cel/kyverno/certificate.h"

namespace portcullis::cel {
namespace {

using der::Reader;

base::Error Invalid(std::string message) { return {base::ErrorCode::kInvalid, std::move(message)}; }

// The message for text that does not begin with a sequence.
std::string OutermostProblem(std::string_view text) {
  constexpr unsigned char kTagBits = 0x1f;
  constexpr unsigned char kCompound = 0x20;
  if (text.empty()) return "asn1: syntax error: sequence truncated";
  Reader reader(text);
  std::uint8_t tag = 0;
  std::string_view contents;
  std::string_view whole;
  if (!reader.ReadAny(tag, contents, whole)) {
    return text.size() < 2 ? "asn1: syntax error: truncated tag or length"
                           : "asn1: syntax error: data truncated";
  }
  const std::size_t header = whole.size() - contents.size();
  return "asn1: structure error: tags don't match (16 vs {class:" + std::to_string(tag >> 6) +
         " tag:" + std::to_string(tag & kTagBits) + " length:" + std::to_string(contents.size()) +
         " isCompound:" + ((tag & kCompound) != 0 ? "true" : "false") +
         "}) {optional:false explicit:false application:false private:false defaultValue:<nil> "
         "tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @" +
         std::to_string(header);
}

// The extensions that the attribute `extensionRequest` asks for.
std::string ReadRequestedExtensions(CertificateRequest& out) {
  static const der::Oid kExtensionRequest = {1, 2, 840, 113549, 1, 9, 14};
  static const der::Oid kAlternativeNames = {2, 5, 29, 17};
  for (const std::string_view attribute : out.attributes) {
    Reader outer(attribute);
    Reader fields;
    der::Oid type;
    Reader values;
    Reader list;
    if (!outer.Read(der::kSequence, fields) || !fields.ReadOid(type) ||
        !fields.Read(der::kSet, values) || values.empty() || type != kExtensionRequest) {
      continue;
    }
    if (!values.Read(der::kSequence, list)) return "asn1: syntax error: sequence truncated";
    while (!list.empty()) {
      Reader entry;
      CertificateExtension extension;
      if (!list.Read(der::kSequence, entry) || !entry.ReadOid(extension.id)) {
        return "asn1: syntax error: sequence truncated";
      }
      if (entry.NextIs(der::kBoolean) && !entry.ReadBool(extension.critical)) {
        return "asn1: syntax error: invalid boolean";
      }
      if (!entry.Read(der::kOctetString, extension.value)) {
        return "asn1: syntax error: sequence truncated";
      }
      for (const CertificateExtension& other : out.extensions) {
        if (other.id == extension.id) {
          return "x509: certificate request contains duplicate requested extensions";
        }
      }
      out.extensions.push_back(std::move(extension));
    }
  }
  for (const CertificateExtension& extension : out.extensions) {
    if (extension.id != kAlternativeNames) continue;
    std::string problem = ParseAlternativeNames(extension.value, out.names);
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace

base::Result<CertificateRequest> ParseCertificateRequest(std::string_view text) {
  const std::string truncated = "asn1: syntax error: sequence truncated";
  CertificateRequest out;
  Reader file(text);
  Reader start(text);
  Reader input;
  if (!file.ReadWhole(der::kSequence, out.raw) || !start.Read(der::kSequence, input)) {
    return Invalid(OutermostProblem(text));
  }
  if (!file.empty()) return Invalid("asn1: syntax error: trailing data");
  Reader ahead = input;
  Reader tbs;
  std::string_view key;
  if (!input.ReadWhole(der::kSequence, out.tbs) || !ahead.Read(der::kSequence, tbs) ||
      !tbs.ReadSmallInteger(out.version) || !tbs.ReadWhole(der::kSequence, out.raw_subject) ||
      !tbs.ReadWhole(der::kSequence, key)) {
    return Invalid(truncated);
  }
  Reader attributes;
  if (!tbs.Read(der::Context(0, true), attributes)) return Invalid(truncated);
  while (!attributes.empty()) {
    std::uint8_t tag = 0;
    std::string_view contents;
    std::string_view whole;
    if (!attributes.ReadAny(tag, contents, whole)) return Invalid(truncated);
    out.attributes.push_back(whole);
  }
  std::string_view identifier;
  int unused = 0;
  if (!input.Read(der::kSequence, identifier) || !input.ReadBits(out.signature, unused)) {
    return Invalid(truncated);
  }
  out.signature_algorithm = SignatureAlgorithm(identifier);
  std::string problem = ParsePublicKeyInfo(key, out.key);
  if (problem.empty()) problem = ParseDistinguishedName(out.raw_subject, out.subject);
  if (problem.empty()) problem = ReadRequestedExtensions(out);
  if (!problem.empty()) return Invalid(problem);
  return out;
}

}  // namespace portcullis::cel
