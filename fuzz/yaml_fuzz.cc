// Any bytes through the splitter, the YAML reader and the locator. Properties: nothing crashes;
// chunks are parts of the text; errors carry a text; what parses writes back as YAML and as JSON to
// the same data.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"
#include "yaml/locate.h"
#include "yaml/reader.h"
#include "yaml/split.h"
#include "yaml/writer.h"

namespace {

using namespace portcullis;

// Aliases let a few bytes stand for a large tree; writing it out in full would only cost time.
constexpr std::size_t kMaxWritten = 1 << 20;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckDocument(std::string_view text, base::Arena& arena) {
  const auto value = yaml::Parse(text, arena);
  if (!value.ok()) {
    Require(!value.error().message.empty());
    return;
  }
  const std::string json_text = json::ToString(*value);
  if (json_text.size() > kMaxWritten) return;
  const auto from_json = json::Parse(json_text, arena, {.strict = true});
  Require(from_json.ok() && doc::DataEqual(*value, *from_json));
  const std::string yaml_text = yaml::ToString(*value);
  const auto from_yaml = yaml::Parse(yaml_text, arena, {.strict = true});
  Require(from_yaml.ok() && doc::DataEqual(*value, *from_yaml));
  Require(yaml::ToString(*from_yaml) == yaml_text);
  const yaml::Locator locator(text);
  Require(locator.Find({}).exact || value->is_null());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  base::Arena arena;
  CheckDocument(text, arena);
  yaml::Splitter splitter(text);
  std::size_t total = 0;
  for (;;) {
    yaml::Chunk chunk;
    const auto more = splitter.Next(&chunk);
    if (!more.ok() || !*more) break;
    total += chunk.text.size();
    if (chunk.text.size() != text.size()) CheckDocument(chunk.text, arena);
  }
  Require(total <= size);
  return 0;
}
