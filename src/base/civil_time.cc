// Civil dates and RFC 3339 text (spec/cel.md 12).

#include <cstdlib>

#include "base/time.h"

namespace portcullis::base {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

std::int64_t FloorDiv(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b < 0 ? q - 1 : q;
}

// A reader of fixed fields; every function returns false at the first mismatch.
struct Reader {
  std::string_view text;

  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  bool Digits(std::size_t count, int& out) {
    if (text.size() < count) return false;
    out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!IsDigit(text[i])) return false;
      out = out * 10 + (text[i] - '0');
    }
    text.remove_prefix(count);
    return true;
  }
  bool Char(char c) {
    if (text.empty() || text[0] != c) return false;
    text.remove_prefix(1);
    return true;
  }
};

bool ReadDate(Reader& in, CivilTime& out) {
  int year = 0;
  if (!in.Digits(4, year) || !in.Char('-') || !in.Digits(2, out.month) || !in.Char('-') ||
      !in.Digits(2, out.day)) {
    return false;
  }
  out.year = year;
  return out.month >= 1 && out.month <= 12 && out.day >= 1 &&
         out.day <= DaysInMonth(year, out.month);
}

bool ReadClock(Reader& in, TimeRules rules, CivilTime& out) {
  const bool short_hour = in.text.size() >= 2 && in.text[1] == ':';
  if (short_hour && rules == TimeRules::kStrict) return false;
  return in.Digits(short_hour ? 1 : 2, out.hour) && in.Char(':') && in.Digits(2, out.minute) &&
         in.Char(':') && in.Digits(2, out.second) && out.hour <= 23 && out.minute <= 59 &&
         out.second <= 59;
}

// Optional fraction, cut to nanoseconds.
bool ReadFraction(Reader& in, TimeRules rules, std::uint32_t& nanos) {
  if (in.text.size() < 2 || !Reader::IsDigit(in.text[1])) return true;
  const char mark = in.text[0];
  if (mark != '.' && (mark != ',' || rules == TimeRules::kStrict)) return true;
  in.text.remove_prefix(1);
  std::uint32_t unit = 100'000'000;
  while (!in.text.empty() && Reader::IsDigit(in.text[0])) {
    nanos += static_cast<std::uint32_t>(in.text[0] - '0') * unit;
    unit /= 10;
    in.text.remove_prefix(1);
  }
  return true;
}

bool ReadZone(Reader& in, TimeRules rules, std::int16_t& minutes) {
  if (in.Char('Z')) return true;
  const bool negative = in.Char('-');
  if (!negative && !in.Char('+')) return false;
  int hours = 0;
  int rest = 0;
  if (!in.Digits(2, hours) || !in.Char(':') || !in.Digits(2, rest)) return false;
  const bool strict = rules == TimeRules::kStrict;
  if (hours > (strict ? 23 : 24) || rest > (strict ? 59 : 60)) return false;
  const int total = hours * 60 + rest;
  minutes = static_cast<std::int16_t>(negative ? -total : total);
  return true;
}

void AppendPadded(std::string& out, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(std::llabs(value));
  if (value < 0) out += '-';
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

}  // namespace

bool IsLeapYear(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int DaysInMonth(std::int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[month - 1];
}

// Days are counted in 400-year eras that begin in March, so that the leap day is the last one.
std::int64_t DaysFromCivil(std::int64_t year, int month, int day) {
  if (month <= 2) --year;
  const std::int64_t era = FloorDiv(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month_from_march = month > 2 ? month - 3 : month + 9;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

CivilTime CivilFromSeconds(std::int64_t seconds, std::int32_t offset_seconds) {
  seconds += offset_seconds;
  const std::int64_t days = FloorDiv(seconds, kDaySeconds);
  const std::int64_t clock = seconds - days * kDaySeconds;
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = FloorDiv(shifted, 146'097);
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t from_march =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * from_march + 2) / 153;
  CivilTime out;
  out.day = static_cast<int>(from_march - (153 * month_from_march + 2) / 5 + 1);
  out.month = static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  out.year = year_of_era + era * 400 + (out.month <= 2 ? 1 : 0);
  out.hour = static_cast<int>(clock / 3'600);
  out.minute = static_cast<int>(clock / 60 % 60);
  out.second = static_cast<int>(clock % 60);
  out.day_of_week = static_cast<int>(((days + 4) % 7 + 7) % 7);
  out.day_of_year = static_cast<int>(days - DaysFromCivil(out.year, 1, 1)) + 1;
  return out;
}

std::optional<Instant> ParseRfc3339(std::string_view text, TimeRules rules) {
  Reader in{text};
  CivilTime civil;
  Instant out;
  if (!ReadDate(in, civil) || !in.Char('T') || !ReadClock(in, rules, civil) ||
      !ReadFraction(in, rules, out.nanos) || !ReadZone(in, rules, out.offset_minutes) ||
      !in.text.empty()) {
    return std::nullopt;
  }
  out.seconds = DaysFromCivil(civil.year, civil.month, civil.day) * kDaySeconds +
                civil.hour * 3'600 + civil.minute * 60 + civil.second -
                std::int64_t{out.offset_minutes} * 60;
  if (out.seconds < kMinTimestampSeconds || out.seconds > kMaxTimestampSeconds) return std::nullopt;
  return out;
}

std::string FormatRfc3339(const Instant& instant) {
  const CivilTime civil = CivilFromSeconds(instant.seconds, instant.offset_minutes * 60);
  std::string out;
  out.reserve(36);
  AppendPadded(out, civil.year, 4);
  out += '-';
  AppendPadded(out, civil.month, 2);
  out += '-';
  AppendPadded(out, civil.day, 2);
  out += 'T';
  AppendPadded(out, civil.hour, 2);
  out += ':';
  AppendPadded(out, civil.minute, 2);
  out += ':';
  AppendPadded(out, civil.second, 2);
  if (instant.nanos != 0) {
    out += '.';
    AppendPadded(out, instant.nanos, 9);
    out.erase(out.find_last_not_of('0') + 1);
  }
  if (instant.offset_minutes == 0) return out + "Z";
  const int minutes = std::abs(static_cast<int>(instant.offset_minutes));
  out += instant.offset_minutes < 0 ? '-' : '+';
  AppendPadded(out, minutes / 60, 2);
  out += ':';
  AppendPadded(out, minutes % 60, 2);
  return out;
}

}  // namespace portcullis::base
