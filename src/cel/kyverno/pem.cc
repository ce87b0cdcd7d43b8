// PEM blocks as Go's encoding/pem finds them.

#include <algorithm>

#include "base/base64.h"
#include "cel/kyverno/certificate.h"

namespace portcullis::cel {
namespace {

constexpr std::string_view kBegin = "-----BEGIN ";
constexpr std::string_view kEnd = "-----END ";
constexpr std::string_view kDashes = "-----";

// The first line of `rest` without blanks at its end; `rest` becomes what follows it.
std::string_view TakeLine(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  return line;
}

// `marker` at the start of a line, from `from` on.
std::size_t FindAtLine(std::string_view text, std::string_view marker, std::size_t from) {
  for (std::size_t at = from; (at = text.find(marker, at)) != std::string_view::npos; ++at) {
    if (at == 0 || text[at - 1] == '\n') return at;
  }
  return std::string_view::npos;
}

// What stands between the first line and the last one: headers, then base64.
bool DecodeBody(std::string_view body, std::string& bytes) {
  for (std::string_view rest = body; !rest.empty(); body = rest) {
    if (TakeLine(rest).find(':') == std::string_view::npos) break;
  }
  std::string packed;
  for (const char c : body) {
    if (c != ' ' && c != '\t') packed += c;
  }
  const auto decoded = base::Base64Decode(packed);
  if (!decoded.ok()) return false;
  bytes = *decoded;
  return true;
}

}  // namespace

std::optional<PemBlock> DecodePem(std::string_view text) {
  std::size_t at = 0;
  while ((at = FindAtLine(text, kBegin, at)) != std::string_view::npos) {
    std::string_view rest = text.substr(at + kBegin.size());
    at += kBegin.size();
    std::string_view type = TakeLine(rest);
    if (!type.ends_with(kDashes)) continue;
    type.remove_suffix(kDashes.size());
    const std::string last = std::string(kEnd).append(type).append(kDashes);
    const std::size_t end = FindAtLine(rest, kEnd, 0);
    if (end == std::string_view::npos) continue;
    std::string_view closing = rest.substr(end);
    if (TakeLine(closing) != last) continue;
    PemBlock block{std::string(type), {}};
    if (DecodeBody(rest.substr(0, end), block.bytes)) return block;
  }
  return std::nullopt;
}

}  // namespace portcullis::cel
