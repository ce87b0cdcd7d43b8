#include "patch/measure.h"

#include <algorithm>
#include <charconv>

namespace portcullis::patch {
namespace {

std::size_t StringSize(std::string_view text) {
  std::size_t size = 2;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t') {
      size += 2;
    } else if (u < 0x20 || c == '<' || c == '>' || c == '&') {
      size += 6;
    } else {
      size += 1;
    }
  }
  return size;
}

std::size_t ScalarSize(const doc::Value& value) {
  char buffer[32];
  switch (value.tag()) {
    case doc::Tag::kNull:
      return 4;
    case doc::Tag::kBool:
      return value.as_bool() ? 4 : 5;
    case doc::Tag::kInt:
      return static_cast<std::size_t>(
          std::to_chars(buffer, buffer + sizeof buffer, value.as_int()).ptr - buffer);
    case doc::Tag::kUint:
      return static_cast<std::size_t>(
          std::to_chars(buffer, buffer + sizeof buffer, value.as_uint()).ptr - buffer);
    case doc::Tag::kDouble:
      return static_cast<std::size_t>(
          std::to_chars(buffer, buffer + sizeof buffer, value.as_double()).ptr - buffer);
    case doc::Tag::kString:
      return StringSize(value.as_string());
    default:
      return 0;
  }
}

}  // namespace

std::size_t DepthOf(const doc::Value& value, std::size_t limit) {
  if (limit == 0) return 1;
  std::size_t deepest = 0;
  if (value.is_list()) {
    for (const doc::Value& item : value.as_list()) {
      deepest = std::max(deepest, DepthOf(item, limit - 1));
      if (deepest >= limit) break;
    }
  } else if (value.is_map()) {
    for (const doc::MapEntry& entry : value.as_map()) {
      deepest = std::max(deepest, DepthOf(entry.value, limit - 1));
      if (deepest >= limit) break;
    }
  }
  return deepest + 1;
}

std::size_t JsonSize(const doc::Value& value, std::size_t limit) {
  if (!value.is_list() && !value.is_map()) return ScalarSize(value);
  std::size_t size = 2;
  if (value.is_list()) {
    for (const doc::Value& item : value.as_list()) {
      if (size > limit) return size;
      size += 1 + JsonSize(item, limit - size);
    }
  } else {
    for (const doc::MapEntry& entry : value.as_map()) {
      if (size > limit) return size;
      size += StringSize(entry.key.as_string()) + 2;
      if (size > limit) return size;
      size += JsonSize(entry.value, limit - size);
    }
  }
  return value.size() == 0 ? size : size - 1;  // one comma less than members
}

}  // namespace portcullis::patch
