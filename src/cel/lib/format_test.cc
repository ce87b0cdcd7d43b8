// string.format: both formatters and the static check, against texts recorded from cel-go.

#include "cel/lib/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/arena.h"
#include "cel/lib/format_check.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Value;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Case {
  std::string_view text;
  std::vector<Value> values;
  std::string_view want;
};

std::string Render(NativeFunction function, const Case& c) {
  base::Arena arena;
  CallContext context{arena};
  const Value args[] = {Value::String(c.text), doc::MakeList(arena, c.values)};
  const Value result = function(context, std::span<const Value>(args));
  return std::string(result.is_error() ? result.error()->message : result.as_string());
}

TEST(Format, Localised) {
  base::Arena arena;
  const Value words[] = {Value::String("a"), Value::Int(1), Value::Double(2.5), Value::Null()};
  const doc::MapEntry entries[] = {{Value::String("b"), Value::Uint(2)},
                                   {Value::String("a"), Value::Bool(true)}};
  const Case cases[] = {
      {"100%%", {}, "100%"},
      {"%s|%s|%s", {Value::String("x"), Value::Double(1e6), Value::Null()}, "x|1e+06|null"},
      {"%s", {doc::MakeList(arena, words)}, "[\"a\", 1, 2.500000, null]"},
      {"%s", {doc::MakeMap(arena, entries)}, "{\"a\":true, \"b\":2}"},
      {"%s", {Value::Duration(1500000000)}, "1.5s"},
      {"%s", {Value::Timestamp(0, 0, 60)}, "1970-01-01T01:00:00+01:00"},
      {"%s",
       {Value::Bytes("\xff")},
       "error during formatting: could not convert argument \"invalid UTF-8 in bytes, cannot "
       "convert to string\" to string"},
      {"%d", {Value::Int(std::numeric_limits<std::int64_t>::min())}, "-9223372036854775808"},
      {"%d",
       {Value::Double(1)},
       "error during formatting: decimal clause can only be used on integers, was given double"},
      {"%f", {Value::Double(1234567.891)}, "1,234,567.891000"},
      {"%.2f", {Value::Double(999.995)}, "1,000.00"},
      {"%.0f", {Value::Double(2.5)}, "2"},
      {"%f", {Value::Double(-0.0)}, "0.000000"},
      {"%f %f %f",
       {Value::Double(kNaN), Value::Double(kInf), Value::String("-Infinity")},
       "NaN \xE2\x88\x9E -\xE2\x88\x9E"},
      {"%f",
       {Value::String("1")},
       "error during formatting: fixed-point clause can only be used on doubles, was given string"},
      {"%.1e",
       {Value::Double(1052.032911275)},
       "1.052033\xC3\x97"
       "10\xE2\x81\xB0\xC2\xB3"},
      {"%e|%e", {Value::Double(kNaN), Value::Double(-kInf)}, "   NaN|    -\xE2\x88\x9E"},
      {"%b %b %b", {Value::Int(-5), Value::Uint(5), Value::Bool(true)}, "-101 101 1"},
      {"%x %X %x",
       {Value::Int(-255), Value::Bytes("\xff\n"), Value::String("hi")},
       "-ff FF0A 6869"},
      {"%o", {Value::Int(-8)}, "-10"},
      {"%s %s", {Value::Int(1)}, "index 1 out of range"},
      {"%", {Value::Int(1)}, "unexpected end of string"},
      {"%z",
       {Value::Int(1)},
       "could not parse formatting clause: unrecognized formatting clause \"z\""},
      {"%.",
       {Value::Int(1)},
       "could not parse formatting clause: error while parsing precision: could not find end of "
       "precision specifier"},
      {"%.xf",
       {Value::Int(1)},
       "could not parse formatting clause: error while parsing precision: error while converting "
       "precision to integer: strconv.Atoi: parsing \"\": invalid syntax"},
  };
  for (const Case& c : cases) EXPECT_EQ(Render(FormatLocalisedCall, c), c.want) << c.text;
}

TEST(Format, Portable) {
  base::Arena arena;
  const Value items[] = {Value::String("abc"), Value::Double(3.14), Value::Null()};
  const doc::MapEntry entries[] = {{Value::String("key2"), Value::Duration(7200000000000)},
                                   {Value::String("key1"), Value::Bytes("xyz")}};
  const Case cases[] = {
      {"%s", {doc::MakeList(arena, items)}, "[abc, 3.14, null]"},
      {"%s", {doc::MakeMap(arena, entries)}, "{key1: xyz, key2: 7200s}"},
      {"%s", {Value::Double(2e-9)}, "0.000000002"},
      {"%d %d", {Value::Double(1.5), Value::Double(kInf)}, "1.5 Infinity"},
      {"%f", {Value::Int(1234567)}, "1234567.000000"},
      {"%.3e", {Value::Double(1052.032911275)}, "1.052e+03"},
      {"%e", {Value::Double(-kInf)}, "-Infinity"},
      {"%f",
       {Value::String("NaN")},
       "error during formatting: fixed-point clause can only be used on ints, uints, and doubles, "
       "was given string"},
      {"%.101f",
       {Value::Double(1)},
       "could not parse formatting clause: error while parsing precision: precision 101 exceeds "
       "maximum allowed precision 100"},
  };
  for (const Case& c : cases) EXPECT_EQ(Render(FormatBoundedCall, c), c.want) << c.text;
}

std::string Check(std::string_view text, const std::vector<FormatArgument>& arguments) {
  const auto issue = CheckFormatLiteral(text, arguments, false);
  if (!issue.has_value()) return "";
  return (issue->at_call ? "call: " : std::to_string(issue->node) + ": ") + issue->message;
}

TEST(Format, StaticCheck) {
  const Type quantity{TypeKind::kOpaque, "kubernetes.Quantity", {}};
  const FormatArgument number{&types::kInt, 1};
  const FormatArgument unknown{&types::kDyn, 2};
  const FormatArgument nested{&types::kList, 3, {number, {&quantity, 4}}};
  EXPECT_EQ(Check("%s %d %% %x", {nested.children[0], number, unknown}), "");
  EXPECT_EQ(Check("%d", {nested}),
            "3: error during formatting: decimal clause can only be used on integers, was given "
            "list");
  EXPECT_EQ(Check("%s", {nested}),
            "4: error during formatting: string clause can only be used on strings, bools, bytes, "
            "ints, doubles, maps, lists, types, durations, and timestamps, was given "
            "kubernetes.Quantity");
  EXPECT_EQ(Check("%s", {}), "call: index 0 out of range");
  EXPECT_EQ(Check("%", {}), "call: unexpected end of string");
  EXPECT_EQ(Check("", {number}),
            "call: too many arguments supplied to string.format (expected 0, got 1)");
}

}  // namespace
}  // namespace portcullis::cel
