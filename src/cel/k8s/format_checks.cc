#include "cel/k8s/format_checks.h"

#include <algorithm>

#include "base/time.h"
#include "base/url.h"
#include "base/utf8.h"

namespace portcullis::cel::k8s {
namespace {

using base::Messages;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsBase64Char(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '/';
}

// Two digits of at most `limit` at the start, which are removed.
bool TakePair(std::string_view& text, int limit) {
  if (text.size() < 2 || !IsDigit(text[0]) || !IsDigit(text[1])) return false;
  const int value = (text[0] - '0') * 10 + (text[1] - '0');
  text.remove_prefix(2);
  return value <= limit;
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  constexpr int kDigits[] = {0, 1, 2, 3, 5, 6, 8, 9};
  int value[10] = {};
  for (const int i : kDigits) {
    if (!IsDigit(text[static_cast<std::size_t>(i)])) return false;
    value[i] = text[static_cast<std::size_t>(i)] - '0';
  }
  const int year = value[0] * 1000 + value[1] * 100 + value[2] * 10 + value[3];
  const int month = value[5] * 10 + value[6];
  const int day = value[8] * 10 + value[9];
  return month >= 1 && month <= 12 && day >= 1 && day <= base::DaysInMonth(year, month);
}

// A fraction may begin with any one character: the original expression leaves its dot unescaped.
void SkipFraction(std::string_view& text) {
  const std::size_t mark = base::DecodeRune(text).size;
  std::size_t end = mark;
  while (end < text.size() && IsDigit(text[end])) ++end;
  if (mark != 0 && end > mark && text[0] != '\n') text.remove_prefix(end);
}

bool IsClock(std::string_view text) {
  if (!TakePair(text, 23) || !TakeChar(text, ':') || !TakePair(text, 59) || !TakeChar(text, ':') ||
      !TakePair(text, 59)) {
    return false;
  }
  // "+01:00" itself starts like a fraction: prefer the zone.
  const auto is_zone = [](std::string_view zone) {
    if (zone == "z" || zone == "Z") return true;
    if (zone.empty() || (zone[0] != '+' && zone[0] != '-')) return false;
    zone.remove_prefix(1);
    return TakePair(zone, 99) && TakeChar(zone, ':') && TakePair(zone, 99) && zone.empty();
  };
  if (is_zone(text)) return true;
  SkipFraction(text);
  return is_zone(text);
}

}  // namespace

Messages CheckDns1123LabelPrefix(std::string_view text) {
  return base::ValidateDns1123Label(base::MaskTrailingDash(text));
}
Messages CheckDns1123SubdomainPrefix(std::string_view text) {
  return base::ValidateDns1123Subdomain(base::MaskTrailingDash(text));
}
Messages CheckDns1035LabelPrefix(std::string_view text) {
  return base::ValidateDns1035Label(base::MaskTrailingDash(text));
}

Messages CheckUri(std::string_view text) {
  const auto url = base::ParseRequestUri(text);
  if (url.ok()) return {};
  return {url.error().message};
}

Messages CheckUuid(std::string_view text) {
  constexpr int kGroups[] = {8, 4, 4, 4, 12};
  std::string_view rest = text;
  bool ok = true;
  for (std::size_t group = 0; ok && group < std::size(kGroups); ++group) {
    if (group > 0) TakeChar(rest, '-');
    const auto length = static_cast<std::size_t>(kGroups[group]);
    ok = rest.size() >= length && std::all_of(rest.begin(), rest.begin() + kGroups[group], IsHex);
    if (ok) rest.remove_prefix(length);
  }
  if (ok && rest.empty()) return {};
  return {"does not match the UUID format"};
}

Messages CheckByte(std::string_view text) {
  std::string_view digits = text;
  for (int i = 0; i < 2 && digits.ends_with('='); ++i) digits.remove_suffix(1);
  if (!text.empty() && text.size() % 4 == 0 &&
      std::all_of(digits.begin(), digits.end(), IsBase64Char)) {
    return {};
  }
  return {"invalid base64"};
}

Messages CheckDate(std::string_view text) {
  if (IsDate(text)) return {};
  return {"invalid date"};
}

Messages CheckDateTime(std::string_view text) {
  const std::size_t mark = text.find_first_of("tT");
  if (mark != std::string_view::npos && IsDate(text.substr(0, mark))) {
    // Compatibility: what follows a second T is not looked at.
    const std::string_view clock = text.substr(mark + 1);
    if (IsClock(clock.substr(0, clock.find_first_of("tT")))) return {};
  }
  return {"invalid datetime"};
}

}  // namespace portcullis::cel::k8s
