#include "cel/lib/value_text.h"

#include <string>

#include "base/gotext.h"
#include "cel/check/type.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

namespace {

constexpr std::size_t kMaxText = 4096;
constexpr int kMaxDepth = 16;

void Append(const Value& value, std::string& out, int depth) {
  if (out.size() > kMaxText) return;
  if (depth > kMaxDepth) {
    out += "...";
    return;
  }
  switch (value.tag()) {
    case Tag::kNull:
      out += "null";
      return;
    case Tag::kBool:
      out += value.as_bool() ? "true" : "false";
      return;
    case Tag::kInt:
      out += std::to_string(value.as_int());
      return;
    case Tag::kUint:
      out += std::to_string(value.as_uint());
      return;
    case Tag::kDouble:
      out += base::GoFloat(value.as_double());
      return;
    case Tag::kString:
    case Tag::kBytes:
      out += value.as_string().substr(0, kMaxText);
      return;
    case Tag::kDuration:
      out += base::CelDuration(value.duration_ns());
      return;
    case Tag::kTimestamp:
      out += base::FormatRfc3339(InstantOf(value));
      return;
    case Tag::kType:
      out += BareName(*static_cast<const Type*>(value.type_ptr()));
      return;
    case Tag::kList: {
      out += '[';
      bool first = true;
      for (const Value& item : value.as_list()) {
        if (out.size() > kMaxText) break;
        if (!first) out += ", ";
        first = false;
        Append(item, out, depth + 1);
      }
      out += ']';
      return;
    }
    case Tag::kMap: {
      out += '{';
      bool first = true;
      for (const doc::MapEntry& entry : value.as_map()) {
        if (out.size() > kMaxText) break;
        if (!first) out += ", ";
        first = false;
        Append(entry.key, out, depth + 1);
        out += ": ";
        Append(entry.value, out, depth + 1);
      }
      out += '}';
      return;
    }
    case Tag::kOptional:
      if (!value.has_value()) {
        out += "optional.none()";
        return;
      }
      out += "optional(";
      Append(value.held(), out, depth + 1);
      out += ')';
      return;
    case Tag::kHost:
      out += value.host()->type->name;
      return;
    case Tag::kError:
      out += value.error()->message;
      return;
  }
}

}  // namespace

std::string_view GoNumberName(const Value& value) {
  switch (value.tag()) {
    case Tag::kInt:
      return "int64";
    case Tag::kUint:
      return "uint64";
    case Tag::kDouble:
      return "float64";
    default:
      return {};
  }
}

std::string_view RuntimeTypeName(const Value& value) {
  switch (value.tag()) {
    case Tag::kNull:
      return "null_type";
    case Tag::kBool:
      return "bool";
    case Tag::kInt:
      return "int";
    case Tag::kUint:
      return "uint";
    case Tag::kDouble:
      return "double";
    case Tag::kString:
      return "string";
    case Tag::kBytes:
      return "bytes";
    case Tag::kList:
      return "list";
    case Tag::kMap:
      return "map";
    case Tag::kDuration:
      return "google.protobuf.Duration";
    case Tag::kTimestamp:
      return "google.protobuf.Timestamp";
    case Tag::kType:
      return "type";
    case Tag::kOptional:
      return "optional_type";
    case Tag::kHost:
      return value.host()->type->name;
    case Tag::kError:
      return "error";
  }
  return "error";
}

std::string_view GoTypeName(const Value& value) {
  switch (value.tag()) {
    case Tag::kNull:
      return "types.Null";
    case Tag::kBool:
      return "types.Bool";
    case Tag::kInt:
      return "types.Int";
    case Tag::kUint:
      return "types.Uint";
    case Tag::kDouble:
      return "types.Double";
    case Tag::kString:
      return "types.String";
    case Tag::kBytes:
      return "types.Bytes";
    case Tag::kList:
      return (value.flags() & Value::kConcat) != 0 ? "*types.concatList" : "*types.baseList";
    case Tag::kMap:
      return "*types.baseMap";
    case Tag::kDuration:
      return "types.Duration";
    case Tag::kTimestamp:
      return "types.Timestamp";
    case Tag::kType:
      return "*types.Type";
    case Tag::kOptional:
      return "*types.Optional";
    case Tag::kHost:
      return value.host()->type->name;
    case Tag::kError:
      return "*types.Err";
  }
  return "*types.Err";
}

std::string ValueText(const Value& value) {
  std::string out;
  Append(value, out, 0);
  return out;
}

std::string NoSuchOverloadText(std::string_view function, std::span<const Value> args) {
  std::string out = "no such overload: ";
  out += function;
  out += '(';
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i != 0) out += ", ";
    out += RuntimeTypeName(args[i]);
  }
  out += ')';
  return out;
}

base::Instant InstantOf(const Value& timestamp) {
  return {timestamp.timestamp_seconds(), timestamp.timestamp_nanos(),
          timestamp.timestamp_offset_minutes()};
}

Value TimestampValue(const base::Instant& instant) {
  return Value::Timestamp(instant.seconds, instant.nanos, instant.offset_minutes);
}

}  // namespace portcullis::cel
