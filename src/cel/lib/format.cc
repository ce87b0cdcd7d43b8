#include "cel/lib/format.h"

#include <array>
#include <charconv>
#include <string>

#include "base/gotext.h"
#include "base/utf8.h"
#include "cel/eval/value_weight.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

namespace {

constexpr std::string_view kParseFailure = "could not parse formatting clause: ";
constexpr int kMaxPrecision = 100;  // strings version 5

Value Format(CallContext& context, Args args, FormatValueFunction format, int max_precision) {
  const std::string_view text = args[0].as_string();
  const auto values = args[1].as_list();
  // Kept per thread, so that a warm evaluation allocates from its arena only.
  thread_local std::string out;
  thread_local std::string error;
  out.clear();
  error.clear();
  std::size_t next = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t percent = text.find('%', at);
    out.append(text.substr(at, percent - at));
    if (percent == std::string_view::npos) break;
    at = percent + 1;
    if (at < text.size() && text[at] == '%') {
      out += '%';
      ++at;
      continue;
    }
    if (next >= values.size()) {
      return context.Error("index " + std::to_string(next) + " out of range");
    }
    if (at == text.size()) return context.Error("unexpected end of string");
    FormatClause clause;
    if (!ParseFormatClause(text.substr(at), max_precision, clause, error)) {
      return context.Error(error);
    }
    // The text of a nested value could be longer than memory.
    if (IsTooLarge(values[next])) return TooLarge(context, "format");
    if (!format(clause, values[next], out, error)) {
      return context.Error("error during formatting: " + error);
    }
    if (out.size() > kMaxResultBytes) return TooLarge(context, "format");
    ++next;
    at += clause.length;
  }
  return context.String(out);
}

}  // namespace

bool ParseFormatClause(std::string_view text, int max_precision, FormatClause& clause,
                       std::string& error) {
  std::size_t at = 0;
  if (text[0] == '.') {
    ++at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    error.assign(kParseFailure).append("error while parsing precision: ");
    if (at == text.size()) {
      error += "could not find end of precision specifier";
      return false;
    }
    const std::string_view digits = text.substr(1, at - 1);
    std::int64_t precision = 0;
    const base::NumberStatus status = base::ParseInt(digits, precision);
    if (status != base::NumberStatus::kOk) {
      error += "error while converting precision to integer: ";
      error += base::NumberErrorText("Atoi", digits, status);
      return false;
    }
    if (max_precision >= 0 && precision > max_precision) {
      error += "precision " + std::to_string(precision) + " exceeds maximum allowed precision " +
               std::to_string(max_precision);
      return false;
    }
    clause.precision = precision;
  }
  const char verb = text[at];
  if (std::string_view("sdfebxXo").find(verb) == std::string_view::npos) {
    error.assign(kParseFailure).append("unrecognized formatting clause \"");
    base::AppendUtf8(error, static_cast<unsigned char>(verb));  // cel-go prints the byte as a rune
    error += '"';
    return false;
  }
  clause.verb = verb;
  clause.length = at + 1;
  return true;
}

std::string_view FormatComplaint(char verb, bool portable) {
  switch (verb) {
    case 's':
      return "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
             "types, durations, and timestamps";
    case 'd':
      return portable ? "decimal clause can only be used on ints, uints, and doubles"
                      : "decimal clause can only be used on integers";
    case 'f':
      return portable ? "fixed-point clause can only be used on ints, uints, and doubles"
                      : "fixed-point clause can only be used on doubles";
    case 'e':
      return portable ? "scientific clause can only be used on ints, uints, and doubles"
                      : "scientific clause can only be used on doubles";
    case 'b':
      return portable ? "only ints, uints, and bools can be formatted as binary"
                      : "only integers and bools can be formatted as binary";
    case 'o':
      return portable ? "octal clause can only be used on ints and uints"
                      : "octal clause can only be used on integers";
    default:
      return portable ? "only ints, uints, bytes, and strings can be formatted as hex"
                      : "only integers, byte buffers, and strings can be formatted as hex";
  }
}

void AppendInBase(const Value& integer, unsigned base, bool upper, std::string& out) {
  const bool negative = integer.is_int() && integer.as_int() < 0;
  std::uint64_t magnitude = integer.as_uint();
  if (negative) magnitude = ~magnitude + 1;
  std::array<char, 72> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude,
                                 static_cast<int>(base));
  if (negative) out += '-';
  for (const char* p = digits.data(); p != end.ptr; ++p) {
    out += upper && *p >= 'a' ? static_cast<char>(*p - ('a' - 'A')) : *p;
  }
}

void AppendHexBytes(std::string_view bytes, bool upper, std::string& out) {
  const std::string_view digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
}

bool AppendRadixClause(const FormatClause& clause, const Value& value, std::string& out) {
  const bool integer = value.is_int() || value.tag() == Tag::kUint;
  const bool upper = clause.verb == 'X';
  switch (clause.verb) {
    case 'b':
      if (value.is_bool()) {
        out += value.as_bool() ? '1' : '0';
        return true;
      }
      if (integer) AppendInBase(value, 2, false, out);
      return integer;
    case 'o':
      if (integer) AppendInBase(value, 8, false, out);
      return integer;
    default:
      if (value.is_string() || value.tag() == Tag::kBytes) {
        AppendHexBytes(value.as_string(), upper, out);
        return true;
      }
      if (integer) AppendInBase(value, 16, upper, out);
      return integer;
  }
}

Value FormatLocalisedCall(CallContext& context, Args args) noexcept {
  return Format(context, args, FormatValueLocalised, kNoPrecisionLimit);
}

Value FormatPortableCall(CallContext& context, Args args) noexcept {
  return Format(context, args, FormatValuePortable, kNoPrecisionLimit);
}

Value FormatBoundedCall(CallContext& context, Args args) noexcept {
  return Format(context, args, FormatValuePortable, kMaxPrecision);
}

}  // namespace portcullis::cel
