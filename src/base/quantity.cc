#include "base/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/gotext.h"

namespace portcullis::base {
namespace {

constexpr int kMaxDigits = 38;      // of an Int128
constexpr int kMaxFastDigits = 18;  // of an int64
constexpr std::int32_t kNano = -9;
constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMinInt64 = std::numeric_limits<std::int64_t>::min();

Uint128 Pow10(int exponent) {
  Uint128 out = 1;
  for (int i = 0; i < exponent; ++i) out *= 10;
  return out;
}

Uint128 Magnitude(Int128 value) {
  return value < 0 ? Uint128{0} - static_cast<Uint128>(value) : static_cast<Uint128>(value);
}

int CountDigits(Uint128 value) {
  int digits = 0;
  for (; value != 0; value /= 10) ++digits;
  return digits;
}

// value x 10^exponent if that fits 38 digits.
bool ScaleUp(Int128 value, std::int64_t exponent, Int128& out) {
  if (value == 0) {
    out = 0;
    return true;
  }
  if (exponent > kMaxDigits) return false;
  if (CountDigits(Magnitude(value)) + exponent > kMaxDigits) return false;
  out = value * static_cast<Int128>(Pow10(static_cast<int>(exponent)));
  return true;
}

// Divides by 10^exponent, away from zero.
Int128 ScaleDownAway(Int128 value, std::int64_t exponent, bool& exact) {
  exact = true;
  if (value == 0) return 0;
  const Int128 sign = value < 0 ? -1 : 1;
  if (exponent > kMaxDigits) {
    exact = false;
    return sign;
  }
  const Uint128 unit = Pow10(static_cast<int>(exponent));
  const Uint128 magnitude = Magnitude(value);
  Uint128 quotient = magnitude / unit;
  exact = magnitude % unit == 0;
  if (!exact) ++quotient;
  return sign * static_cast<Int128>(quotient);
}

std::string ToText(Int128 value) {
  if (value == 0) return "0";
  std::string out;
  for (Uint128 m = Magnitude(value); m != 0; m /= 10)
    out += static_cast<char>('0' + static_cast<int>(m % 10));
  if (value < 0) out += '-';
  std::reverse(out.begin(), out.end());
  return out;
}

// math.Pow10 of Go: one table entry per 32 and one for the rest, hence its rounding.
double GoPow10(std::int64_t n) {
  constexpr double kSmall[] = {1e00, 1e01, 1e02, 1e03, 1e04, 1e05, 1e06, 1e07, 1e08, 1e09, 1e10,
                               1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
                               1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31};
  constexpr double kUp[] = {1e00, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288};
  constexpr double kDown[] = {1e-00,  1e-32,  1e-64,  1e-96,  1e-128, 1e-160,
                              1e-192, 1e-224, 1e-256, 1e-288, 1e-320};
  if (n > 308) return std::numeric_limits<double>::infinity();
  if (n < -323) return 0;
  if (n >= 0) return kUp[n / 32] * kSmall[n % 32];
  return kDown[-n / 32] / kSmall[-n % 32];
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

struct Parts {
  bool negative = false;
  std::string_view whole;  // without leading zeros; "0" when nothing is left
  std::string_view fraction;
  std::string_view suffix;
};

// The scanner of apimachinery, with what it lets through: ".", "+" and "-" read as 0.
bool Scan(std::string_view text, Parts& parts) {
  std::size_t pos = 0;
  const std::size_t end = text.size();
  parts.whole = "0";
  if (pos < end && (text[pos] == '-' || text[pos] == '+')) parts.negative = text[pos++] == '-';
  while (pos < end && text[pos] == '0') ++pos;
  if (pos == end) return true;
  std::size_t start = pos;
  while (pos < end && IsDigit(text[pos])) ++pos;
  if (pos > start) parts.whole = text.substr(start, pos - start);
  if (pos < end && text[pos] == '.') {
    start = ++pos;
    while (pos < end && IsDigit(text[pos])) ++pos;
    parts.fraction = text.substr(start, pos - start);
  }
  start = pos;
  pos = std::min(text.find_first_not_of("eEinumkKMGTP", pos), end);
  if (pos < end && (text[pos] == '-' || text[pos] == '+')) ++pos;
  while (pos < end && IsDigit(text[pos])) ++pos;
  parts.suffix = text.substr(start);
  return pos == end;
}

struct Suffix {
  std::string_view text;
  std::int32_t exponent;
  Quantity::Format format;
};

constexpr Suffix kSuffixes[] = {
    {"", 0, Quantity::Format::kDecimalSI},   {"n", -9, Quantity::Format::kDecimalSI},
    {"u", -6, Quantity::Format::kDecimalSI}, {"m", -3, Quantity::Format::kDecimalSI},
    {"k", 3, Quantity::Format::kDecimalSI},  {"M", 6, Quantity::Format::kDecimalSI},
    {"G", 9, Quantity::Format::kDecimalSI},  {"T", 12, Quantity::Format::kDecimalSI},
    {"P", 15, Quantity::Format::kDecimalSI}, {"E", 18, Quantity::Format::kDecimalSI},
    {"Ki", 10, Quantity::Format::kBinarySI}, {"Mi", 20, Quantity::Format::kBinarySI},
    {"Gi", 30, Quantity::Format::kBinarySI}, {"Ti", 40, Quantity::Format::kBinarySI},
    {"Pi", 50, Quantity::Format::kBinarySI}, {"Ei", 60, Quantity::Format::kBinarySI},
};

bool ReadSuffix(std::string_view text, Suffix& out) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.text == text) {
      out = suffix;
      return true;
    }
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return false;
  std::int64_t exponent = 0;
  if (ParseInt(text.substr(1), exponent) != NumberStatus::kOk) return false;
  // Far beyond any real quantity; keeps sums of exponents inside of int32.
  exponent = std::clamp<std::int64_t>(exponent, -1'000'000'000, 1'000'000'000);
  out = {text, static_cast<std::int32_t>(exponent), Quantity::Format::kDecimalExponent};
  return true;
}

// Digits into a mantissa; digits beyond 38 only count in the exponent, and in `lost` if any of them
// is not zero.
void TakeDigits(std::string_view digits, bool fraction, Int128& mantissa, std::int64_t& exponent,
                bool& lost) {
  constexpr Int128 kFull =
      static_cast<Int128>(1'000'000'000'000'000'000) * 10'000'000'000'000'000'000ULL;
  for (const char c : digits) {
    if (mantissa >= kFull) {
      if (!fraction) ++exponent;
      lost = lost || c != '0';
      continue;
    }
    mantissa = mantissa * 10 + (c - '0');
    if (fraction) --exponent;
  }
}

// mantissa x 2^bits, giving up low decimal digits where they do not fit.
void ScaleBinary(Int128& mantissa, std::int64_t& exponent, std::int32_t bits, bool& lost) {
  const Int128 limit = static_cast<Int128>(1) << (126 - bits);
  while (mantissa >= limit) {
    lost = lost || mantissa % 10 != 0;
    mantissa /= 10;
    ++exponent;
  }
  mantissa <<= bits;
}

std::int32_t ToExponent(std::int64_t exponent) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(exponent, -2'000'000'000, 2'000'000'000));
}

int CompareMagnitude(Uint128 a, std::int64_t a_exponent, Uint128 b, std::int64_t b_exponent) {
  const std::int64_t a_top = CountDigits(a) + a_exponent;
  const std::int64_t b_top = CountDigits(b) + b_exponent;
  if (a_top != b_top) return a_top < b_top ? -1 : 1;
  // Equal magnitude: the exponents differ by less than 39.
  if (a_exponent > b_exponent) a *= Pow10(static_cast<int>(a_exponent - b_exponent));
  if (b_exponent > a_exponent) b *= Pow10(static_cast<int>(b_exponent - a_exponent));
  return a < b ? -1 : (a > b ? 1 : 0);
}

Error Malformed() {
  return Error(ErrorCode::kInvalid,
               "quantities must match the regular expression "
               "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

// Does the fast representation hold this? Rules of apimachinery, see spec/cel.md 16.4.
bool FastApplies(const Parts& parts, const Suffix& suffix) {
  const auto digits = static_cast<std::int64_t>(parts.whole.size());
  const auto fraction = static_cast<std::int64_t>(parts.fraction.size());
  if (suffix.format == Quantity::Format::kBinarySI) {
    return fraction == 0 && 15 - digits - suffix.exponent * 3 / 10 - 1 >= 0;
  }
  return digits + fraction <= kMaxFastDigits && suffix.exponent - fraction >= kNano;
}

bool FastKeepsText(const Parts& parts, const Suffix& suffix, std::int64_t value,
                   std::int64_t scale) {
  if (suffix.format == Quantity::Format::kBinarySI) return (value & 7) != 0;
  if (scale % 3 != 0) return false;
  const std::string_view first = parts.whole.empty() ? parts.fraction : parts.whole;
  if (first.empty() || first[0] == '0') return false;
  // Do the digits, whole and fraction together, end in three zeros?
  std::size_t zeros = 0;
  for (const std::string_view digits : {parts.fraction, parts.whole}) {
    std::size_t at = digits.size();
    while (at > 0 && digits[at - 1] == '0') --at, ++zeros;
    if (at > 0) break;
  }
  return zeros < 3;
}

}  // namespace

Result<Quantity> Quantity::Parse(std::string_view text) {
  if (text.empty()) return Malformed();
  if (text == "0") {
    Quantity zero;
    zero.keeps_text_ = true;
    return zero;
  }
  Parts parts;
  if (!Scan(text, parts)) return Malformed();
  Suffix suffix{};
  if (!ReadSuffix(parts.suffix, suffix)) {
    return Error(ErrorCode::kInvalid, "unable to parse quantity's suffix");
  }
  const bool binary = suffix.format == Format::kBinarySI;
  Int128 mantissa = 0;
  std::int64_t exponent = 0;
  bool lost = false;
  TakeDigits(parts.whole, false, mantissa, exponent, lost);
  TakeDigits(parts.fraction, true, mantissa, exponent, lost);
  const auto digits = static_cast<std::int64_t>(mantissa);
  if (binary) {
    ScaleBinary(mantissa, exponent, suffix.exponent, lost);
  } else {
    exponent += suffix.exponent;
  }
  if (FastApplies(parts, suffix)) {
    Quantity out(parts.negative ? -mantissa : mantissa, ToExponent(exponent), suffix.format, true);
    out.keeps_text_ = FastKeepsText(parts, suffix, digits, exponent);
    return out;
  }
  Format format = suffix.format;
  if (exponent < kNano) {
    bool exact = true;
    mantissa = ScaleDownAway(mantissa, kNano - exponent, exact);
    // Whatever is there, however small, rounds up.
    if (exact && lost) ++mantissa;
    exponent = kNano;
  } else if (Int128 scaled = 0; ScaleUp(mantissa, exponent - kNano, scaled)) {
    // The arbitrary-precision form always counts in nanos, which AsApproximateFloat shows.
    mantissa = scaled;
    exponent = kNano;
  }
  if (binary) {
    const Quantity magnitude(mantissa, ToExponent(exponent), format, false);
    if (magnitude.Compare(FromInt(kMaxInt64, format)) > 0) {
      mantissa = kMaxInt64;
      exponent = 0;
    } else if (mantissa != 0 && magnitude.Compare(FromInt(1, format)) < 0) {
      format = Format::kDecimalSI;
    }
  }
  return Quantity(parts.negative ? -mantissa : mantissa, ToExponent(exponent), format, false);
}

bool Quantity::IsValid(std::string_view text) {
  Parts parts;
  Suffix suffix{};
  return !text.empty() && Scan(text, parts) && ReadSuffix(parts.suffix, suffix);
}

Quantity Quantity::FromInt(std::int64_t value, Format format) {
  return Quantity(value, 0, format, true);
}

std::string Quantity::Canonical(std::string_view text) {
  const Result<Quantity> parsed = Parse(text);
  return !parsed.ok() || parsed->keeps_text() ? std::string(text) : parsed->ToString();
}

int Quantity::Sign() const {
  const Int128 m = mantissa();
  return m < 0 ? -1 : (m > 0 ? 1 : 0);
}

int Quantity::Compare(const Quantity& other) const {
  // Both mantissas in 64 bits and exponents close together: one multiplication decides.
  const auto small = [](const Quantity& q) {
    return q.high_ == (static_cast<std::int64_t>(q.low_) < 0 ? -1 : 0);
  };
  const std::int64_t apart = std::int64_t{exponent_} - other.exponent_;
  if (apart >= -18 && apart <= 18 && small(*this) && small(other)) {
    Int128 a = static_cast<std::int64_t>(low_);
    Int128 b = static_cast<std::int64_t>(other.low_);
    if (apart > 0) a *= static_cast<Int128>(Pow10(static_cast<int>(apart)));
    if (apart < 0) b *= static_cast<Int128>(Pow10(static_cast<int>(-apart)));
    return a < b ? -1 : (a > b ? 1 : 0);
  }
  const int sign = Sign();
  if (sign != other.Sign()) return sign < other.Sign() ? -1 : 1;
  if (sign == 0) return 0;
  return sign * CompareMagnitude(Magnitude(mantissa()), exponent_, Magnitude(other.mantissa()),
                                 other.exponent_);
}

Quantity Quantity::Negated() const {
  return Quantity(-mantissa(), exponent_, format_, fast_ && mantissa() != kMinInt64);
}

Quantity Quantity::Add(const Quantity& other) const {
  const Format format = Sign() == 0 ? other.format_ : format_;
  const bool fast = fast_ && other.fast_;
  if (fast && other.Sign() == 0) return Quantity(mantissa(), exponent_, format, true);
  if (fast && Sign() == 0) return Quantity(other.mantissa(), other.exponent_, format, true);
  Int128 a = mantissa();
  Int128 b = other.mantissa();
  std::int64_t exponent = std::min(exponent_, other.exponent_);
  // The finest unit in which both fit; only beyond 38 digits does that cost low digits.
  const auto align = [&](Int128& value, std::int64_t from) {
    const std::int64_t top = CountDigits(Magnitude(value)) + from;
    if (value != 0) exponent = std::max(exponent, top - (kMaxDigits - 1));
  };
  align(a, exponent_);
  align(b, other.exponent_);
  const auto move = [&](Int128& value, std::int64_t from) {
    if (from >= exponent) {
      if (!ScaleUp(value, from - exponent, value)) value = 0;
    } else {
      const std::int64_t drop = exponent - from;
      value = drop > kMaxDigits ? 0 : value / static_cast<Int128>(Pow10(static_cast<int>(drop)));
    }
  };
  move(a, exponent_);
  move(b, other.exponent_);
  const Int128 sum = a + b;
  const auto fits = [](Int128 v) { return v >= kMinInt64 && v <= kMaxInt64; };
  return Quantity(sum, ToExponent(exponent), format, fast && fits(a) && fits(b) && fits(sum));
}

Quantity Quantity::Sub(const Quantity& other) const { return Add(other.Negated()); }

Quantity Quantity::Multiply(const Quantity& other) const {
  Int128 a = mantissa();
  Int128 b = other.mantissa();
  std::int64_t exponent = std::int64_t{exponent_} + other.exponent_;
  while (CountDigits(Magnitude(a)) + CountDigits(Magnitude(b)) > kMaxDigits) {
    Int128& larger = Magnitude(a) > Magnitude(b) ? a : b;
    larger /= 10;
    ++exponent;
  }
  const Int128 product = a * b;
  const bool fits = product >= kMinInt64 && product <= kMaxInt64;
  return Quantity(product, ToExponent(exponent), format_, fast_ && other.fast_ && fits);
}

std::optional<std::int64_t> Quantity::AsInt64() const {
  if (!fast_ || exponent_ < 0) return std::nullopt;
  Int128 scaled = 0;
  if (!ScaleUp(mantissa(), exponent_, scaled) || scaled > kMaxInt64 || scaled < kMinInt64) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(scaled);
}

double Quantity::AsApproximateFloat() const {
  const auto base = static_cast<double>(mantissa());
  return exponent_ == 0 ? base : base * GoPow10(exponent_);
}

std::int64_t Quantity::Value() const {
  const Int128 m = mantissa();
  Int128 value = 0;
  bool exact = true;
  if (exponent_ < 0) {
    value = ScaleDownAway(m, -std::int64_t{exponent_}, exact);
  } else if (!ScaleUp(m, exponent_, value)) {
    return m < 0 ? kMinInt64 : kMaxInt64;
  }
  return static_cast<std::int64_t>(std::clamp<Int128>(value, kMinInt64, kMaxInt64));
}

std::int64_t Quantity::MilliValue() const {
  return Quantity(mantissa(), ToExponent(std::int64_t{exponent_} + 3), format_, fast_).Value();
}

std::string Quantity::ToString() const {
  Int128 number = mantissa();
  if (number == 0) return "0";
  Format format = format_;
  if (format == Format::kBinarySI) {
    format = Format::kDecimalSI;
    Int128 whole = 0;
    bool exact = true;
    if (exponent_ < 0) {
      whole = ScaleDownAway(number, -std::int64_t{exponent_}, exact);
    } else {
      exact = ScaleUp(number, exponent_, whole);
    }
    if (exact && (whole <= -1024 || whole >= 1024)) {
      constexpr std::string_view kBinary[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
      std::size_t power = 0;
      for (; power < 6 && whole % 1024 == 0; ++power) whole /= 1024;
      return ToText(whole) + std::string(kBinary[power]);
    }
  }
  std::int64_t exponent = exponent_;
  for (; number % 10 == 0; ++exponent) number /= 10;
  for (; exponent % 3 != 0 && CountDigits(Magnitude(number)) < kMaxDigits; --exponent) number *= 10;
  std::string out = ToText(number);
  if (format == Format::kDecimalSI) {
    for (const Suffix& suffix : kSuffixes) {
      if (suffix.format == Format::kDecimalSI && suffix.exponent == exponent) {
        return out += suffix.text;
      }
    }
  }
  return exponent == 0 ? out : out + "e" + std::to_string(exponent);
}

}  // namespace portcullis::base
