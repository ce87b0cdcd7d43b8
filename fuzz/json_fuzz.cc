// Any bytes through the JSON reader. Properties: nothing crashes; errors carry a text and a
// position; what parses writes back, compact or indented, to data that then stays the same; the
// strict reader and the one that views the input agree with the default one.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "doc/equal.h"
#include "json/locate.h"
#include "json/reader.h"
#include "json/writer.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace portcullis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  base::Arena arena;
  const auto value = json::Parse(text, arena);
  const auto strict = json::Parse(text, arena, {.input_outlives = true, .strict = true});
  if (!value.ok()) {
    Require(!value.error().message.empty() && value.error().span.line != 0);
    Require(!strict.ok());
    return 0;
  }
  if (strict.ok()) {
    Require(doc::DataEqual(*value, *strict));
  } else {
    Require(strict.error().code == base::ErrorCode::kDuplicate);
  }
  const std::string compact = json::ToString(*value);
  const auto again = json::Parse(compact, arena, {.strict = true});
  Require(again.ok());
  // Large doubles and -0.0 are written without a point, as Go does, and read back as integers: the
  // data settles after one round.
  const std::string settled = json::ToString(*again);
  const auto third = json::Parse(settled, arena);
  Require(third.ok() && doc::DataEqual(*again, *third) && json::ToString(*third) == settled);
  const auto pretty =
      json::Parse(json::ToString(*value, {.indent = 1, .escape_html = true}), arena);
  Require(pretty.ok() && json::ToString(*pretty) == settled);
  if (value->is_map() && value->size() != 0) {
    const doc::PathStep step[] = {std::string(value->as_map()[0].key.as_string())};
    // A key that was repaired is not found as it was written.
    if (compact == text) Require(json::Locate(text, step).exact);
  }
  return 0;
}
