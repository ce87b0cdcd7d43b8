#include "yaml/gosyntax.h"

#include <charconv>

#include "base/gotext.h"

namespace portcullis::yaml {
namespace {

constexpr int kMaxDepth = 20;
constexpr std::size_t kMaxSize = 4096;

void Append(const doc::Value& value, int depth, std::string* out) {
  if (depth > kMaxDepth || out->size() > kMaxSize) {
    *out += "...";
    return;
  }
  switch (value.tag()) {
    case doc::Tag::kBool:
      *out += value.as_bool() ? "true" : "false";
      return;
    case doc::Tag::kInt:
      *out += std::to_string(value.as_int());
      return;
    case doc::Tag::kUint: {
      char buffer[20];
      const auto r = std::to_chars(buffer, buffer + sizeof buffer, value.as_uint(), 16);
      *out += "0x";
      out->append(buffer, r.ptr);
      return;
    }
    case doc::Tag::kDouble:
      *out += base::GoFloat(value.as_double());
      return;
    case doc::Tag::kString:
      base::AppendGoQuote(*out, value.as_string());
      return;
    case doc::Tag::kList: {
      *out += "[]interface {}{";
      bool first = true;
      for (const doc::Value& item : value.as_list()) {
        if (!first) *out += ", ";
        first = false;
        Append(item, depth + 1, out);
      }
      *out += '}';
      return;
    }
    case doc::Tag::kMap: {
      *out += "map[interface {}]interface {}{";
      bool first = true;
      for (const doc::MapEntry& entry : value.as_map()) {
        if (!first) *out += ", ";
        first = false;
        Append(entry.key, depth + 1, out);
        *out += ':';
        Append(entry.value, depth + 1, out);
      }
      *out += '}';
      return;
    }
    default:
      *out += depth == 0 ? "<nil>" : "interface {}(nil)";
      return;
  }
}

}  // namespace

std::string GoSyntax(const doc::Value& value) {
  std::string out;
  Append(value, 0, &out);
  return out;
}

}  // namespace portcullis::yaml
