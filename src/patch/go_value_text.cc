#include "patch/go_value_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/gotext.h"
#include "base/time.h"

namespace portcullis::patch {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string Hex(std::uint64_t number) {
  std::string digits;
  do {
    digits += kHexDigits[number % 16];
    number /= 16;
  } while (number != 0);
  std::reverse(digits.begin(), digits.end());
  return "0x" + digits;
}

// fmt prints maps in the order of their keys.
std::vector<const doc::MapEntry*> SortedEntries(const doc::Value& map) {
  std::vector<const doc::MapEntry*> entries;
  for (const doc::MapEntry& entry : map.as_map()) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
    return a->key.is_string() && b->key.is_string() && a->key.as_string() < b->key.as_string();
  });
  return entries;
}

std::string TimeSyntax(const doc::Value& value) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  const base::CivilTime t = base::CivilFromSeconds(value.timestamp_seconds());
  std::string out = "time.Date(" + std::to_string(t.year) + ", time.";
  out += kMonths[static_cast<std::size_t>(t.month - 1)];
  for (const std::int64_t n :
       {std::int64_t{t.day}, std::int64_t{t.hour}, std::int64_t{t.minute}, std::int64_t{t.second},
        static_cast<std::int64_t>(value.timestamp_nanos())}) {
    out += ", " + std::to_string(n);
  }
  return out + ", time.UTC)";
}

std::string TimeText(const doc::Value& value) {
  std::string out = base::FormatRfc3339({value.timestamp_seconds(), value.timestamp_nanos(), 0});
  out.replace(out.find('T'), 1, " ");
  out.pop_back();
  return out + " +0000 UTC";
}

// How CEL prints a value that stands inside of one in its own form.
std::string CelText(const doc::Value& value) {
  std::string out;
  if (value.is_list()) {
    for (const doc::Value& item : value.as_list()) {
      out += (out.empty() ? "" : ", ") + CelText(item);
    }
    return "[" + out + "]";
  }
  if (!value.is_map()) return GoPlainText(value);
  for (const doc::MapEntry* entry : SortedEntries(value)) {
    out += (out.empty() ? "" : ", ") + CelText(entry->key) + ": " + CelText(entry->value);
  }
  return "{" + out + "}";
}

// The outer value is Go's, what it holds CEL's.
std::string OpaqueText(const doc::Value& value) {
  std::string out;
  if (value.is_list()) {
    for (const doc::Value& item : value.as_list()) out += (out.empty() ? "" : " ") + CelText(item);
    return "[" + out + "]";
  }
  for (const doc::MapEntry* entry : SortedEntries(value)) {
    out += (out.empty() ? "" : " ") + CelText(entry->key) + ":" + CelText(entry->value);
  }
  return "map[" + out + "]";
}

}  // namespace

std::string GoPlainText(const doc::Value& value) {
  switch (value.tag()) {
    case doc::Tag::kNull:
      return "NULL_VALUE";
    case doc::Tag::kBool:
      return value.as_bool() ? "true" : "false";
    case doc::Tag::kInt:
      return std::to_string(value.as_int());
    case doc::Tag::kUint:
      return std::to_string(value.as_uint());
    case doc::Tag::kDouble:
      return base::GoFloat(value.as_double());
    case doc::Tag::kString:
      return std::string(value.as_string());
    case doc::Tag::kBytes: {
      std::string out = "[";
      for (const char c : value.as_string()) {
        if (out.size() > 1) out += ' ';
        out += std::to_string(static_cast<unsigned char>(c));
      }
      return out + "]";
    }
    case doc::Tag::kList: {
      std::string out = "[";
      for (const doc::Value& item : value.as_list()) {
        if (out.size() > 1) out += ' ';
        out += GoPlainText(item);
      }
      return out + "]";
    }
    case doc::Tag::kMap: {
      std::string out = "map[";
      for (const doc::MapEntry* entry : SortedEntries(value)) {
        if (out.size() > 4) out += ' ';
        out += GoPlainText(entry->key) + ":" + GoPlainText(entry->value);
      }
      return out + "]";
    }
    case doc::Tag::kOptional:  // a map or list in CEL's own form
      return OpaqueText(value.held());
    case doc::Tag::kDuration:
      return base::GoDuration(value.duration_ns());
    case doc::Tag::kTimestamp:
      return TimeText(value);
    default:
      return "<nil>";
  }
}

std::string GoSyntaxText(const doc::Value& value) {
  switch (value.tag()) {
    case doc::Tag::kNull:
      return "0";
    case doc::Tag::kUint:
      return Hex(value.as_uint());
    case doc::Tag::kString:
      return base::GoQuote(value.as_string());
    case doc::Tag::kBytes: {
      std::string out = "[]uint8{";
      for (const char c : value.as_string()) {
        if (out.back() != '{') out += ", ";
        out += Hex(static_cast<unsigned char>(c));
      }
      return out + "}";
    }
    case doc::Tag::kList: {
      std::string out = "[]interface {}{";
      for (const doc::Value& item : value.as_list()) {
        if (&item != value.as_list().data()) out += ", ";
        out += GoSyntaxText(item);
      }
      return out + "}";
    }
    case doc::Tag::kMap: {
      std::string out = "map[string]interface {}{";
      bool first = true;
      for (const doc::MapEntry* entry : SortedEntries(value)) {
        if (!first) out += ", ";
        first = false;
        out += GoSyntaxText(entry->key) + ":" + GoSyntaxText(entry->value);
      }
      return out + "}";
    }
    case doc::Tag::kOptional: {
      std::string out = GoSyntaxText(value.held());
      return out.replace(0, out.find('{'), "map[ref.Val]ref.Val");
    }
    case doc::Tag::kDuration:
      return std::to_string(value.duration_ns());
    case doc::Tag::kTimestamp:
      return TimeSyntax(value);
    default:
      return GoPlainText(value);
  }
}

std::string GoTypeName(const doc::Value& value) {
  switch (value.tag()) {
    case doc::Tag::kNull:
      return "structpb.NullValue";
    case doc::Tag::kBool:
      return "bool";
    case doc::Tag::kInt:
      return "int64";
    case doc::Tag::kUint:
      return "uint64";
    case doc::Tag::kDouble:
      return "float64";
    case doc::Tag::kString:
      return "string";
    case doc::Tag::kBytes:
      return "[]uint8";
    case doc::Tag::kList:
      return "[]interface {}";
    case doc::Tag::kMap:
      return "map[string]interface {}";
    case doc::Tag::kOptional:
      return "map[ref.Val]ref.Val";
    case doc::Tag::kDuration:
      return "time.Duration";
    case doc::Tag::kTimestamp:
      return "time.Time";
    case doc::Tag::kType:
      return "string";
    default:
      return "interface {}";
  }
}

}  // namespace portcullis::patch
