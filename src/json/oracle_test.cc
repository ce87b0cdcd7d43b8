// Differential test against simdjson: whatever it accepts we must accept with the same data,
// except where Go differs (spec/engineering.md 4.2: duplicate keys, large integers).

#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>
#include <string>

#include "doc/value.h"
#include "json/reader.h"
#include "json/writer.h"

namespace portcullis::json {
namespace {

using doc::Tag;
using doc::Value;
using simdjson::dom::element;
using simdjson::dom::element_type;

bool Same(const Value& ours, const element& theirs) {
  switch (theirs.type()) {
    case element_type::NULL_VALUE:
      return ours.is_null();
    case element_type::BOOL:
      return ours.is_bool() && ours.as_bool() == theirs.get_bool().value();
    case element_type::INT64:
      return ours.is_int() && ours.as_int() == theirs.get_int64().value();
    case element_type::UINT64:
      // Go has no uint64 here: beyond int64 a number is a double.
      return ours.tag() == Tag::kDouble &&
             ours.as_double() == static_cast<double>(theirs.get_uint64().value());
    case element_type::DOUBLE:
      return ours.tag() == Tag::kDouble && ours.as_double() == theirs.get_double().value();
    case element_type::STRING:
      return ours.is_string() && ours.as_string() == theirs.get_string().value();
    case element_type::ARRAY: {
      if (!ours.is_list()) return false;
      std::size_t i = 0;
      for (const element item : theirs.get_array()) {
        if (i >= ours.size() || !Same(ours.as_list()[i++], item)) return false;
      }
      return i == ours.size();
    }
    case element_type::OBJECT: {
      if (!ours.is_map()) return false;
      std::size_t count = 0;
      for (const auto field : theirs.get_object()) {
        const Value* member = ours.Find(field.key);
        if (member == nullptr || !Same(*member, field.value)) return false;
        ++count;
      }
      return count == ours.size();
    }
  }
  return false;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string Document() {
    key_ = 0;
    return Make(0);
  }

  // The text with one byte replaced, removed or added.
  std::string Mutate(std::string text) {
    static constexpr std::string_view kBytes = "{}[]:,\"\\0123eE+-.tfnu \n\x80\xC3\x01";
    const std::size_t at = Pick(static_cast<unsigned>(text.size()));
    const char c = kBytes[Pick(kBytes.size())];
    switch (Pick(3)) {
      case 0:
        text[at] = c;
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text.insert(at, 1, c);
        break;
    }
    return text;
  }

 private:
  unsigned Pick(std::size_t n) { return static_cast<unsigned>(random_() % n); }

  std::string Blank() { return Pick(4) == 0 ? std::string(Pick(20), ' ') : ""; }

  std::string Text() {
    static constexpr std::string_view kPieces[] = {"a",
                                                   "name",
                                                   "kubernetes.io/",
                                                   "\\n",
                                                   "\\u00e9",
                                                   "\\ud83d\\ude00",
                                                   "\xC3\xA9",
                                                   "\xF0\x9F\x98\x80",
                                                   "\\\\",
                                                   "\\\"",
                                                   "\\/",
                                                   "a longer run of plain text",
                                                   " "};
    std::string out;
    for (unsigned i = Pick(6); i > 0; --i) out += kPieces[Pick(std::size(kPieces))];
    return out;
  }

  std::string Make(int depth) {
    static constexpr std::string_view kScalars[] = {"null",
                                                    "true",
                                                    "false",
                                                    "0",
                                                    "-1",
                                                    "12345678901234567890",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "1.5",
                                                    "-0.0",
                                                    "1e10",
                                                    "2.5E-3",
                                                    "0.1",
                                                    "1e-300",
                                                    "123456789.123456789123456789",
                                                    "5e-324",
                                                    "1.7976931348623157e308"};
    const unsigned choice = depth > 3 ? Pick(2) : Pick(5);
    if (choice == 0) return std::string(kScalars[Pick(std::size(kScalars))]);
    if (choice == 1) return '"' + Text() + '"';
    const bool map = choice == 2;
    std::string out = map ? "{" : "[";
    for (unsigned i = 0, n = Pick(map ? 20 : 6); i < n; ++i) {
      if (i != 0) out += "," + Blank();
      // Distinct keys: simdjson keeps duplicates.
      if (map) out += '"' + Text() + std::to_string(key_++) + "\":" + Blank();
      out += Make(depth + 1);
    }
    return out + Blank() + (map ? "}" : "]");
  }

  std::mt19937 random_;
  int key_ = 0;
};

TEST(JsonOracle, AgreesWithSimdjson) {
  simdjson::dom::parser parser;
  Generator generator(20260101);
  base::Arena arena;
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = generator.Document();
    if (i % 2 == 1) text = generator.Mutate(std::move(text));
    arena.Reset();
    element theirs;
    const bool they_accept =
        parser.parse(simdjson::padded_string(text)).get(theirs) == simdjson::SUCCESS;
    const auto ours = Parse(text, arena);
    if (!they_accept) continue;  // Go repairs what simdjson refuses
    ++accepted;
    ASSERT_TRUE(ours.ok()) << text << "\n" << ours.error().message;
    // A mutation may have made two keys equal.
    if (!Parse(text, arena, {.strict = true}).ok()) continue;
    ASSERT_TRUE(Same(*ours, theirs)) << text << "\n" << ToString(*ours);
  }
  EXPECT_GT(accepted, 1500);
}

}  // namespace
}  // namespace portcullis::json
