#include "schema/canonical.h"

#include <cstdio>
#include <string>

#include "base/base64.h"
#include "base/gotext.h"
#include "base/quantity.h"
#include "base/time.h"

namespace portcullis::schema {

namespace {

// The old value when its text is already `text`, so that nothing is copied.
doc::Value Keep(const doc::Value& old, const std::string& text, base::Arena& arena) {
  if (old.is_string() && old.as_string() == text) return old;
  return doc::MakeString(arena, text);
}

base::Quantity RoundedUpToMilli(const base::Quantity& quantity) {
  if (quantity.exponent() >= -3) return quantity;
  base::Int128 mantissa = quantity.mantissa();
  bool rest = false;
  for (std::int32_t e = quantity.exponent(); e < -3 && mantissa != 0; ++e) {
    rest = rest || mantissa % 10 != 0;
    mantissa /= 10;
  }
  if (rest) mantissa += quantity.Sign();  // away from zero, as apimachinery rounds
  auto milli = base::Quantity::Parse("1m");
  auto count = base::Quantity::FromInt(static_cast<std::int64_t>(mantissa), quantity.format());
  return count.Multiply(*milli);
}

bool IsPlainInteger(std::string_view text) {
  if (text.empty() || text.size() > 15 || text[0] == '0') return text == "0";
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return text.size() < 3 || text.substr(text.size() - 3) != "000";
}

}  // namespace

doc::Value CanonicalQuantity(const doc::Value& value, bool whole_milli, base::Arena& arena) {
  std::string number;
  std::string_view text;
  if (value.is_string()) {
    text = value.as_string();
    if (IsPlainInteger(text)) return value;
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  } else if (value.is_int()) {
    number = std::to_string(value.as_int());
    text = number;
  } else if (value.tag() == doc::Tag::kDouble) {
    number = base::GoJsonFloat(value.as_double());
    text = number;
  } else {
    return value;
  }
  auto parsed = base::Quantity::Parse(text);
  if (!parsed.ok()) return value;
  const base::Quantity quantity = whole_milli ? RoundedUpToMilli(*parsed) : *parsed;
  return Keep(value, quantity.ToString(), arena);
}

doc::Value CanonicalTime(const doc::Value& value, bool micro, base::Arena& arena) {
  if (!value.is_string()) return value;
  const auto instant = base::ParseRfc3339(value.as_string(), base::TimeRules::kLenient);
  if (!instant) return value;
  base::Instant utc = *instant;
  utc.offset_minutes = 0;
  utc.nanos = 0;
  std::string text = base::FormatRfc3339(utc);
  if (micro) {
    char fraction[16];
    std::snprintf(fraction, sizeof fraction, ".%06uZ", instant->nanos / 1000);
    text.pop_back();
    text += fraction;
  }
  return Keep(value, text, arena);
}

doc::Value CanonicalDuration(const doc::Value& value, base::Arena& arena) {
  std::int64_t nanoseconds = 0;
  if (!value.is_string() || !base::ParseGoDuration(value.as_string(), nanoseconds)) return value;
  return Keep(value, base::GoDuration(nanoseconds), arena);
}

doc::Value CanonicalBytes(const doc::Value& value, base::Arena& arena) {
  if (!value.is_string() || value.as_string().find_first_of("\r\n") == std::string_view::npos) {
    return value;
  }
  auto decoded = base::Base64Decode(value.as_string());
  if (!decoded.ok()) return value;
  return Keep(value, base::Base64Encode(*decoded), arena);
}

}  // namespace portcullis::schema
