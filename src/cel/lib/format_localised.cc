// The formatter of strings versions 1 to 3, which prints numbers as the locale en_US does
// (spec/cel.md 15.2). This is what users of Kubernetes and Kyverno see.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/gotext.h"
#include "base/time.h"
#include "base/utf8.h"
#include "cel/check/type.h"
#include "cel/lib/format.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

namespace {

constexpr int kDefaultPrecision = 6;
constexpr int kMaxDepth = 512;
constexpr std::string_view kInfinity = "\xE2\x88\x9E";
constexpr std::string_view kTimesTen =
    "\xC3\x97"
    "10";
constexpr std::string_view kSuperscriptMinus = "\xE2\x81\xBB";
constexpr std::array<std::string_view, 10> kSuperscripts = {
    "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
    "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};

// NaN and the infinities; empty for a finite number.
std::string Special(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return (value < 0 ? "-" : "") + std::string(kInfinity);
  return {};
}

// A zero has no sign.
double WithoutNegativeZero(double value) { return value == 0 ? 0.0 : value; }

// The formatter behind cel-go keeps the largest number of decimals in 16 bits and the smallest one
// in 8: beyond 255 trailing zeros fall away.
void AppendGrouped(double value, std::int64_t precision, std::string& out) {
  const std::string special = Special(value);
  if (!special.empty()) {
    out += special;
    return;
  }
  const auto most = static_cast<std::int16_t>(precision);
  const std::size_t least = static_cast<std::uint8_t>(precision);
  std::string plain = base::GoFixed(WithoutNegativeZero(value), most);
  if (precision > std::numeric_limits<std::uint8_t>::max()) {
    const std::size_t decimals = plain.find('.') + 1;
    while (plain.size() > decimals + least && plain.back() == '0') plain.pop_back();
    if (plain.back() == '.') plain.pop_back();
  }
  std::size_t begin = 0;
  if (plain[0] == '-') {
    out += '-';
    begin = 1;
  }
  const std::size_t point = std::min(plain.find('.'), plain.size());
  for (std::size_t i = begin; i < point; ++i) {
    if (i != begin && (point - i) % 3 == 0) out += ',';
    out += plain[i];
  }
  out.append(plain, point);
}

// Six decimals whatever the precision, which is the least width instead.
void AppendScientific(double value, std::uint16_t width, std::string& out) {
  std::string text = Special(value);
  if (text.empty()) {
    const std::string plain = base::GoExponent(WithoutNegativeZero(value), kDefaultPrecision);
    const std::size_t e = plain.find('e');
    text = plain.substr(0, e);
    text += kTimesTen;
    for (const char c : std::string_view(plain).substr(e + 1)) {
      if (c == '-') text += kSuperscriptMinus;
      if (c >= '0' && c <= '9') text += kSuperscripts[static_cast<std::size_t>(c - '0')];
    }
  }
  const std::size_t length = base::CountCodePoints(text);
  if (width > length) out.append(width - length, ' ');
  out += text;
}

// The number of a %f or %e clause: a double, or a string that names a special value.
bool ReadDouble(const Value& value, double& number) {
  if (value.tag() == Tag::kDouble) {
    number = value.as_double();
    return true;
  }
  if (!value.is_string()) return false;
  const std::string_view text = value.as_string();
  if (text == "NaN") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else if (text == "Infinity") {
    number = std::numeric_limits<double>::infinity();
  } else if (text == "-Infinity") {
    number = -std::numeric_limits<double>::infinity();
  } else {
    return false;
  }
  return true;
}

bool AppendKey(const Value& key, std::string& out, std::string& error) {
  switch (key.tag()) {
    case Tag::kString:
      base::AppendGoQuote(out, key.as_string());
      return true;
    case Tag::kBool:
      out += key.as_bool() ? "true" : "false";
      return true;
    case Tag::kInt:
      out += std::to_string(key.as_int());
      return true;
    case Tag::kUint:
      out += std::to_string(key.as_uint());
      return true;
    default:
      error.assign("no formatting function for map key of type ").append(RuntimeTypeName(key));
      return false;
  }
}

bool AppendElement(const Value& value, int depth, std::string& out, std::string& error);

bool AppendList(const Value& list, int depth, std::string& out, std::string& error) {
  out += '[';
  bool first = true;
  for (const Value& item : list.as_list()) {
    if (!first) out += ", ";
    first = false;
    if (!AppendElement(item, depth + 1, out, error)) return false;
  }
  out += ']';
  return true;
}

bool AppendMap(const Value& map, int depth, std::string& out, std::string& error) {
  std::vector<std::pair<std::string, const Value*>> entries;
  entries.reserve(map.size());
  for (const doc::MapEntry& entry : map.as_map()) {
    std::string key;
    if (!AppendKey(entry.key, key, error)) return false;
    entries.emplace_back(std::move(key), &entry.value);
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  out += '{';
  bool first = true;
  for (const auto& [key, value] : entries) {
    if (!first) out += ", ";
    first = false;
    out.append(key).append(":");
    if (!AppendElement(*value, depth + 1, out, error)) return false;
  }
  out += '}';
  return true;
}

// A value inside of a list or map.
bool AppendElement(const Value& value, int depth, std::string& out, std::string& error) {
  if (depth > kMaxDepth) {
    error = "value is nested too deeply";
    return false;
  }
  switch (value.tag()) {
    case Tag::kNull:
      out += "null";
      return true;
    case Tag::kBool:
      out += value.as_bool() ? "true" : "false";
      return true;
    case Tag::kInt:
      out += std::to_string(value.as_int());
      return true;
    case Tag::kUint:
      out += std::to_string(value.as_uint());
      return true;
    case Tag::kDouble: {
      const double number = value.as_double();
      if (std::isnan(number)) {
        out += "\"NaN\"";
      } else if (std::isinf(number)) {
        out += number < 0 ? "\"-Inf\"" : "\"+Inf\"";
      } else {
        out += base::GoFixed(number, kDefaultPrecision);
      }
      return true;
    }
    case Tag::kString:
      base::AppendGoQuote(out, value.as_string());
      return true;
    case Tag::kBytes:
      out += 'b';
      base::AppendGoQuote(out, value.as_string());
      return true;
    case Tag::kDuration:
      out.append("duration(\"").append(base::CelDuration(value.duration_ns())).append("\")");
      return true;
    case Tag::kTimestamp:
      out.append("timestamp(\"").append(base::FormatRfc3339(InstantOf(value))).append("\")");
      return true;
    case Tag::kType:
      out += BareName(*static_cast<const Type*>(value.type_ptr()));
      return true;
    case Tag::kList:
      return AppendList(value, depth, out, error);
    case Tag::kMap:
      return AppendMap(value, depth, out, error);
    default:
      error.assign("no formatting function for ").append(RuntimeTypeName(value));
      return false;
  }
}

// A value of a %s clause; false without an error when the kind has no text.
bool AppendText(const Value& value, std::string& out, std::string& error) {
  switch (value.tag()) {
    case Tag::kString:
      out += value.as_string();
      return true;
    case Tag::kBytes:
      if (!base::IsValidUtf8(value.as_string())) {
        error =
            "could not convert argument \"invalid UTF-8 in bytes, cannot convert to string\" "
            "to string";
        return false;
      }
      out += value.as_string();
      return true;
    case Tag::kDouble:
      out += base::CelDouble(value.as_double());
      return true;
    case Tag::kDuration:
      out += base::CelDuration(value.duration_ns());
      return true;
    case Tag::kTimestamp:
      out += base::FormatRfc3339(InstantOf(value));
      return true;
    case Tag::kOptional:
    case Tag::kHost:
    case Tag::kError:
      return false;
    default:
      return AppendElement(value, 0, out, error);
  }
}

}  // namespace

bool FormatValueLocalised(const FormatClause& clause, const Value& value, std::string& out,
                          std::string& error) {
  const std::int64_t precision = clause.precision < 0 ? kDefaultPrecision : clause.precision;
  error.clear();
  double number = 0;
  bool done = false;
  switch (clause.verb) {
    case 's':
      done = AppendText(value, out, error);
      break;
    case 'd':
      done = value.is_int() || value.tag() == Tag::kUint;
      if (done) AppendInBase(value, 10, false, out);
      break;
    case 'f':
      done = ReadDouble(value, number);
      if (done) AppendGrouped(number, precision, out);
      break;
    case 'e':
      done = ReadDouble(value, number);
      if (done) AppendScientific(number, static_cast<std::uint16_t>(precision), out);
      break;
    default:
      done = AppendRadixClause(clause, value, out);
  }
  if (!done && error.empty()) {
    error.assign(FormatComplaint(clause.verb, false));
    error.append(", was given ").append(RuntimeTypeName(value));
  }
  return done;
}

}  // namespace portcullis::cel
