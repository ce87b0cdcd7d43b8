// Comparison of texts and Status objects with the prefixes that the data's README lists.

#include <algorithm>

#include "apiserver_case.h"

namespace portcullis::conformance {
namespace {

// Up to and including such a text everything is exact; what follows is Go's.
std::size_t ComparedSize(std::string_view expected) {
  constexpr std::string_view kMarkers[] = {
      " into Go ", " in scheme ", "undecodable patch in webhook response: invalid character ",
      "url must be a valid URL: parse "};
  for (const std::string_view marker : kMarkers) {
    const std::size_t at = expected.find(marker);
    if (at != std::string_view::npos) return at + marker.size();
  }
  const std::size_t post = expected.find("Post \"");
  if (post != std::string_view::npos) {
    const std::size_t end = expected.find("\": ", post);
    if (end != std::string_view::npos) return end + 3;
  }
  return std::string_view::npos;
}

std::int64_t Number(const doc::Value& object, std::string_view field) {
  const doc::Value* value = object.Find(field);
  return value != nullptr && value->is_int() ? value->as_int() : 0;
}

std::span<const doc::Value> Causes(const doc::Value* details) {
  const doc::Value* causes = details == nullptr ? nullptr : details->Find("causes");
  return causes != nullptr && causes->is_list() ? causes->as_list() : std::span<const doc::Value>();
}

}  // namespace

bool SameText(std::string_view expected, std::string_view actual) {
  const std::size_t size = ComparedSize(expected);
  return expected.substr(0, size) == actual.substr(0, std::min(size, actual.size()));
}

bool SameStatus(const doc::Value& expected, const doc::Value& actual) {
  if (Number(expected, "code") != Number(actual, "code") ||
      expected.StringAt("reason") != actual.StringAt("reason") ||
      !SameText(expected.StringAt("message"), actual.StringAt("message"))) {
    return false;
  }
  const doc::Value* want = expected.Find("details");
  const doc::Value* have = actual.Find("details");
  if (want == nullptr) return have == nullptr;
  if (have == nullptr) return false;
  for (const std::string_view field : {"name", "group", "kind"}) {
    if (want->StringAt(field) != have->StringAt(field)) return false;
  }
  const auto want_causes = Causes(want);
  const auto have_causes = Causes(have);
  if (want_causes.size() != have_causes.size()) return false;
  for (std::size_t i = 0; i < want_causes.size(); ++i) {
    if (want_causes[i].StringAt("reason") != have_causes[i].StringAt("reason") ||
        want_causes[i].StringAt("field") != have_causes[i].StringAt("field") ||
        !SameText(want_causes[i].StringAt("message"), have_causes[i].StringAt("message"))) {
      return false;
    }
  }
  return true;
}

}  // namespace portcullis::conformance
