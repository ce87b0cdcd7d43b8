// The formatter of strings version 4 and later, which prints the same in every language
// (spec/cel.md 15.5).

#include <algorithm>
#include <cmath>
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
constexpr std::int64_t kMaxPrecision = 1000;  // of base::GoFixed
constexpr int kMaxDepth = 512;

// NaN and the infinities; empty for a finite number.
std::string_view Special(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return {};
}

std::string PlainDouble(double value) {
  const std::string_view special = Special(value);
  return special.empty() ? base::GoFloatPlain(value) : std::string(special);
}

bool ReadNumber(const Value& value, double& number) {
  switch (value.tag()) {
    case Tag::kDouble:
      number = value.as_double();
      return true;
    case Tag::kInt:
      number = static_cast<double>(value.as_int());
      return true;
    case Tag::kUint:
      number = static_cast<double>(value.as_uint());
      return true;
    default:
      return false;
  }
}

bool AppendText(const Value& value, int depth, std::string& out, std::string& error);

bool AppendList(const Value& list, int depth, std::string& out, std::string& error) {
  out += '[';
  bool first = true;
  for (const Value& item : list.as_list()) {
    if (!first) out += ", ";
    first = false;
    if (!AppendText(item, depth + 1, out, error)) return false;
  }
  out += ']';
  return true;
}

bool AppendMap(const Value& map, int depth, std::string& out, std::string& error) {
  std::vector<std::pair<std::string, const Value*>> entries;
  entries.reserve(map.size());
  for (const doc::MapEntry& entry : map.as_map()) {
    switch (entry.key.tag()) {
      case Tag::kString:
      case Tag::kBool:
      case Tag::kInt:
      case Tag::kUint:
        break;
      default:
        error.assign(
            "map keys formatted as strings must be of type string, bool, int, or uint, "
            "was given ");
        error.append(RuntimeTypeName(entry.key));
        return false;
    }
    std::string key;
    if (!AppendText(entry.key, depth + 1, key, error)) return false;
    entries.emplace_back(std::move(key), &entry.value);
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  out += '{';
  bool first = true;
  for (const auto& [key, value] : entries) {
    if (!first) out += ", ";
    first = false;
    out.append(key).append(": ");
    if (!AppendText(*value, depth + 1, out, error)) return false;
  }
  out += '}';
  return true;
}

bool AppendText(const Value& value, int depth, std::string& out, std::string& error) {
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
    case Tag::kDouble:
      out += PlainDouble(value.as_double());
      return true;
    case Tag::kString:
      out += value.as_string();
      return true;
    case Tag::kBytes:
      out += base::ToValidUtf8(value.as_string());
      return true;
    case Tag::kDuration:
      out += base::CelDuration(value.duration_ns());
      return true;
    case Tag::kTimestamp: {
      base::Instant instant = InstantOf(value);
      instant.offset_minutes = 0;
      out += base::FormatRfc3339(instant);
      return true;
    }
    case Tag::kType:
      out += BareName(*static_cast<const Type*>(value.type_ptr()));
      return true;
    case Tag::kList:
      return AppendList(value, depth, out, error);
    case Tag::kMap:
      return AppendMap(value, depth, out, error);
    default:
      error.assign(FormatComplaint('s', true));
      error.append(", was given ").append(RuntimeTypeName(value));
      return false;
  }
}

}  // namespace

bool FormatValuePortable(const FormatClause& clause, const Value& value, std::string& out,
                         std::string& error) {
  const int precision = clause.precision < 0
                            ? kDefaultPrecision
                            : static_cast<int>(std::min(clause.precision, kMaxPrecision));
  error.clear();
  double number = 0;
  bool done = false;
  switch (clause.verb) {
    case 's':
      return AppendText(value, 0, out, error);
    case 'd':
      done = value.is_number();
      if (value.tag() == Tag::kDouble) {
        out += PlainDouble(value.as_double());
      } else if (done) {
        AppendInBase(value, 10, false, out);
      }
      break;
    case 'f':
    case 'e':
      done = ReadNumber(value, number);
      if (done && !Special(number).empty()) {
        out += Special(number);
      } else if (done) {
        out += clause.verb == 'f' ? base::GoFixed(number, precision)
                                  : base::GoExponent(number, precision);
      }
      break;
    default:
      done = AppendRadixClause(clause, value, out);
  }
  if (!done) {
    error.assign(FormatComplaint(clause.verb, true));
    error.append(", was given ").append(RuntimeTypeName(value));
  }
  return done;
}

}  // namespace portcullis::cel
