// Function rows called directly: conversions, strings, lists, with values and error texts of
// cel-go.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/arena.h"
#include "cel/lib/libraries.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// Calls the row with this overload id. Text of the result: ValueText, or `error: ...`.
std::string Call(const Library& library, std::string_view id, const std::vector<Value>& args) {
  for (const Overload& row : library.overloads) {
    if (row.id != id) continue;
    base::Arena arena;
    CallContext context{arena};
    const Value result = row.call(context, args);
    return (result.is_error() ? "error: " : "") + ValueText(result);
  }
  return "no such row";
}

Value S(std::string_view text) { return Value::String(text); }
Value I(std::int64_t number) { return Value::Int(number); }
Value D(double number) { return Value::Double(number); }

struct Case {
  std::string_view id;
  std::vector<Value> args;
  std::string_view want;
};

void RunAll(const Library& library, std::span<const Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(Call(library, c.id, c.args), c.want) << c.id;
}

TEST(Libraries, Conversions) {
  const Case cases[] = {
      {"string_to_int64", {S("-42")}, "-42"},
      {"string_to_int64", {S("0x1")}, "error: type conversion error from 'string' to 'int'"},
      {"double_to_int64", {D(-1.9)}, "-1"},
      {"double_to_int64", {D(-9223372036854775808.0)}, "error: integer overflow"},
      {"double_to_int64", {D(std::numeric_limits<double>::quiet_NaN())}, "error: integer overflow"},
      {"uint64_to_int64", {Value::Uint(1ULL << 63)}, "error: integer overflow"},
      {"double_to_uint64", {D(18446744073709551616.0)}, "error: unsigned integer overflow"},
      {"int64_to_uint64", {I(-1)}, "error: unsigned integer overflow"},
      {"string_to_uint64", {S("+1")}, "error: type conversion error from 'string' to 'uint'"},
      {"string_to_double", {S("1_000.5")}, "1000.5"},
      {"string_to_double", {S("1e400")}, "error: type conversion error from 'string' to 'double'"},
      {"string_to_bool", {S("True")}, "true"},
      {"string_to_bool", {S("yes")}, "error: type conversion error from 'string' to 'bool'"},
      {"double_to_string", {D(1000000.0)}, "1e+06"},
      {"double_to_string", {D(-0.0)}, "-0"},
      {"bytes_to_string",
       {Value::Bytes("\xff")},
       "error: invalid UTF-8 in bytes, cannot convert to string"},
      {"duration_to_string", {Value::Duration(2)}, "0.000000002s"},
      {"string_to_duration", {S("1h30m")}, "5400s"},
      {"string_to_duration",
       {S("1d")},
       "error: type conversion error from 'string' to 'google.protobuf.Duration'"},
      {"string_to_timestamp", {S("2023-01-01T00:00:00+05:00")}, "2023-01-01T00:00:00+05:00"},
      {"int64_to_timestamp", {I(253402300800)}, "error: timestamp overflow"},
  };
  RunAll(StandardLibrary(), cases);
}

TEST(Libraries, TimeGetters) {
  const Value t = Value::Timestamp(1718452800, 5000000);  // 2024-06-15T12:00:00.005Z
  const Case cases[] = {
      {"timestamp_to_month", {t}, "5"},
      {"timestamp_to_day_of_year", {t}, "166"},
      {"timestamp_to_day_of_month", {t}, "14"},
      {"timestamp_to_day_of_month_1_based", {t}, "15"},
      {"timestamp_to_day_of_week", {t}, "6"},
      {"timestamp_to_hours_with_tz", {t, S("+02:30")}, "14"},
      {"timestamp_to_minutes_with_tz", {t, S("-09:30")}, "30"},
      {"timestamp_to_hours_with_tz", {t, S("Foo/Bar")}, "error: unknown time zone Foo/Bar"},
      {"timestamp_to_milliseconds", {t}, "5"},
      {"duration_to_minutes", {Value::Duration(5400000000000)}, "90"},
  };
  RunAll(StandardLibrary(), cases);
}

TEST(Libraries, Strings) {
  const std::string_view smile =
      "\xF0\x9F\x98\x80"
      "a";
  const Case cases[] = {
      {"string_char_at_int", {S(smile), I(1)}, "a"},
      {"string_char_at_int", {S(smile), I(2)}, ""},
      {"string_char_at_int", {S(smile), I(3)}, "error: index out of range: 3"},
      {"string_index_of_string_int", {S("hello mellow"), S("ello"), I(2)}, "7"},
      {"string_index_of_string_int", {S("hello"), S(""), I(100)}, "5"},
      {"string_last_index_of_string_int", {S("hello mellow"), S("ello"), I(6)}, "1"},
      {"string_last_index_of_string_int", {S("hello"), S("h"), I(20)}, "-1"},
      {"string_substring_int_int",
       {S("tacocat"), I(4), I(3)},
       "error: invalid substring range. start: 4, end: 3"},
      {"string_replace_string_string_int", {S("hello"), S(""), S("_"), I(2)}, "_h_ello"},
      {"string_replace_string_string", {S("hello hello"), S("he"), S("we")}, "wello wello"},
      {"string_split_string_int", {S("a,b,c"), S(","), I(2)}, "[a, b,c]"},
      {"string_split_string", {S(smile), S("")}, "[\xF0\x9F\x98\x80, a]"},
      {"string_split_string_int", {S("a"), S(","), I(0)}, "[]"},
      {"string_trim", {S("\t\xC2\xA0 a \xC2\x85")}, "a"},
      {"strings_quote", {S("a\"\n\xff")}, "\"a\\\"\\n\xEF\xBF\xBD\""},
      {"string_reverse", {S(smile)}, "a\xF0\x9F\x98\x80"},
  };
  RunAll(StringsLibrary(5), cases);
}

TEST(Libraries, ReplaceAndRangeAreBounded) {
  base::Arena arena;
  const std::string big(1 << 20, 'a');
  EXPECT_EQ(Call(StringsLibrary(2), "string_replace_string_string", {S(big), S("a"), S(big)}),
            "error: replace: result is too large");
  EXPECT_EQ(Call(ListsLibrary(), "lists_range", {I(std::int64_t{1} << 60)}),
            "error: lists.range: result is too large");
}

TEST(Libraries, Lists) {
  base::Arena arena;
  const auto list = [&arena](const std::vector<Value>& items) {
    return doc::MakeList(arena, items);
  };
  const Value nested = list({list({I(1), list({I(2)})}), I(3)});
  const Case cases[] = {
      {"list_slice", {list({I(1), I(2), I(3)}), I(1), I(3)}, "[2, 3]"},
      {"list_slice", {list({I(1)}), I(0), I(2)}, "error: cannot slice(0, 2), list is length 1"},
      {"list_flatten_int", {nested, I(2)}, "[1, 2, 3]"},
      {"list_flatten_int", {nested, I(-1)}, "error: level must be non-negative"},
      {"list_flatten", {I(1)}, "error: no such overload: int.flatten()"},
      {"list_int_sort", {list({I(3), I(1), I(2)})}, "[1, 2, 3]"},
      {"list_int_sort", {list({I(3), D(1)})}, "error: list elements must have the same type"},
      {"list_int_sort", {list({Value::Null()})}, "error: list elements must be comparable"},
      {"list_int_sortByAssociatedKeys", {list({S("b"), S("a")}), list({I(2), I(1)})}, "[a, b]"},
      {"list_distinct", {list({I(1), D(1), Value::Uint(1), I(2)})}, "[1, 2]"},
      {"list_distinct",
       {Value::Null()},
       "error: internal error: interface conversion: types.Null is not traits.Lister: missing "
       "method Add"},
      {"lists_range", {I(-1)}, "error: lists.range: size must be non-negative, got -1"},
      {"list_reverse", {list({I(1), I(2)})}, "[2, 1]"},
  };
  RunAll(ListsLibrary(), cases);
}

TEST(Libraries, SortIsStableForLongLists) {
  base::Arena arena;
  std::vector<Value> items;
  std::vector<Value> keys;
  for (int i = 0; i < 1000; ++i) {
    items.push_back(I(i));
    keys.push_back(I(i % 7));
  }
  CallContext context{arena};
  const Value args[] = {doc::MakeList(arena, items), doc::MakeList(arena, keys)};
  for (const Overload& row : ListsLibrary().overloads) {
    if (row.id != "list_int_sortByAssociatedKeys") continue;
    const Value sorted = row.call(context, std::span<const Value>(args));
    for (std::uint32_t i = 1; i < sorted.size(); ++i) {
      const std::int64_t a = sorted.as_list()[i - 1].as_int();
      const std::int64_t b = sorted.as_list()[i].as_int();
      EXPECT_TRUE(a % 7 < b % 7 || (a % 7 == b % 7 && a < b)) << a << " " << b;
    }
  }
}

TEST(Libraries, MathAndEncoders) {
  const Case math_cases[] = {
      {"math_@max_int_double", {I(1), D(1)}, "1"},
      {"math_@min_list_int",
       {doc::Value::List({})},
       "error: math.@min(list) argument must not be empty"},
      {"math_abs_int", {I(std::numeric_limits<std::int64_t>::min())}, "error: integer overflow"},
      {"math_bitShiftRight_int_int", {I(-8), I(1)}, "9223372036854775804"},
      {"math_bitShiftLeft_int_int", {I(1), I(64)}, "0"},
      {"math_bitShiftLeft_int_int",
       {I(1), I(-1)},
       "error: math.bitShiftLeft() negative offset: -1"},
      {"math_round_double", {D(-1.5)}, "-2"},
  };
  RunAll(MathLibrary(), math_cases);
  const Case base64_cases[] = {
      {"base64_decode_string", {S("aGVsbG8")}, "hello"},
      {"base64_decode_string", {S("!!")}, "error: illegal base64 data at input byte 0"},
      {"base64_encode_bytes", {Value::Bytes("\xff\xfe")}, "//4="},
  };
  RunAll(EncodersLibrary(), base64_cases);
}

TEST(Libraries, RegexExtension) {
  const Case cases[] = {
      {"regex_extract_string_string", {S("hello"), S("l(x)?")}, "optional.none()"},
      {"regex_extract_string_string", {S("hello"), S("h(.)")}, "optional(e)"},
      {"regex_extract_string_string",
       {S("hello"), S("(h)(e)")},
       "error: regular expression has more than one capturing group: \"(h)(e)\""},
      {"regex_extractAll_string_string", {S("a1b22"), S("[a-z]([0-9]+)")}, "[1, 22]"},
      {"regex_replace_string_string_string", {S("hello"), S(""), S("-")}, "-h-e-l-l-o-"},
      {"regex_replace_string_string_string", {S("hello"), S("h"), S("\\0\\\\$1")}, "h\\$1ello"},
      {"regex_replace_string_string_string",
       {S("hello"), S("h"), S("\\1")},
       "error: replacement string references group 1 but regex has only 0 group(s)"},
      {"regex_replace_string_string_string_int", {S("hello"), S("l"), S("L"), I(1)}, "heLlo"},
  };
  RunAll(RegexExtLibrary(), cases);
}

}  // namespace
}  // namespace portcullis::cel
