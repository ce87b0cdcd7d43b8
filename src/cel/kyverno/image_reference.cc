#include "cel/kyverno/image_reference.h"

#include <algorithm>
#include <cstddef>

#include "base/url.h"

namespace portcullis::cel {
namespace {

constexpr std::string_view kDefaultRegistry = "index.docker.io";
constexpr std::string_view kDefaultRegistryAlias = "docker.io";
constexpr std::string_view kDefaultTag = "latest";
constexpr std::string_view kDigestPrefix = "sha256:";

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsRepositoryChar(char c) {
  return IsLower(c) || IsDigit(c) || c == '_' || c == '-' || c == '.' || c == '/';
}
constexpr bool IsTagChar(char c) {
  return IsLower(c) || IsUpper(c) || IsDigit(c) || c == '_' || c == '-' || c == '.';
}

bool IsTag(std::string_view text) {
  constexpr std::size_t kMax = 128;
  return !text.empty() && text.size() <= kMax && std::all_of(text.begin(), text.end(), IsTagChar);
}

// What a URL takes as its host, with a port or without one.
bool IsRegistry(std::string_view text) {
  const auto plain = [](char c) {
    return IsLower(c) || IsUpper(c) || IsDigit(c) || c == '.' || c == '-';
  };
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view port = text.substr(colon);
  if (std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), plain) &&
      std::all_of(port.begin() + (port.empty() ? 0 : 1), port.end(), IsDigit)) {
    return true;
  }
  const auto url = base::ParseUrl("//" + std::string(text));
  return url.ok() && url->host == text;
}

// `[registry/]repository`.
bool ParseRepository(std::string_view text, ImageReference& out) {
  constexpr std::size_t kMin = 2;
  constexpr std::size_t kMax = 255;
  std::string_view registry;
  std::string_view repository = text;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view first = text.substr(0, slash);
    if (first.find_first_of(".:") != std::string_view::npos || first == "localhost") {
      registry = first;
      repository = text.substr(slash + 1);
    }
  }
  if (repository.size() < kMin || repository.size() > kMax ||
      !std::all_of(repository.begin(), repository.end(), IsRepositoryChar)) {
    return false;
  }
  if (!registry.empty() && !IsRegistry(registry)) return false;
  if (registry.empty() || registry == kDefaultRegistryAlias) registry = kDefaultRegistry;
  out.registry = registry;
  out.repository = repository;
  out.implied_namespace =
      registry == kDefaultRegistry && repository.find('/') == std::string_view::npos;
  return true;
}

// `repository[:tag]`. A colon before a slash belongs to the registry's port.
bool ParseTagged(std::string_view text, ImageReference& out) {
  const std::size_t colon = text.rfind(':');
  out.tag = kDefaultTag;
  if (colon == std::string_view::npos || text.find('/', colon) != std::string_view::npos) {
    return ParseRepository(text, out);
  }
  out.tag = text.substr(colon + 1);
  return IsTag(out.tag) && ParseRepository(text.substr(0, colon), out);
}

bool ParseDigested(std::string_view text, ImageReference& out) {
  constexpr std::size_t kHexDigits = 64;
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || text.find('@', at + 1) != std::string_view::npos) {
    return false;
  }
  const std::string_view base = text.substr(0, at);
  const std::string_view digest = text.substr(at + 1);
  if (!digest.starts_with(kDigestPrefix)) return false;
  const std::string_view hex = digest.substr(kDigestPrefix.size());
  const auto is_hex = [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); };
  if (hex.size() != kHexDigits || !std::all_of(hex.begin(), hex.end(), is_hex)) return false;
  if (!ParseTagged(base, out)) return false;
  out.digest = digest;
  // A tag counts only where it is written.
  const bool written = out.tag.data() >= base.data() && out.tag.data() < base.data() + base.size();
  if (written) {
    out.tag_and_digest = text.substr(static_cast<std::size_t>(out.tag.data() - text.data()));
  } else {
    out.tag = {};
  }
  return true;
}

}  // namespace

bool ParseImageReference(std::string_view text, ImageReference& out) {
  out = {};
  out.original = text;
  if (ParseTagged(text, out)) return true;
  return ParseDigested(text, out);
}

}  // namespace portcullis::cel
