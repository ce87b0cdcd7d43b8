#include "schema/image.h"

#include <algorithm>

namespace portcullis::schema {

namespace {

constexpr std::size_t kMaxRepositoryName = 255;
constexpr std::size_t kMaxTag = 128;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsAlnum(char c) { return IsDigit(c) || IsLower(c) || IsUpper(c); }
bool IsLowerAlnum(char c) { return IsDigit(c) || IsLower(c); }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

bool HasUpper(std::string_view text) { return std::any_of(text.begin(), text.end(), IsUpper); }

bool IsDomain(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos || close == 1) return false;
    const bool hex =
        std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(close),
                    [](char c) { return c == ':' || IsDigit(c) || IsLower(c) || IsUpper(c); });
    text = text.substr(close + 1);
    return hex && (text.empty() || (text.size() > 1 && text[0] == ':' &&
                                    std::all_of(text.begin() + 1, text.end(), IsDigit)));
  }
  if (colon != std::string_view::npos) {
    const std::string_view port = text.substr(colon + 1);
    if (port.empty() || !std::all_of(port.begin(), port.end(), IsDigit)) return false;
    text = text.substr(0, colon);
  }
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if (part.empty() || !IsAlnum(part.front()) || !IsAlnum(part.back())) return false;
    if (!std::all_of(part.begin(), part.end(), [](char c) { return IsAlnum(c) || c == '-'; })) {
      return false;
    }
    if (dot == std::string_view::npos) return true;
    text = text.substr(dot + 1);
  }
}

// Lower-case words separated by one of ".", "_", "__" or any number of "-".
bool IsPathComponent(std::string_view text) {
  if (text.empty() || !IsLowerAlnum(text.front()) || !IsLowerAlnum(text.back())) return false;
  for (std::size_t i = 0; i < text.size();) {
    if (IsLowerAlnum(text[i])) {
      ++i;
      continue;
    }
    const char separator = text[i];
    std::size_t end = i;
    while (end < text.size() && text[end] == separator) ++end;
    const std::size_t run = end - i;
    const bool valid =
        (separator == '.' && run == 1) || (separator == '_' && run <= 2) || separator == '-';
    if (!valid || end == text.size() || !IsLowerAlnum(text[end])) return false;
    i = end;
  }
  return true;
}

bool IsPath(std::string_view text) {
  while (true) {
    const std::size_t slash = text.find('/');
    if (!IsPathComponent(text.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    text = text.substr(slash + 1);
  }
}

bool IsTag(std::string_view text) {
  if (text.empty() || text.size() > kMaxTag) return false;
  const auto word = [](char c) { return IsAlnum(c) || c == '_'; };
  return word(text[0]) && std::all_of(text.begin(), text.end(),
                                      [&](char c) { return word(c) || c == '.' || c == '-'; });
}

bool IsDigest(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view algorithm = text.substr(0, colon);
  const std::string_view hex = text.substr(colon + 1);
  const std::size_t size = algorithm == "sha256"   ? 64
                           : algorithm == "sha384" ? 96
                           : algorithm == "sha512" ? 128
                                                   : 0;
  return size != 0 && hex.size() == size && std::all_of(hex.begin(), hex.end(), IsHex);
}

}  // namespace

bool IsLatestImage(std::string_view image) {
  if (image.size() == 64 && std::all_of(image.begin(), image.end(), IsHex)) return false;
  std::string_view domain;
  std::string_view rest = image;
  const std::size_t slash = image.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view first = image.substr(0, slash);
    if (first.find_first_of(".:") != std::string_view::npos || first == "localhost" ||
        HasUpper(first)) {
      domain = first;
      rest = image.substr(slash + 1);
      if (!IsDomain(domain)) return false;
    }
  }
  std::string_view digest;
  const std::size_t at = rest.find('@');
  if (at != std::string_view::npos) {
    digest = rest.substr(at + 1);
    rest = rest.substr(0, at);
    if (!IsDigest(digest)) return false;
  }
  std::string_view tag;
  const std::size_t colon = rest.find(':');
  const bool tagged = colon != std::string_view::npos;
  if (tagged) {
    tag = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
    if (!IsTag(tag)) return false;
  }
  if (!IsPath(rest)) return false;
  if (rest.size() + (domain.empty() ? 0 : domain.size() + 1) > kMaxRepositoryName) return false;
  return tagged ? tag == "latest" : digest.empty();
}

}  // namespace portcullis::schema
