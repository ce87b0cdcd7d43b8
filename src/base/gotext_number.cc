// Numbers to and from text as Go's strconv does it. Digits come from std::to_chars, whose shortest
// and fixed forms are correctly rounded; only the layout differs from Go's.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>
#include <system_error>

#include "base/gotext.h"

namespace portcullis::base {
namespace {

// Shortest digits: value = 0.d1d2... x 10^point, without sign.
struct Digits {
  char text[32];
  int count = 0;
  int point = 0;
};

Digits ShortestDigits(double magnitude) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, magnitude, std::chars_format::scientific).ptr;
  Digits digits;
  const char* p = buffer;
  for (; p != end && *p != 'e'; ++p) {
    if (*p != '.') digits.text[digits.count++] = *p;
  }
  int exponent = 0;
  if (p != end) {
    ++p;
    if (*p == '+') ++p;
    std::from_chars(p, end, exponent);
  }
  while (digits.count > 1 && digits.text[digits.count - 1] == '0') --digits.count;
  digits.point = exponent + 1;
  if (magnitude == 0) digits.point = 1;
  return digits;
}

bool AppendSpecial(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value > 0 ? "+Inf" : "-Inf";
  } else {
    return false;
  }
  return true;
}

void AppendExponentForm(std::string& out, const Digits& digits) {
  out += digits.text[0];
  if (digits.count > 1) {
    out += '.';
    out.append(digits.text + 1, static_cast<std::size_t>(digits.count - 1));
  }
  const int exponent = digits.point - 1;
  out += 'e';
  out += exponent < 0 ? '-' : '+';
  const int magnitude = std::abs(exponent);
  if (magnitude < 10) out += '0';
  out += std::to_string(magnitude);
}

void AppendPlainForm(std::string& out, const Digits& digits) {
  if (digits.point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-digits.point), '0');
    out.append(digits.text, static_cast<std::size_t>(digits.count));
    return;
  }
  const int whole = std::min(digits.count, digits.point);
  out.append(digits.text, static_cast<std::size_t>(whole));
  out.append(static_cast<std::size_t>(digits.point - whole), '0');
  if (whole < digits.count) {
    out += '.';
    out.append(digits.text + whole, static_cast<std::size_t>(digits.count - whole));
  }
}

// to_chars with a precision; its exponent has at least two digits, as Go's.
std::string WithPrecision(double value, int precision, std::chars_format format) {
  std::string out;
  if (AppendSpecial(out, value)) return out;
  precision = std::clamp(precision, 0, 1000);
  out.resize(static_cast<std::size_t>(precision) + 400);
  const auto result = std::to_chars(out.data(), out.data() + out.size(), value, format, precision);
  out.resize(static_cast<std::size_t>(result.ptr - out.data()));
  return out;
}

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool EqualsFolded(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(),
                    [](char a, char b) { return LowerAscii(a) == b; });
}

bool IsHexDigit(char c) {
  const char l = LowerAscii(c);
  return (l >= '0' && l <= '9') || (l >= 'a' && l <= 'f');
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Shape of a decimal or hexadecimal floating-point number without sign.
bool HasFloatShape(std::string_view text, bool hex) {
  std::size_t i = 0;
  bool digits = false;
  bool dot = false;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !dot) {
      dot = true;
    } else if (hex ? IsHexDigit(text[i]) : IsDigit(text[i])) {
      digits = true;
    } else {
      break;
    }
  }
  if (!digits) return false;
  if (i == text.size()) return !hex;  // a hexadecimal mantissa requires an exponent
  if (LowerAscii(text[i]) != (hex ? 'p' : 'e')) return false;
  if (++i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  if (i == text.size()) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), IsDigit);
}

// Underscores stand between digits only; the base prefix counts as a digit.
bool UnderscoresFit(std::string_view text, bool hex) {
  char previous = hex ? '0' : '^';
  for (const char c : text) {
    const bool digit = hex ? IsHexDigit(c) : IsDigit(c);
    if (c == '_') {
      if (previous != '0') return false;
      previous = '_';
    } else {
      if (!digit && previous == '_') return false;
      previous = digit ? '0' : '!';
    }
  }
  return previous != '_';
}

NumberStatus ConvertFloat(std::string_view text, bool hex, double& out) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, out,
                                      hex ? std::chars_format::hex : std::chars_format::general);
  if (result.ec == std::errc::result_out_of_range) {
    // from_chars does not tell overflow from underflow; strtod does.
    out = std::strtod(((hex ? "0x" : "") + std::string(text)).c_str(), nullptr);
    return std::isinf(out) ? NumberStatus::kRange : NumberStatus::kOk;
  }
  return result.ec == std::errc() && result.ptr == end ? NumberStatus::kOk : NumberStatus::kSyntax;
}

}  // namespace

std::string GoFloat(double value) {
  std::string out;
  if (AppendSpecial(out, value)) return out;
  if (std::signbit(value)) out += '-';
  const Digits digits = ShortestDigits(std::fabs(value));
  const int exponent = digits.point - 1;
  if (exponent < -4 || exponent >= 6) {
    AppendExponentForm(out, digits);
  } else {
    AppendPlainForm(out, digits);
  }
  return out;
}

void AppendGoJsonFloat(std::string& out, double value) {
  if (AppendSpecial(out, value)) return;
  if (std::signbit(value)) out += '-';
  const double magnitude = std::fabs(value);
  const Digits digits = ShortestDigits(magnitude);
  if (magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e21)) {
    AppendPlainForm(out, digits);
    return;
  }
  std::string text;
  AppendExponentForm(text, digits);
  const std::size_t n = text.size();
  if (n >= 4 && text[n - 4] == 'e' && text[n - 3] == '-' && text[n - 2] == '0')
    text.erase(n - 2, 1);
  out += text;
}

std::string GoJsonFloat(double value) {
  std::string out;
  AppendGoJsonFloat(out, value);
  return out;
}

std::string GoFloatPlain(double value) {
  std::string out;
  if (AppendSpecial(out, value)) return out;
  if (std::signbit(value)) out += '-';
  AppendPlainForm(out, ShortestDigits(std::fabs(value)));
  return out;
}

std::string GoFixed(double value, int precision) {
  return WithPrecision(value, precision, std::chars_format::fixed);
}

std::string GoExponent(double value, int precision) {
  return WithPrecision(value, precision, std::chars_format::scientific);
}

std::string GoDuration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  const bool negative = nanoseconds < 0;
  std::uint64_t u = static_cast<std::uint64_t>(nanoseconds);
  if (negative) u = 0 - u;
  const auto fraction = [](std::uint64_t value, std::uint64_t unit) {
    std::string text = std::to_string(value / unit);
    std::string rest = std::to_string(unit + value % unit).substr(1);
    rest.erase(rest.find_last_not_of('0') + 1);
    return rest.empty() ? text : text + "." + rest;
  };
  std::string out = negative ? "-" : "";
  if (u < 1'000) {
    out += std::to_string(u) + "ns";
  } else if (u < 1'000'000) {
    out += fraction(u, 1'000) + "\xC2\xB5s";
  } else if (u < 1'000'000'000) {
    out += fraction(u, 1'000'000) + "ms";
  } else {
    const std::uint64_t minutes = u / 60'000'000'000;
    if (minutes >= 60) out += std::to_string(minutes / 60) + "h";
    if (minutes > 0) out += std::to_string(minutes % 60) + "m";
    out += fraction(u % 60'000'000'000, 1'000'000'000) + "s";
  }
  return out;
}

NumberStatus ParseUint(std::string_view text, std::uint64_t& out) {
  out = 0;
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsDigit)) return NumberStatus::kSyntax;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), out);
  if (result.ec == std::errc()) return NumberStatus::kOk;
  out = std::numeric_limits<std::uint64_t>::max();
  return NumberStatus::kRange;
}

NumberStatus ParseInt(std::string_view text, std::int64_t& out) {
  out = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  std::uint64_t magnitude = 0;
  const NumberStatus status = ParseUint(text, magnitude);
  if (status == NumberStatus::kSyntax) return status;
  const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
  const bool fits = status == NumberStatus::kOk && magnitude <= limit;
  if (!fits) magnitude = limit;
  out = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return fits ? NumberStatus::kOk : NumberStatus::kRange;
}

NumberStatus ParseFloat(std::string_view text, double& out) {
  out = 0;
  const bool negative = !text.empty() && text[0] == '-';
  const bool sign = negative || (!text.empty() && text[0] == '+');
  if (sign) text.remove_prefix(1);
  if (EqualsFolded(text, "inf") || EqualsFolded(text, "infinity")) {
    out = negative ? -std::numeric_limits<double>::infinity()
                   : std::numeric_limits<double>::infinity();
    return NumberStatus::kOk;
  }
  if (!sign && EqualsFolded(text, "nan")) {
    out = std::numeric_limits<double>::quiet_NaN();
    return NumberStatus::kOk;
  }
  const bool hex = text.size() >= 2 && text[0] == '0' && LowerAscii(text[1]) == 'x';
  if (hex) text.remove_prefix(2);
  std::string plain;
  if (text.find('_') != std::string_view::npos) {
    if (!UnderscoresFit(text, hex)) return NumberStatus::kSyntax;
    std::copy_if(text.begin(), text.end(), std::back_inserter(plain),
                 [](char c) { return c != '_'; });
    text = plain;
  }
  if (!HasFloatShape(text, hex)) return NumberStatus::kSyntax;
  const NumberStatus status = ConvertFloat(text, hex, out);
  if (negative) out = -out;
  return status;
}

std::string NumberErrorText(std::string_view function, std::string_view text, NumberStatus status) {
  std::string out = "strconv.";
  out += function;
  out += ": parsing ";
  AppendGoQuote(out, text);
  out += status == NumberStatus::kRange ? ": value out of range" : ": invalid syntax";
  return out;
}

}  // namespace portcullis::base
