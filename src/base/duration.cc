// Durations as text and time zones (spec/cel.md 12).

#include <algorithm>
#include <string>

#include "absl/time/time.h"
#include "base/gotext.h"
#include "base/int128.h"
#include "base/time.h"

namespace portcullis::base {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::uint64_t UnitNanoseconds(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "\xC2\xB5s" || unit == "\xCE\xBCs") return 1'000;
  if (unit == "ms") return 1'000'000;
  if (unit == "s") return 1'000'000'000;
  if (unit == "m") return 60'000'000'000;
  if (unit == "h") return 3'600'000'000'000;
  return 0;
}

// Leading digits; false on overflow of 2^63.
bool TakeInteger(std::string_view& text, std::uint64_t& out) {
  out = 0;
  while (!text.empty() && IsDigit(text[0])) {
    if (out > kLimit / 10) return false;
    out = out * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (out > kLimit) return false;
    text.remove_prefix(1);
  }
  return true;
}

// Digits after the point; further ones are dropped once they cannot be held.
void TakeFraction(std::string_view& text, std::uint64_t& out, double& scale) {
  bool full = false;
  for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1)) {
    if (full) continue;
    if (out > (kLimit - 1) / 10) {
      full = true;
      continue;
    }
    const std::uint64_t next = out * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (next > kLimit) {
      full = true;
      continue;
    }
    out = next;
    scale *= 10;
  }
}

enum class Fault { kNone, kInvalid, kMissingUnit, kUnknownUnit };

// One number with its unit, added to `total`.
Fault TakePart(std::string_view& text, std::uint64_t& total, std::string_view& unit_text) {
  if (text[0] != '.' && !IsDigit(text[0])) return Fault::kInvalid;
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  double scale = 1;
  const std::size_t before = text.size();
  if (!TakeInteger(text, whole)) return Fault::kInvalid;
  bool digits = text.size() != before;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    const std::size_t point = text.size();
    TakeFraction(text, fraction, scale);
    digits = digits || text.size() != point;
  }
  if (!digits) return Fault::kInvalid;
  std::size_t length = 0;
  while (length < text.size() && text[length] != '.' && !IsDigit(text[length])) ++length;
  if (length == 0) return Fault::kMissingUnit;
  unit_text = text.substr(0, length);
  text.remove_prefix(length);
  const std::uint64_t unit = UnitNanoseconds(unit_text);
  if (unit == 0) return Fault::kUnknownUnit;
  if (whole > kLimit / unit) return Fault::kInvalid;
  whole *= unit;
  if (fraction > 0) {
    whole += static_cast<std::uint64_t>(static_cast<double>(fraction) *
                                        (static_cast<double>(unit) / scale));
    if (whole > kLimit) return Fault::kInvalid;
  }
  total += whole;
  return total > kLimit ? Fault::kInvalid : Fault::kNone;
}

Fault ReadDuration(std::string_view text, std::int64_t& out, std::string_view& unit) {
  out = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  if (text == "0") return Fault::kNone;
  if (text.empty()) return Fault::kInvalid;
  std::uint64_t total = 0;
  while (!text.empty()) {
    const Fault fault = TakePart(text, total, unit);
    if (fault != Fault::kNone) return fault;
  }
  if (!negative && total == kLimit) return Fault::kInvalid;
  out = static_cast<std::int64_t>(negative ? 0 - total : total);
  return Fault::kNone;
}

// Package time quotes differently from strconv: bytes outside of ASCII as \xNN.
std::string TimeQuote(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 0x20 || u >= 0x80) {
      out += "\\x";
      out += kHex[u >> 4];
      out += kHex[u & 0xF];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

Result<std::int32_t> NumericOffset(std::string_view name, std::size_t colon) {
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  const std::string_view hour_text = name.substr(0, colon);
  const std::string_view minute_text = name.substr(colon + 1);
  NumberStatus status = ParseInt(hour_text, hours);
  if (status != NumberStatus::kOk) {
    return Error(ErrorCode::kInvalid, NumberErrorText("Atoi", hour_text, status));
  }
  status = ParseInt(minute_text, minutes);
  if (status != NumberStatus::kOk) {
    return Error(ErrorCode::kInvalid, NumberErrorText("Atoi", minute_text, status));
  }
  const Int128 total =
      static_cast<Int128>(hours) * 60 + (name[0] == '-' ? -static_cast<Int128>(minutes) : minutes);
  constexpr Int128 kMaxMinutes = 2'147'483'647 / 60;  // far beyond any zone
  return static_cast<std::int32_t>(std::clamp<Int128>(total, -kMaxMinutes, kMaxMinutes)) * 60;
}

}  // namespace

bool ParseGoDuration(std::string_view text, std::int64_t& nanoseconds) {
  std::string_view unit;
  return ReadDuration(text, nanoseconds, unit) == Fault::kNone;
}

Result<std::int64_t> ParseGoDuration(std::string_view text) {
  std::int64_t out = 0;
  std::string_view unit;
  switch (ReadDuration(text, out, unit)) {
    case Fault::kNone:
      return out;
    case Fault::kMissingUnit:
      return Error(ErrorCode::kInvalid, "time: missing unit in duration " + TimeQuote(text));
    case Fault::kUnknownUnit:
      return Error(ErrorCode::kInvalid,
                   "time: unknown unit " + TimeQuote(unit) + " in duration " + TimeQuote(text));
    case Fault::kInvalid:
      break;
  }
  return Error(ErrorCode::kInvalid, "time: invalid duration " + TimeQuote(text));
}

std::string CelDuration(std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const double seconds =
      static_cast<double>(nanoseconds / kSecond) + static_cast<double>(nanoseconds % kSecond) / 1e9;
  return GoFloatPlain(seconds) + "s";
}

Result<std::int32_t> ZoneOffset(std::string_view name, std::int64_t seconds) {
  // "Local" would depend on the machine; a policy must not.
  if (name.empty() || name == "UTC" || name == "Local") return 0;
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) return NumericOffset(name, colon);
  if (name.find("..") != std::string_view::npos || name[0] == '/' || name[0] == '\\') {
    return Error(ErrorCode::kInvalid, "time: invalid location name");
  }
  absl::TimeZone zone;
  // absl knows names that Go does not: "localtime" and "Fixed/UTC+hh:mm:ss".
  if (name == "localtime" || !absl::LoadTimeZone(std::string(name), &zone)) {
    return Error(ErrorCode::kInvalid, "unknown time zone " + std::string(name));
  }
  return static_cast<std::int32_t>(zone.At(absl::FromUnixSeconds(seconds)).offset);
}

}  // namespace portcullis::base
