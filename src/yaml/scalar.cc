#include "yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/gotext.h"

namespace portcullis::yaml {
namespace {

// What the first byte lets a scalar be.
enum class Hint : std::uint8_t { kString, kTable, kDot, kNumber };

constexpr std::array<Hint, 256> kHints = [] {
  std::array<Hint, 256> hints{};
  for (const char c : std::string_view("+-0123456789")) {
    hints[static_cast<unsigned char>(c)] = Hint::kNumber;
  }
  for (const char c : std::string_view("yYnNtTfFoO~")) {
    hints[static_cast<unsigned char>(c)] = Hint::kTable;
  }
  hints['.'] = Hint::kDot;
  return hints;
}();

Scalar Bool(bool b) { return {.kind = ScalarKind::kBool, .boolean = b}; }
Scalar Float(double d) { return {.kind = ScalarKind::kFloat, .number = d}; }

template <std::size_t N>
bool OneOf(std::string_view text, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

bool LookUp(std::string_view text, Scalar* out) {
  if (text.size() > 5) return false;
  static constexpr std::string_view kTrue[] = {"y",  "Y",  "yes",  "Yes",  "YES", "on",
                                               "On", "ON", "true", "True", "TRUE"};
  static constexpr std::string_view kFalse[] = {"n",   "N",   "no",    "No",    "NO",   "off",
                                                "Off", "OFF", "false", "False", "FALSE"};
  static constexpr std::string_view kNull[] = {"", "~", "null", "Null", "NULL"};
  static constexpr std::string_view kNan[] = {".nan", ".NaN", ".NAN"};
  static constexpr std::string_view kInf[] = {".inf", ".Inf", ".INF"};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (OneOf(text, kTrue)) {
    *out = Bool(true);
  } else if (OneOf(text, kFalse)) {
    *out = Bool(false);
  } else if (OneOf(text, kNull)) {
    *out = {.kind = ScalarKind::kNull};
  } else if (OneOf(text, kNan)) {
    *out = Float(std::numeric_limits<double>::quiet_NaN());
  } else if (OneOf(text, kInf) || (text.starts_with('+') && OneOf(text.substr(1), kInf))) {
    *out = Float(kInfinity);
  } else if (text.starts_with('-') && OneOf(text.substr(1), kInf)) {
    *out = Float(-kInfinity);
  } else {
    return false;
  }
  return true;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// strconv.ParseInt(text, 0, 64), then ParseUint where no sign is written.
bool ParseInteger(std::string_view text, Scalar* out) {
  bool negative = false;
  bool is_signed = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    is_signed = true;
    text.remove_prefix(1);
  }
  int radix = 10;
  if (text.size() >= 2 && text[0] == '0') {
    const char c = static_cast<char>(text[1] | 0x20);
    if (c == 'x' || c == 'b' || c == 'o') {
      radix = c == 'x' ? 16 : (c == 'b' ? 2 : 8);
      text.remove_prefix(2);
    } else {
      radix = 8;
      text.remove_prefix(1);
    }
  }
  std::uint64_t magnitude = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result r = std::from_chars(text.data(), end, magnitude, radix);
  if (text.empty() || r.ec != std::errc() || r.ptr != end) return false;
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (magnitude <= kMax + (negative ? 1 : 0)) {
    out->kind = ScalarKind::kInt;
    out->integer = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    return true;
  }
  if (is_signed) return false;
  out->kind = ScalarKind::kUint;
  out->unsigned_integer = magnitude;
  return true;
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool LooksLikeFloat(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return i - from;
  };
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  if (digits() != 0) {
    if (i < text.size() && text[i] == '.') {
      ++i;
      digits();
    }
  } else {
    if (i >= text.size() || text[i] != '.') return false;
    ++i;
    if (digits() == 0) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

bool ParseFloat(std::string_view text, Scalar* out) {
  double d = 0;
  if (base::ParseFloat(text, d) != base::NumberStatus::kOk) return false;
  *out = Float(d);
  return true;
}

// Reads up to `max` digits, at least one.
bool ReadField(std::string_view text, std::size_t* at, std::size_t max, int* out) {
  const std::size_t from = *at;
  *out = 0;
  while (*at < text.size() && *at - from < max && IsDigit(text[*at])) {
    *out = *out * 10 + (text[(*at)++] - '0');
  }
  return *at != from;
}

bool Expect(std::string_view text, std::size_t* at, char c) {
  if (*at >= text.size() || text[*at] != c) return false;
  ++*at;
  return true;
}

int DaysInMonth(int year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

// A date, or a date and a time with fraction and (after T) a zone.
bool IsTimestamp(std::string_view text) {
  std::size_t at = 0;
  int year = 0;
  int month = 0;
  int day = 0;
  if (!ReadField(text, &at, 4, &year) || at != 4 || !Expect(text, &at, '-') ||
      !ReadField(text, &at, 2, &month) || !Expect(text, &at, '-') ||
      !ReadField(text, &at, 2, &day) || month < 1 || month > 12 || day < 1 ||
      day > DaysInMonth(year, month)) {
    return false;
  }
  if (at == text.size()) return true;
  const char separator = text[at++];
  if (separator != 'T' && separator != 't' && separator != ' ') return false;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!ReadField(text, &at, 2, &hour) || !Expect(text, &at, ':') ||
      !ReadField(text, &at, 2, &minute) || !Expect(text, &at, ':') ||
      !ReadField(text, &at, 2, &second) || hour > 23 || minute > 59 || second > 59) {
    return false;
  }
  if (at < text.size() && text[at] == '.') {
    const std::size_t point = at++;
    while (at < text.size() && IsDigit(text[at])) ++at;
    if (at == point + 1) return false;
  }
  if (separator == ' ') return at == text.size();
  if (text.substr(at) == "Z") return true;
  int zone_hour = 0;
  int zone_minute = 0;
  if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return false;
  ++at;
  return ReadField(text, &at, 2, &zone_hour) && Expect(text, &at, ':') &&
         ReadField(text, &at, 2, &zone_minute) && at == text.size() && zone_hour <= 24 &&
         zone_minute < 60;
}

Scalar ResolveNumber(std::string_view text, bool timestamps) {
  Scalar out;
  if (timestamps && text.size() >= 8 && text[4] == '-' && IsTimestamp(text)) {
    out.kind = ScalarKind::kTimestamp;
    return out;
  }
  std::string stripped;
  if (text.find('_') != std::string_view::npos) {
    std::copy_if(text.begin(), text.end(), std::back_inserter(stripped),
                 [](char c) { return c != '_'; });
    text = stripped;
  }
  if (ParseInteger(text, &out)) return out;
  if (LooksLikeFloat(text) && ParseFloat(text, &out)) return out;
  return {};
}

}  // namespace

Scalar ResolvePlain(std::string_view text, bool timestamps) {
  Scalar out;
  const Hint hint = text.empty() ? Hint::kTable : kHints[static_cast<unsigned char>(text[0])];
  if (hint == Hint::kString || LookUp(text, &out)) return out;
  switch (hint) {
    case Hint::kNumber:
      return ResolveNumber(text, timestamps);
    case Hint::kDot:
      ParseFloat(text, &out);
      return out;
    default:
      return out;
  }
}

std::string FloatKey(double value) {
  if (std::isnan(value)) return ".nan";
  const auto narrow = static_cast<float>(value);
  if (std::isinf(narrow)) return narrow > 0 ? ".inf" : "-.inf";
  char buffer[32];
  // Shortest digits as d.ddde+XX, then laid out as Go does: plain for exponents -4 to 5.
  std::to_chars_result r =
      std::to_chars(buffer, buffer + sizeof buffer, narrow, std::chars_format::scientific);
  const std::string_view digits(buffer, r.ptr);
  const std::size_t e = digits.find('e');
  const std::string_view exponent_text = digits.substr(e + (digits[e + 1] == '+' ? 2 : 1));
  int exponent = 0;
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  if (narrow != 0 && (exponent < -4 || exponent >= 6)) return std::string(digits);
  char plain[64];
  r = std::to_chars(plain, plain + sizeof plain, narrow, std::chars_format::fixed);
  return {plain, r.ptr};
}

}  // namespace portcullis::yaml
