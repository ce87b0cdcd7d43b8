#include "cel/lib/value_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#include "cel/check/type.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

namespace {

constexpr std::size_t kMaxText = 4096;
constexpr int kMaxDepth = 16;

// Shortest round-trip digits as Go's 'g' format prints them: the exponent form is used when the
// decimal exponent is below -4 or at least `threshold`.
std::string GeneralDouble(double value, int threshold) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  std::array<char, 64> buffer;
  const auto sci = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(sci.ptr - buffer.data()));
  const std::size_t e = text.rfind('e');
  int exponent = 0;
  const char* first = text.data() + e + 1;
  if (*first == '+') ++first;
  std::from_chars(first, text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= threshold) return std::string(text);
  return ShortestFixed(value);
}

// Civil date of a day count since 1970-01-01 (proleptic Gregorian calendar).
struct CivilDate {
  std::int64_t year;
  unsigned month;
  unsigned day;
};

CivilDate CivilFromDays(std::int64_t days) {
  // Shift the epoch to 0000-03-01, so that leap days end a cycle.
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const auto day_of_era = static_cast<unsigned>(shifted - era * 146097);
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned month_index = (5 * day_of_year + 2) / 153;
  const unsigned day = day_of_year - (153 * month_index + 2) / 5 + 1;
  const unsigned month = month_index < 10 ? month_index + 3 : month_index - 9;
  const std::int64_t year = static_cast<std::int64_t>(year_of_era) + era * 400 + (month <= 2);
  return {year, month, day};
}

std::string Rfc3339(std::int64_t seconds, std::uint32_t nanos, int offset_minutes) {
  const std::int64_t local = seconds + std::int64_t{offset_minutes} * 60;
  std::int64_t days = local / 86400;
  std::int64_t rest = local % 86400;
  if (rest < 0) {
    rest += 86400;
    --days;
  }
  const CivilDate date = CivilFromDays(days);
  std::array<char, 64> buffer;
  int n = std::snprintf(buffer.data(), buffer.size(), "%04lld-%02u-%02uT%02d:%02d:%02d",
                        static_cast<long long>(date.year), date.month, date.day,
                        static_cast<int>(rest / 3600), static_cast<int>(rest / 60 % 60),
                        static_cast<int>(rest % 60));
  std::string out(buffer.data(), static_cast<std::size_t>(n));
  if (nanos != 0) {
    n = std::snprintf(buffer.data(), buffer.size(), ".%09u", nanos);
    std::string fraction(buffer.data(), static_cast<std::size_t>(n));
    fraction.erase(fraction.find_last_not_of('0') + 1);
    out += fraction;
  }
  if (offset_minutes == 0) return out + "Z";
  const int absolute = offset_minutes < 0 ? -offset_minutes : offset_minutes;
  n = std::snprintf(buffer.data(), buffer.size(), "%c%02d:%02d", offset_minutes < 0 ? '-' : '+',
                    absolute / 60, absolute % 60);
  return out.append(buffer.data(), static_cast<std::size_t>(n));
}

void Append(const Value& value, std::string& out, int depth) {
  if (out.size() > kMaxText) return;
  if (depth > kMaxDepth) {
    out += "...";
    return;
  }
  switch (value.tag()) {
    case Tag::kNull: out += "null"; return;
    case Tag::kBool: out += value.as_bool() ? "true" : "false"; return;
    case Tag::kInt: out += std::to_string(value.as_int()); return;
    case Tag::kUint: out += std::to_string(value.as_uint()); return;
    case Tag::kDouble: out += GeneralDouble(value.as_double(), 21); return;
    case Tag::kString:
    case Tag::kBytes: out += value.as_string().substr(0, kMaxText); return;
    case Tag::kDuration: out += DurationText(value.duration_ns()); return;
    case Tag::kTimestamp: out += TimestampText(value); return;
    case Tag::kType: out += RuntimeName(*static_cast<const Type*>(value.type_ptr())); return;
    case Tag::kList: {
      out += '[';
      bool first = true;
      for (const Value& item : value.as_list()) {
        if (out.size() > kMaxText) break;
        if (!first) out += ", ";
        first = false;
        Append(item, out, depth + 1);
      }
      out += ']';
      return;
    }
    case Tag::kMap: {
      out += '{';
      bool first = true;
      for (const doc::MapEntry& entry : value.as_map()) {
        if (out.size() > kMaxText) break;
        if (!first) out += ", ";
        first = false;
        Append(entry.key, out, depth + 1);
        out += ": ";
        Append(entry.value, out, depth + 1);
      }
      out += '}';
      return;
    }
    case Tag::kOptional:
      if (!value.has_value()) {
        out += "optional.none()";
        return;
      }
      out += "optional(";
      Append(value.held(), out, depth + 1);
      out += ')';
      return;
    case Tag::kHost: out += value.host()->type->name; return;
    case Tag::kError: out += value.error()->message; return;
  }
}

}  // namespace

std::string_view RuntimeTypeName(const Value& value) {
  switch (value.tag()) {
    case Tag::kNull: return "null_type";
    case Tag::kBool: return "bool";
    case Tag::kInt: return "int";
    case Tag::kUint: return "uint";
    case Tag::kDouble: return "double";
    case Tag::kString: return "string";
    case Tag::kBytes: return "bytes";
    case Tag::kList: return "list";
    case Tag::kMap: return "map";
    case Tag::kDuration: return "google.protobuf.Duration";
    case Tag::kTimestamp: return "google.protobuf.Timestamp";
    case Tag::kType: return "type";
    case Tag::kOptional: return "optional_type";
    case Tag::kHost: return value.host()->type->name;
    case Tag::kError: return "error";
  }
  return "error";
}

std::string_view GoTypeName(const Value& value) {
  switch (value.tag()) {
    case Tag::kNull: return "types.Null";
    case Tag::kBool: return "types.Bool";
    case Tag::kInt: return "types.Int";
    case Tag::kUint: return "types.Uint";
    case Tag::kDouble: return "types.Double";
    case Tag::kString: return "types.String";
    case Tag::kBytes: return "types.Bytes";
    case Tag::kList:
      return (value.flags() & Value::kConcat) != 0 ? "*types.concatList" : "*types.baseList";
    case Tag::kMap: return "*types.baseMap";
    case Tag::kDuration: return "types.Duration";
    case Tag::kTimestamp: return "types.Timestamp";
    case Tag::kType: return "*types.Type";
    case Tag::kOptional: return "*types.Optional";
    case Tag::kHost: return value.host()->type->name;
    case Tag::kError: return "*types.Err";
  }
  return "*types.Err";
}

std::string ValueText(const Value& value) {
  std::string out;
  Append(value, out, 0);
  return out;
}

std::string NoSuchOverloadText(std::string_view function, std::span<const Value> args) {
  std::string out = "no such overload: ";
  out += function;
  out += '(';
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i != 0) out += ", ";
    out += RuntimeTypeName(args[i]);
  }
  out += ')';
  return out;
}

// The threshold is what Go uses for shortest digits under %g.
std::string DoubleText(double value) { return GeneralDouble(value, 6); }

std::string DurationText(std::int64_t nanoseconds) {
  return ShortestFixed(static_cast<double>(nanoseconds / 1'000'000'000) +
                       static_cast<double>(nanoseconds % 1'000'000'000) / 1e9) +
         "s";
}

std::string TimestampText(const Value& timestamp) {
  return Rfc3339(timestamp.timestamp_seconds(), timestamp.timestamp_nanos(),
                 timestamp.timestamp_offset_minutes());
}

std::string TimestampUtcText(const Value& timestamp) {
  return Rfc3339(timestamp.timestamp_seconds(), timestamp.timestamp_nanos(), 0);
}

std::string ShortestFixed(double value) {
  std::array<char, 512> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed);
  return {buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())};
}

}  // namespace portcullis::cel
